import { HubError, writeAddress } from '@hubwatch/client';
import type { EndpointConnection } from '@hubwatch/daemon/parts';
import { decodeBinary } from '@hubwatch/types/runtime/binary';

export const chainId = 'hub-bench';
export const startMs = 1_800_000_000_000;
export const watchedNodes = 2_000;

const blockMs = 6_000;
const firstHeight = 1_000_000n;
const timeoutMs = 3_600_000;
const intervalMs = 3_300_000;
const leasesOfNode = 2;

export const addressOf = (index: number): string => {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(0, index);
  return writeAddress({ prefix: 'sentnode', bytes });
};

const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });

interface Timing {
  readonly nowMs: () => number;
  /** Holds the simulated clock until the call has ended. */
  readonly during: <T>(call: () => Promise<T>) => Promise<T>;
}

/**
 * An endpoint of a chain with so many active nodes, each with two leases. Every node renews its status every 55 minutes, at
 * its own moment, so that the readings change all the time. Methods that nothing here depends on get an empty message.
 */
export const scriptedNetwork = ({ nowMs, during }: Timing): EndpointConnection => {
  const indexOf = new Map(Array.from({ length: watchedNodes }, (_, index) => [addressOf(index), index]));
  const height = (): bigint => firstHeight + BigInt(Math.floor((nowMs() - startMs) / blockMs));
  const headMs = (): number => startMs + Number(height() - firstHeight) * blockMs;
  const statusMs = (index: number): number => {
    const offsetMs = (index * intervalMs) / watchedNodes;
    return headMs() - ((headMs() - startMs + offsetMs) % intervalMs);
  };
  const leases = (address: string): object[] => {
    const index = indexOf.get(address) ?? 0;
    return Array.from({ length: leasesOfNode }, (_, lease) => ({
      id: BigInt(index * leasesOfNode + lease + 1),
      provAddress: writeAddress({ prefix: 'sentprov', bytes: new Uint8Array(20) }),
      nodeAddress: address,
      price: { denom: 'udvpn', baseValue: '0.000000000000000000', quoteValue: '10' },
      hours: 10n,
      maxHours: 720n,
      renewalPricePolicy: 7,
      startAt: time(startMs - 36_000_000),
      payoutAt: time(headMs() + 1_800_000),
      inactiveAt: time(startMs + 2_000_000_000),
    }));
  };
  const replies: Readonly<Record<string, (request: { readonly address?: string }) => object>> = {
    QueryNode: ({ address = '' }) => ({
      node: {
        address,
        gigabytePrices: [],
        hourlyPrices: [],
        remoteAddrs: [],
        status: 1,
        statusAt: time(statusMs(indexOf.get(address) ?? 0)),
        inactiveAt: time(statusMs(indexOf.get(address) ?? 0) + timeoutMs),
      },
    }),
    QueryLeasesForNode: ({ address = '' }) => ({ leases: leases(address), pagination: undefined }),
  };
  const rpc: Readonly<Record<string, () => unknown>> = {
    status: () => ({
      nodeInfo: { id: 'n', network: chainId, version: '0.37.16', moniker: 'm', listenAddress: '', txIndex: 'on' },
      syncInfo: {
        latestBlockHash: '',
        latestAppHash: '',
        latestBlockHeight: height(),
        latestBlockTime: time(headMs()),
        earliestBlockHash: '',
        earliestAppHash: '',
        earliestBlockHeight: 1n,
        earliestBlockTime: time(startMs - 1_000_000),
        catchingUp: false,
      },
    }),
  };
  return {
    grpc: {
      kind: 'grpc',
      address: 'scripted',
      call: (method, request, options) =>
        during(() => {
          const reply = replies[method.name]?.(request as { address?: string });
          const message = reply ?? decodeBinary(method.response, new Uint8Array());
          return Promise.resolve({ message: message as never, height: options?.height ?? height() });
        }),
      close: () => Promise.resolve(),
    },
    rpc: {
      call: (method: string) =>
        during(() => {
          const reply = rpc[method];
          if (reply !== undefined) return Promise.resolve(reply() as never);
          return Promise.reject(new HubError({ code: 'unimplemented', message: `${method} is not scripted` }));
        }),
    },
    close: () => Promise.resolve(),
  };
};
