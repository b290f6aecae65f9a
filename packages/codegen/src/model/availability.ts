import { CodegenError } from '../codegen-error.js';
import type { AvailabilitySpec, Gap, Spec, TransportKind } from '../load/spec-types.js';
import { transportKinds } from '../load/spec-types.js';
import type { AvailabilityModel } from './model.js';

const file = 'proto/spec/availability.yaml';

const transportNames: Readonly<Record<TransportKind, string>> = { grpc: 'gRPC', rest: 'REST', abci: 'abci_query' };

/** Whether `method` of `service` is served on each transport, with the sentence that callers get where it is not. */
export function availabilityOf(
  spec: AvailabilitySpec,
  service: string,
  method: string,
): Readonly<Record<TransportKind, AvailabilityModel>> {
  const lines = spec.services[service]?.[method];
  if (!lines)
    throw new CodegenError(`${file}: ${service}/${method} has no availability; add grpc, rest and abci lines`);
  const entries = transportKinds.map((kind) => [kind, onTransport(spec, service, method, kind, lines[kind])] as const);
  return Object.fromEntries(entries) as Record<TransportKind, AvailabilityModel>;
}

function onTransport(
  spec: AvailabilitySpec,
  service: string,
  method: string,
  kind: TransportKind,
  line: string | undefined,
): AvailabilityModel {
  if (line === undefined) {
    throw new CodegenError(
      `${file}: ${service}/${method} has no availability for transport ${kind}; write \`served\` or the name of an entry under unserved`,
    );
  }
  if (line === 'served') return { served: true };
  const gap = spec.unserved[line];
  if (!gap) {
    const known = ['served', ...Object.keys(spec.unserved)].join(', ');
    throw new CodegenError(`${file}: ${service}/${method} ${kind}: ${line} is not one of ${known}`);
  }
  checkReplacement(spec, line, gap, service, method);
  return { served: false, kind: gap.kind, sentence: sentence(service, method, gap) };
}

/** `hub.node.v3.QueryService` is spoken of as `hub.node.v3`: a package has one query service. */
function speakOf(service: string): string {
  return service.slice(0, service.lastIndexOf('.'));
}

function sentence(service: string, method: string, gap: Gap): string {
  const { method: other, over = [], same_method_over: same = [] } = gap.replacement;
  const [otherService = '', otherMethod = ''] = other?.split('/') ?? [];
  const target = other === undefined ? 'it' : `${speakOf(otherService)} ${otherMethod}`;
  const transports = other === undefined ? same : over;
  // A replacement that is served everywhere needs no transport named.
  const where = transports.length === transportKinds.length ? '' : ` over ${listOf(transports)}`;
  return `${speakOf(service)} ${method} ${gap.reason}; call ${target}${where} instead.`;
}

function listOf(transports: readonly TransportKind[]): string {
  return transports.map((kind) => transportNames[kind]).join(' or ');
}

function checkReplacement(spec: AvailabilitySpec, name: string, gap: Gap, service: string, method: string): void {
  const { method: other, over = [], same_method_over: same = [] } = gap.replacement;
  const [targetService = '', targetMethod = ''] = (other ?? `${service}/${method}`).split('/');
  for (const kind of other === undefined ? same : over) {
    if (spec.services[targetService]?.[targetMethod]?.[kind] === 'served') continue;
    throw new CodegenError(
      `${file}: unserved.${name} names ${targetService}/${targetMethod} over ${kind} as replacement, which is not served there`,
    );
  }
}

/** Every gap must stand for something, so that a fact never outlives its method. */
export function checkGaps(spec: Spec): void {
  const { services, unserved } = spec.availability;
  const used = new Set(
    Object.values(services).flatMap((methods) => Object.values(methods).flatMap((lines) => Object.values(lines))),
  );
  const unused = Object.keys(unserved).find((name) => !used.has(name));
  if (unused) throw new CodegenError(`${file}: unserved.${unused} is named by no method; delete it or name it`);
}
