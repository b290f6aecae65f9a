import { HubError, type Transport } from '@hubwatch/client';
import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import type { EndpointConnection } from '../src/endpoints/endpoint.js';

/** An answer of a method: the message, or a function of the request and the height asked for. */
type Reply = unknown;
export type Replies = Record<string, Reply | ((request: never, height: bigint | undefined) => Reply)>;

const transportOf = <K extends TransportKind>(kind: K, replies: Replies, stateHeight: () => bigint): Transport<K> => ({
  kind,
  address: `fake-${kind}`,
  async call(method: AnyMethod, request: unknown, options: { readonly height?: bigint | undefined } = {}) {
    const name = `${method.service}/${method.name}`;
    const reply = replies[name] ?? replies['*'];
    const message =
      typeof reply === 'function' ? (reply as (...args: unknown[]) => unknown)(request, options.height) : reply;
    if (message instanceof Error) throw message;
    if (message === undefined)
      throw new HubError({ code: 'unimplemented', message: `${name} has no reply`, transport: kind });
    return { message: message as never, height: options.height ?? stateHeight() };
  },
  close: () => Promise.resolve(),
});

export interface FakeEndpoint {
  /** Height in the answers of state queries. */
  height: bigint;
  /** Replies of state queries by `service/method`, the same over every transport; an Error is thrown. */
  readonly queries: Replies;
  /** Replies of the consensus RPC by method. */
  readonly rpc: Replies;
  readonly connection: EndpointConnection;
}

/** A connection that answers from two tables; a test changes the tables between polls. */
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
            kind: 'rpc',
            address: 'fake-rpc',
            async call(method: string, params?: unknown) {
              const reply = rpc[method];
              const result = typeof reply === 'function' ? (reply as (params: unknown) => unknown)(params) : reply;
              if (result === undefined)
                throw new HubError({ code: 'refused', message: `${method} refused`, transport: 'rpc' });
              if (result instanceof Error) throw result;
              return result as never;
            },
            close: () => Promise.resolve(),
          }
        : undefined,
      close: () => Promise.resolve(),
    },
  };
  return fake;
};

/** A point in time from milliseconds. */
export const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });

/** Answer of `status` at a head. */
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

/** Answers of a page of a list. */
export const page = (member: string, items: readonly unknown[], nextKey = new Uint8Array()) => ({
  [member]: items,
  pagination: { nextKey, total: 0n },
});
