import { HubError, writeAddress } from '@hubwatch/client';
import type { EndpointConnection } from '@hubwatch/daemon/parts';
import { decodeBinary } from '@hubwatch/types/runtime/binary';

export const chainId = 'hub-bench';
export const startMs = 1_800_000_000_000;
export const watchedNodes = 2_000;

const seed = 12;
const blockMs = 6_000;
const firstHeight = 1_000_000n;
const hourMs = 3_600_000;
const timeoutMs = hourMs;
const intervalMs = 3_300_000;
const leasesOfNode = 2;
/** Shares of nodes that became inactive within the last days, and of nodes whose last heartbeat was before the start. */
const shares = { inactive: 0.02, silent: 0.01 };

export const addressOf = (index: number): string => {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(0, index);
  return writeAddress({ prefix: 'sentnode', bytes });
};

const provider = writeAddress({ prefix: 'sentprov', bytes: new Uint8Array(20) });

/** A deterministic number from 0 to 1, derived from the seed and these numbers. */
const fraction = (...of: readonly number[]): number => {
  let hash = seed;
  for (const part of of) {
    hash = Math.imul(hash ^ part ^ 0x9e_37_79_b9, 0x85_eb_ca_6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
};

const wholeBlocks = (ms: number): number => Math.floor(ms / blockMs) * blockMs;

const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });

interface Lease {
  readonly id: bigint;
  readonly startMs: number;
}

/** Behaviour of one node, starting before the simulation. */
interface Life {
  readonly address: string;
  /** Block time of its last heartbeat before the start; for an inactive node, of its lapse. */
  readonly statusMs: number;
  readonly kind: 'steady' | 'silent' | 'inactive';
  readonly leases: readonly Lease[];
}

const lifeOf = (index: number): Life => {
  const lot = fraction(index, 1);
  const kind = lot < shares.inactive ? 'inactive' : lot < shares.inactive + shares.silent ? 'silent' : 'steady';
  const backMs = kind === 'inactive' ? hourMs + 47 * hourMs * fraction(index, 2) : intervalMs * fraction(index, 2);
  const leases = Array.from({ length: kind === 'inactive' ? 0 : leasesOfNode }, (_, lease) => ({
    id: BigInt(index * leasesOfNode + lease + 1),
    startMs: startMs - blockMs - wholeBlocks(10 * hourMs * fraction(index, 3, lease)),
  }));
  return { address: addressOf(index), statusMs: startMs - blockMs - wholeBlocks(backMs), kind, leases };
};

interface Event {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index: boolean }[];
}

const event = (type: string, values: Readonly<Record<string, string>>): Event => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), index: true })),
});

const lapsesAt = ({ kind, statusMs }: Life, atMs: number): boolean =>
  kind === 'inactive' || (kind === 'silent' && atMs >= statusMs + timeoutMs);

/** Whether a block is the first one at or after an occurrence of a periodic event. */
const isDue = (sinceMs: number, everyMs: number, atMs: number): boolean =>
  atMs > sinceMs && (atMs - sinceMs) % everyMs === 0;

/** Events in a block: heartbeats, paid hours, and nodes that become inactive with their leases. */
const eventsAt = (lives: readonly Life[], atMs: number) => {
  const txs: Event[] = [];
  const begin: Event[] = [];
  for (const life of lives) {
    const { address, kind, statusMs, leases } = life;
    if (kind === 'steady' && isDue(statusMs, intervalMs, atMs))
      txs.push(event('hub.node.v3.EventUpdateStatus', { node_address: address, status: 'active' }));
    const parties = { node_address: address, prov_address: provider };
    if (kind === 'silent' && atMs === statusMs + timeoutMs) {
      for (const { id } of leases) begin.push(event('hub.lease.v1.EventEnd', { lease_id: String(id), ...parties }));
      begin.push(event('hub.node.v3.EventUpdateStatus', { node_address: address, status: 'inactive' }));
    } else if (!lapsesAt(life, atMs))
      for (const lease of leases)
        if (isDue(lease.startMs, hourMs, atMs))
          begin.push(event('hub.lease.v1.EventPay', { lease_id: String(lease.id), ...parties, payment: '10udvpn' }));
  }
  return { txs, begin };
};

