import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DescMethod } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

import { link, type Linked } from '../load/link.js';
import type { AvailabilitySpec, NamingSpec, SpecTransport } from '../load/spec-types.js';
import { parseYaml } from '../load/yaml-file.js';
import { availabilityOf } from '../model/availability.js';
import { restRules } from '../model/build-services.js';
import { renamer } from '../naming/rename.js';
import type { Project } from '../project/project.js';
import { GrpcSession, GrpcStatusError } from '../pull/grpc-session.js';
import { neutralDescriptors } from '../pull/pull-descriptors.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { pathOfPart, readPart } from '../pull/seeds.js';
import { UnreachableError } from '../unreachable-error.js';
import type { Drift } from './drifted-line.js';
import { ownValue } from '../own-value.js';

/** Result of calling methods that only read. */
export interface CalledMethods {
  /** Number of called pairs of method and transport. */
  readonly calls: number;
  /** Methods that were not called: streams, and those without a GET route, which may do more than read. */
  readonly notAsked: number;
  /** Pairs without a response, whose state is unknown: `hub.node.v3.QueryService/QueryNodes over gRPC: …`. */
  readonly noAnswer: readonly string[];
  readonly drifts: readonly Drift[];
}

export interface DriftCallOptions {
  /** Address of the gRPC server. */
  readonly grpc: string;
  /** Address of the gateway; its routes are called too. */
  readonly rest?: string | undefined;
  readonly naming: NamingSpec | undefined;
}

type Seen = 'implemented' | 'unimplemented' | { readonly noAnswer: string };

/** Number of concurrent calls: low enough not to load a node. */
const atOnce = 4;
const timeoutMs = 10_000;
/**
 * gRPC statuses without information about the method: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
 */
const noAnswers: ReadonlySet<number> = new Set([1, 4, 8, 14]);
const unimplemented = 12;

/**
 * Calls each method that only reads, with an empty request (lists: at most one record). Compares whether it is
 * implemented with the availability in the spec. A refusal of the empty request proves that the method exists.
 */
export async function driftOfCalls(
  project: Project,
  pulled: PulledFiles,
  options: DriftCallOptions,
): Promise<CalledMethods> {
  const { naming, rest } = options;
  const { set, services } = neutralDescriptors(pulled, naming);
  const linked = link(set);
  const spec = await readPart<AvailabilitySpec>(project, 'availability');
  if (spec === undefined) return { calls: 0, notAsked: 0, noAnswer: [], drifts: [] };
  const methods = services.flatMap((name) => linked.registry.getService(name)?.methods ?? []);
  const reads = methods.filter((method) => method.methodKind === 'unary' && getRoute(method, linked) !== undefined);
  const session = new GrpcSession(options.grpc);
  try {
    const ask: Partial<Record<SpecTransport, (method: DescMethod) => Promise<Seen>>> = {
      grpc: (method) => askGrpc(session, method, naming),
      ...(rest !== undefined && { rest: (method) => askRest(rest, getRoute(method, linked) ?? '', naming) }),
    };
    const pairs = reads.flatMap((method) =>
      (['grpc', 'rest'] as const).flatMap((transport) => {
        const expected = expectedOf(spec, method, transport);
        return ask[transport] === undefined || expected === undefined ? [] : [{ method, transport, expected }];
      }),
    );
    const noAnswer: string[] = [];
    const drifts: Drift[] = [];
    const place = placesOf(project);
    await inTurns(pairs, async ({ method, transport, expected }) => {
      const seen = await (ask[transport] as (method: DescMethod) => Promise<Seen>)(method);
      const name = `${method.parent.typeName}/${method.name} over ${transport === 'grpc' ? 'gRPC' : 'REST'}`;
      if (typeof seen === 'object') noAnswer.push(`${name}: ${seen.noAnswer}`);
      else if (seen !== expected) {
        const line = place(method, transport);
        drifts.push({ line, what: `the node has ${name} ${seen}, the spec says ${lineOf(spec, method, transport)}` });
      }
    });
    drifts.sort((a, b) => (a.what < b.what ? -1 : 1));
    return { calls: pairs.length, notAsked: methods.length - reads.length, noAnswer: noAnswer.sort(), drifts };
  } finally {
    session.close();
  }
}

/** Expected result of a call; `undefined` if the spec defines none, such as for a route that another one hides. */
function expectedOf(spec: AvailabilitySpec, method: DescMethod, transport: SpecTransport): Seen | undefined {
  const declared = { service: method.parent.typeName, method: method.name, hasRule: true, isStream: false };
  const availability = availabilityOf(spec, declared)[transport];
  if (availability.served) return 'implemented';
  return availability.kind === 'unimplemented' || availability.kind === 'not_mounted' ? 'unimplemented' : undefined;
}

function lineOf(spec: AvailabilitySpec, { parent, name }: DescMethod, transport: SpecTransport): string {
  return (
    ownValue(ownValue(spec.services, parent.typeName), name)?.[transport] ?? spec.defaults?.[transport] ?? 'nothing'
  );
}

function placesOf(project: Project): (method: DescMethod, transport: SpecTransport) => string {
  const path = pathOfPart(project, 'availability') ?? '';
  const file = parseYaml(path, readFileSync(join(project.folder, path), 'utf8'));
  return ({ parent, name }, transport) => file.place(['services', parent.typeName, name, transport]);
}

function getRoute(method: DescMethod, linked: Linked): string | undefined {
  return restRules(method, linked).find(({ verb }) => verb === 'GET')?.path;
}

async function askGrpc(session: GrpcSession, method: DescMethod, naming: NamingSpec | undefined): Promise<Seen> {
  const toWire = naming ? renamer(naming, 'type') : (name: string) => name;
  try {
    await session.unary(`/${toWire(method.parent.typeName)}/${method.name}`, requestOf(method));
    return 'implemented';
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    if (!(error instanceof GrpcStatusError) || noAnswers.has(error.code)) return { noAnswer: error.message };
    return error.code === unimplemented ? 'unimplemented' : 'implemented';
  }
}

/** Requests at most one record of a list. */
function requestOf(method: DescMethod): Uint8Array {
  const page = method.input.fields.find(({ message }) => message?.name === 'PageRequest');
  const limit = page?.message?.fields.find(({ name }) => name === 'limit');
  if (page === undefined || limit === undefined) return new Uint8Array();
  const writer = new BinaryWriter().tag(page.number, WireType.LengthDelimited).fork();
  return writer.tag(limit.number, WireType.Varint).uint64(1).join().finish();
}

async function askRest(address: string, route: string, naming: NamingSpec | undefined): Promise<Seen> {
  const toWire = naming ? renamer(naming, 'route') : (path: string) => path;
  // A number is also valid as text, so that the route matches any type of parameter.
  const path = toWire(route).replace(/\{[^}]*\}/g, '1');
  const url = `${address.replace(/\/$/, '')}${path}?pagination.limit=1`;
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    const { status, body } = await fetch(url, { signal: given.signal });
    await body?.cancel();
    if (status === 501) return 'unimplemented';
    return status === 429 || status > 501 ? { noAnswer: `HTTP status ${status}` } : 'implemented';
  } catch (error) {
    const { message, cause } = error as Error;
    return { noAnswer: cause instanceof Error ? cause.message : message };
  } finally {
    clearTimeout(timer);
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
