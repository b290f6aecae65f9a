import { HubError, type Transport } from '@hubwatch/client';
import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import type { EndpointConnection } from '../src/endpoints/endpoint.js';

/** Replies by method: a message, an Error to throw, or a function of request and height that returns one of them. */
export type Replies = Record<string, unknown>;

/** The reply for a call from the table; `missing` is the failure of a method that is not in it. */
const replyOf = (reply: unknown, missing: Error, ...args: readonly unknown[]): Promise<never> => {
  const result = typeof reply === 'function' ? (reply as (...all: readonly unknown[]) => unknown)(...args) : reply;
  if (result === undefined) return Promise.reject(missing);
  return result instanceof Error ? Promise.reject(result) : Promise.resolve(result as never);
};

const transportOf = <K extends TransportKind>(kind: K, replies: Replies, stateHeight: () => bigint): Transport<K> => ({
  kind,
  address: `fake-${kind}`,
  async call(method: AnyMethod, request: unknown, options: { readonly height?: bigint | undefined } = {}) {
    const name = `${method.service}/${method.name}`;
    const missing = new HubError({ code: 'unimplemented', message: `${name} has no reply`, transport: kind });
    const message = await replyOf(replies[name] ?? replies['*'], missing, request, options.height);
    return { message, height: options.height ?? stateHeight() };
  },
  close: () => Promise.resolve(),
});

export interface FakeEndpoint {
  /** Height in the responses of state queries. */
  height: bigint;
  /** Replies of state queries by `service/method`, the same over every transport; an Error is thrown. */
  readonly queries: Replies;
  /** Replies of the consensus RPC by method. */
  readonly rpc: Replies;
  readonly connection: EndpointConnection;
}

/** A connection that responds from two tables; a test changes the tables between polls. */
export const fakeEndpoint = (kinds: readonly ('grpc' | 'rest' | 'abci' | 'rpc')[] = ['grpc']): FakeEndpoint => {
  const queries: Replies = {};
  const rpc: Replies = {};
  const at = (): bigint => fake.height;
  const fake: FakeEndpoint = {
    height: 100n,
    queries,
    rpc,
    connection: {
      grpc: kinds.includes('grpc') ? transportOf('grpc', queries, at) : undefined,
      rest: kinds.includes('rest') ? transportOf('rest', queries, at) : undefined,
      abci: kinds.includes('abci') ? transportOf('abci', queries, at) : undefined,
      rpc: kinds.includes('rpc')
        ? {
            call: (method: string, params?: unknown) =>
              replyOf(
                rpc[method],
                new HubError({ code: 'refused', message: `${method} refused`, transport: 'rpc' }),
                params,
              ),
          }
        : undefined,
      close: () => Promise.resolve(),
    },
  };
  return fake;
};

/** Converts milliseconds to a timestamp. */
export const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });

/** Response of `status` at a head. */
export const statusResult = (height: bigint, timeMs: number, chainId = 'hub-test', catchingUp = false) => ({
  nodeInfo: { id: 'n', network: chainId, version: '0.37.16', moniker: 'm', listenAddress: '', txIndex: 'on' },
  syncInfo: {
    latestBlockHash: '',
    latestAppHash: '',
    latestBlockHeight: height,
    latestBlockTime: time(timeMs),
    earliestBlockHash: '',
    earliestAppHash: '',
    earliestBlockHeight: 1n,
    earliestBlockTime: time(timeMs - 1_000_000),
    catchingUp,
  },
});

/** Response with a page of a list. */
export const page = (member: string, items: readonly unknown[], nextKey = new Uint8Array()) => ({
  [member]: items,
  pagination: { nextKey, total: 0n },
});

/** Parameters of the chain's session module. */
export const sessionParams = { statusTimeout: { seconds: 7_200n, nanos: 0 }, stakingShare: '0.2' };

const hourMs = 3_600_000;

/**
 * A session for a node as the chain returns it. By default it is active, has one gigabyte at 10udvpn, and was never updated.
 */
export const nodeSession = (id: bigint, facts: object = {}, price: object = {}) => ({
  typeUrl: '/hub.node.v3.Session',
  value: {
    baseSession: { ...baseSession(id), ...facts },
    price: { denom: 'udvpn', baseValue: '0.000000000000000000', quoteValue: '10', ...price },
  },
});

/** A session that uses the allocation of an account. */
export const subscriptionSession = (id: bigint, subscriptionId: bigint, facts: object = {}) => ({
  typeUrl: '/hub.subscription.v3.Session',
  value: { baseSession: { ...baseSession(id), ...facts }, subscriptionId },
});

const baseSession = (id: bigint) => ({
  id,
  accAddress: 'sent1a',
  nodeAddress: 'sentnode1a',
  downloadBytes: '0',
  uploadBytes: '0',
  maxBytes: '1000000000',
  duration: { seconds: 0n, nanos: 0 },
  maxDuration: { seconds: 0n, nanos: 0 },
  status: 1,
  startAt: time(0),
  statusAt: time(0),
  inactiveAt: time(2 * hourMs),
});