interface Timing {
  readonly nowMs: () => number;
  /** Stops the simulated clock until the call has ended. */
  readonly during: <T>(call: () => Promise<T>) => Promise<T>;
}

/**
 * An endpoint of a seeded chain with a given number of nodes. Most nodes renew their status every 55 minutes and have
 * two leases paid by the hour, each at a different time. Some are inactive, and some stop sending and lapse one after
 * the other. Every block contains the corresponding events. Methods that this benchmark does not depend on return an
 * empty message.
 */
export const scriptedNetwork = ({ nowMs, during }: Timing): EndpointConnection => {
  const lives = Array.from({ length: watchedNodes }, (_, index) => lifeOf(index));
  const byAddress = new Map(lives.map((life) => [life.address, life]));
  const height = (): bigint => firstHeight + BigInt(Math.floor((nowMs() - startMs) / blockMs));
  const timeOf = (at: bigint): number => startMs + Number(at - firstHeight) * blockMs;
  const headMs = (): number => timeOf(height());
  const nodeOf = (life: Life): object => {
    const { address, kind, statusMs } = life;
    const base = { address, gigabytePrices: [], hourlyPrices: [], remoteAddrs: [] };
    if (lapsesAt(life, headMs())) {
      const lapsedMs = kind === 'inactive' ? statusMs : statusMs + timeoutMs;
      return { ...base, status: 3, statusAt: time(lapsedMs), inactiveAt: undefined };
    }
    const beatMs = kind === 'silent' ? statusMs : headMs() - ((headMs() - statusMs) % intervalMs);
    return { ...base, status: 1, statusAt: time(beatMs), inactiveAt: time(beatMs + timeoutMs) };
  };
  const leasesOf = (life: Life): readonly object[] =>
    lapsesAt(life, headMs())
      ? []
      : life.leases.map(({ id, startMs: beganMs }) => ({
          id,
          provAddress: provider,
          nodeAddress: life.address,
          price: { denom: 'udvpn', baseValue: '0.000000000000000000', quoteValue: '10' },
          hours: BigInt(Math.floor((headMs() - beganMs) / hourMs) + 1),
          maxHours: 720n,
          renewalPricePolicy: 7,
          startAt: time(beganMs),
          payoutAt: time(beganMs + (Math.floor((headMs() - beganMs) / hourMs) + 1) * hourMs),
          inactiveAt: time(beganMs + 720 * hourMs),
        }));
  const replies: Readonly<Record<string, (life: Life) => object>> = {
    QueryNode: (life) => ({ node: nodeOf(life) }),
    QueryLeasesForNode: (life) => ({ leases: leasesOf(life), pagination: undefined }),
  };
  const rpc: Readonly<Record<string, (request: { readonly height?: bigint }) => unknown>> = {
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
    header: ({ height: at = height() }) => ({ header: { height: at, time: time(timeOf(at)) } }),
    block_results({ height: at = height() }) {
      const { txs, begin } = eventsAt(lives, timeOf(at));
      return {
        height: at,
        txsResults: txs.map((one) => ({ code: 0, events: [one] })),
        beginBlockEvents: begin,
        endBlockEvents: [],
        finalizeBlockEvents: [],
        validatorUpdates: [],
      };
    },
  };
  return {
    grpc: {
      kind: 'grpc',
      address: 'scripted',
      call: (method, request, options) =>
        during(() => {
          const life = byAddress.get((request as { readonly address?: string }).address ?? '');
          const reply = life && replies[method.name]?.(life);
          const message = reply ?? decodeBinary(method.response, new Uint8Array());
          return Promise.resolve({ message: message as never, height: options?.height ?? height() });
        }),
      close: () => Promise.resolve(),
    },
    rpc: {
      call: (method: string, request: unknown) =>
        during(() => {
          const reply = rpc[method];
          if (reply !== undefined) return Promise.resolve(reply(request as { readonly height?: bigint }) as never);
          return Promise.reject(new HubError({ code: 'unimplemented', message: `${method} is not scripted` }));
        }),
    },
    close: () => Promise.resolve(),
  };
};
