import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { type ErrorCode, HubError } from '../error.js';
import { createGrpcTransport, listServices } from '../grpc/lazy.js';
import type { TransportOptions } from '../options.js';
import { joinSignals } from '../signals.js';
import type { Transport } from '../transport.js';
import { publicNaming } from './public.js';
import { shownAddress } from '../shown-address.js';

/**
 * Addresses of one node. All are queried concurrently, for each naming: services over reflection, or one small call.
 */
export interface NamingEndpoints extends Omit<TransportOptions, 'address' | 'naming'> {
  readonly grpc?: string | undefined;
  readonly rest?: string | undefined;
  readonly rpc?: string | undefined;
  /** Ends the search, which then fails with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum duration of one search, regardless of the timeout of calls: a lost query can be repeated. */
const maxSearchMs = 5_000;

/**
 * Codes that only a server that does not know the name returns: evidence against the naming, not an endpoint failure.
 */
const unknownName: ReadonlySet<ErrorCode> = new Set(['unimplemented', 'not_served']);

/** Failures to reach an endpoint: another request would fail the same way. */
const withoutAnswer: ReadonlySet<ErrorCode> = new Set(['refused', 'tls', 'unavailable', 'timeout', 'cancelled']);

/** Input of one query: the options of its endpoint, and the signal that ends it. */
type Asked = Omit<TransportOptions, 'naming'> & { readonly signal: AbortSignal };

/**
 * Detects the naming that a node uses, within `timeoutMs`, at most 5 s.
 *
 * @param candidates namings to try; the public network's and the neutral one by default
 * @throws HubError `unimplemented` when no naming matches, and the failure of the endpoint when it cannot be queried
 */
export async function detectNaming(
  endpoints: NamingEndpoints,
  candidates: readonly Naming[] = [publicNaming, identityNaming],
): Promise<Naming> {
  const { grpc, rest, rpc, signal: outer, ...given } = endpoints;
  const over = new AbortController();
  const common = {
    ...given,
    timeoutMs: Math.min(given.timeoutMs ?? maxSearchMs, maxSearchMs),
    signal: joinSignals([outer, over.signal]).signal,
  };
  const questions = [
    ...(grpc === undefined ? [] : [overGrpc({ ...common, address: grpc }, candidates)]),
    ...(rest === undefined ? [] : candidates.map((naming) => byCall('rest', { ...common, address: rest }, naming))),
    ...(rpc === undefined ? [] : candidates.map((naming) => byCall('abci', { ...common, address: rpc }, naming))),
  ];
  try {
    // The first match decides: addresses of one node agree, and a silent one must not delay the others.
    return await Promise.any(questions);
  } catch (error) {
    const failures = (error as AggregateError).errors as readonly unknown[];
    const failure = failures.find((one) => !isUnknownName(one));
    throw (failure as Error | undefined) ?? unknownNaming(grpc ?? rest ?? rpc ?? '', candidates, failures[0]);
  } finally {
    over.abort();
  }
}

function isUnknownName(error: unknown): boolean {
  return error instanceof HubError && unknownName.has(error.code);
}

function unknownNaming(address: string, candidates: readonly Naming[], cause?: unknown): HubError {
  const tried = candidates.map(({ profile }) => profile).join(', ');
  return new HubError({
    code: 'unimplemented',
    message: `the node at ${address ? shownAddress(address) : 'no address'} knows ${queryParams.service} under none of the namings ${tried}; give its profile as \`naming\``,
    address,
    cause,
  });
}

/**
 * Reflection lists all names with one request. A server without it is queried by a call with the names of each
 * candidate.
 */
async function overGrpc(asked: Asked, candidates: readonly Naming[]): Promise<Naming> {
  try {
    return await byReflection(asked, candidates);
  } catch (error) {
    if (error instanceof HubError && withoutAnswer.has(error.code)) throw error;
    return Promise.any(candidates.map((naming) => byCall('grpc', asked, naming))).catch((failed: unknown) => {
      const failures = (failed as AggregateError).errors as readonly unknown[];
      throw failures.find((one) => !isUnknownName(one)) ?? error;
    });
  }
}

async function byReflection(asked: Asked, candidates: readonly Naming[]): Promise<Naming> {
  // Loaded here only: a browser has no gRPC.
  const services = new Set(await listServices(asked));
  const found = candidates.find((naming) => services.has(naming.typeToWire(queryParams.service)));
  if (found === undefined) throw unknownNaming(asked.address, candidates);
  return found;
}

/** Queries the module parameters, a small response that cannot fail, by the names of one candidate. */
async function byCall(kind: Way, { signal, ...asked }: Asked, naming: Naming): Promise<Naming> {
  const transport = await open(kind, { ...asked, naming });
  try {
    await transport.call(queryParams, {}, { signal });
    return naming;
  } finally {
    await transport.close();
  }
}

type Way = 'grpc' | 'rest' | 'abci';

async function open(kind: Way, options: TransportOptions): Promise<Pick<Transport<'grpc'>, 'call' | 'close'>> {
  if (kind === 'grpc') return createGrpcTransport(options);
  if (kind === 'rest') return (await import('../rest/transport.js')).createRestTransport(options);
  return (await import('../abci/transport.js')).createAbciTransport(options);
}
