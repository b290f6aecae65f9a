import { SpecError } from '../load/spec-error.js';
import type { AvailabilitySpec, ServiceGap, Spec, SpecTransport } from '../load/spec-types.js';
import { transportKinds } from '../load/spec-types.js';
import type { AvailabilityModel } from './model.js';
import { ownValue } from '../own-value.js';

const transportNames: Readonly<Record<SpecTransport, string>> = { grpc: 'gRPC', rest: 'REST', abci: 'abci_query' };

/** Declaration of a method in the proto file. */
export interface DeclaredMethod {
  readonly service: string;
  readonly method: string;
  readonly hasRule: boolean;
  readonly isStream: boolean;
}

type Lines = Readonly<Record<SpecTransport, string>>;

/** Whether a method is served on each transport, with the reason for callers if it is not. */
export function availabilityOf(
  spec: AvailabilitySpec,
  declared: DeclaredMethod,
): Readonly<Record<SpecTransport, AvailabilityModel>> {
  const lines = linesOf(spec, declared);
  const entries = transportKinds.map((kind) => [kind, onTransport(spec, declared, kind, lines)] as const);
  return Object.fromEntries(entries) as Record<SpecTransport, AvailabilityModel>;
}

/** The entry of each transport: that of the method, else the default, with `by_rule` resolved. */
function linesOf(spec: AvailabilitySpec, { service, method, hasRule, isStream }: DeclaredMethod): Lines {
  const own = ownValue(ownValue(spec.services, service), method);
  const at = ['services', service, method];
  if (own === undefined && spec.defaults === undefined) {
    throw new SpecError(
      'availability',
      at,
      `${service}/${method} has no availability; add grpc, rest and abci lines, or defaults`,
    );
  }
  const lines = { ...spec.defaults, ...own };
  const missing = transportKinds.find((kind) => lines[kind] === undefined);
  if (missing !== undefined) {
    throw new SpecError(
      'availability',
      at,
      `${service}/${method} has no availability for transport ${missing}; write \`served\` or the name of an entry under unserved`,
    );
  }
  const byRule = hasRule ? 'served' : 'no_rule';
  const isByRule = lines.rest === 'by_rule';
  const isShadowed = isByRule && own?.rest === undefined && shadowedInFramework.test(`${service}/${method}`);
  const rest = isShadowed ? 'shadowed' : isByRule && isStream ? 'stream' : isByRule ? byRule : lines.rest;
  return { ...lines, rest } as Lines;
}

/**
 * Method of the framework whose route another method of its service declares first, with another parameter name. Every
 * node of these versions has both, and a gateway uses the first.
 */
const shadowedInFramework = /\.auth\.v1beta1\.Query\/AddressStringToBytes$/;

/** Gaps without an entry: they follow from the proto file, or from omissions of the spec. */
const ownGaps: Readonly<Record<string, ServiceGap>> = {
  no_rule: { kind: 'no_rule', reason: 'has no REST route, its proto file gives it no HTTP rule' },
  stream: { kind: 'no_rule', reason: 'is a stream and has no REST route' },
  shadowed: {
    kind: 'shadowed',
    reason: 'is not reachable over REST, because AddressBytesToString answers every path of its shape',
  },
  not_stated: { kind: 'not_routed', reason: 'is not served through abci_query, no spec says so' },
};

function onTransport(
  spec: AvailabilitySpec,
  { service, method }: DeclaredMethod,
  kind: SpecTransport,
  lines: Lines,
): AvailabilityModel {
  const line = lines[kind];
  if (line === 'served') return { served: true };
  const gap = ownValue(spec.unserved, line);
  if (gap) {
    checkReplacement(spec, line, gap, service, method);
    return { served: false, kind: gap.kind, sentence: sentence(spec, service, method, gap) };
  }
  const own = ownValue(ownGaps, line);
  if (!own) {
    const isOwnLine = ownValue(ownValue(spec.services, service), method)?.[kind] !== undefined;
    const at = isOwnLine ? ['services', service, method, kind] : ['defaults', kind];
    const known = ['served', 'by_rule', ...Object.keys(spec.unserved)].join(', ');
    throw new SpecError('availability', at, `${service}/${method} ${kind}: ${line} is not one of ${known}`);
  }
  const same = transportKinds.filter((other) => lines[other] === 'served');
  const replaced = same.length === 0 ? own : { ...own, replacement: { same_method_over: same } };
  return { served: false, kind: own.kind, sentence: sentence(spec, service, method, replaced) };
}

/**
 * Name of a service in sentences: `hub.node.v3.QueryService` is `hub.node.v3` while it is the only service of its
 * package.
 */
function speakOf(spec: AvailabilitySpec, service: string): string {
  const name = service.slice(0, service.lastIndexOf('.'));
  const isAlone = (other: string): boolean => other === service || other.slice(0, other.lastIndexOf('.')) !== name;
  return spec.defaults === undefined && Object.keys(spec.services).every(isAlone) ? name : service;
}

function sentence(
  spec: AvailabilitySpec,
  service: string,
  method: string,
  { reason, replacement }: ServiceGap,
): string {
  const says = `${speakOf(spec, service)} ${method} ${reason}`;
  if (replacement === undefined) return `${says}.`;
  const { method: other, over = [], same_method_over: same = [] } = replacement;
  const [otherService = '', otherMethod = ''] = other?.split('/') ?? [];
  const target = other === undefined ? 'it' : `${speakOf(spec, otherService)} ${otherMethod}`;
  const transports = other === undefined ? same : over;
  // A replacement that is served on all transports need not name one.
  const where = transports.length === transportKinds.length ? '' : ` over ${listOf(transports)}`;
  return `${says}; call ${target}${where} instead.`;
}

function listOf(transports: readonly SpecTransport[]): string {
  return transports.map((kind) => transportNames[kind]).join(' or ');
}

function checkReplacement(
  spec: AvailabilitySpec,
  name: string,
  gap: ServiceGap,
  service: string,
  method: string,
): void {
  if (gap.replacement === undefined) return;
  const { method: other, over = [], same_method_over: same = [] } = gap.replacement;
  const [targetService = '', targetMethod = ''] = (other ?? `${service}/${method}`).split('/');
  for (const kind of other === undefined ? same : over) {
    const line = ownValue(ownValue(spec.services, targetService), targetMethod)?.[kind] ?? spec.defaults?.[kind];
    if (line === 'served' || (line === 'by_rule' && kind === 'rest')) continue;
    throw new SpecError(
      'availability',
      ['unserved', name],
      `unserved.${name} names ${targetService}/${targetMethod} over ${kind} as replacement, which is not served there`,
    );
  }
}

/** Every gap must be used, so that a fact is removed together with its method. */
export function checkGaps(spec: Spec): void {
  const { services, unserved, defaults = {} } = spec.availability;
  const used = new Set([
    ...Object.values(defaults),
    ...Object.values(services).flatMap((methods) => Object.values(methods).flatMap((lines) => Object.values(lines))),
  ]);
  const unused = Object.keys(unserved).find((name) => !used.has(name));
  if (unused !== undefined) {
    throw new SpecError(
      'availability',
      ['unserved', unused],
      `unserved.${unused} is named by no method; delete it or name it`,
    );
  }
}
