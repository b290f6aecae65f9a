import { HubError } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { getLatestBlock } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import type { Config } from '../../config/schema.js';
import { type Endpoint, type QueryTransport, queryTransports } from '../../endpoints/endpoint.js';
import type { ToldHead } from '../../endpoints/head.js';
import type { Listening } from '../../endpoints/pool.js';
import { cachedRead } from '../cached-read.js';
import { type Check, type CollectContext, StarvedError, type Target } from '../check.js';
import { type Datum, datumOf, known, valueOf } from '../datum.js';
import { gauge, info, type Sample, sample } from '../family.js';
import { msOf, secondsOf } from '../times.js';

export interface BlockStatus {
  readonly chainId: string;
  readonly height: bigint;
  readonly time: Timestamp;
  readonly catchingUp: boolean | undefined;
  /** Values that only `status` of the consensus RPC reports. */
  readonly rpc:
    | {
        readonly moniker: string;
        readonly engineVersion: string;
        /** `undefined` if it is not reported, as after a start from a snapshot, and could not be measured. */
        readonly earliestHeight: bigint | undefined;
        readonly earliestTime: Timestamp | undefined;
      }
    | undefined;
}

/** State of one endpoint. An endpoint that is down also gives a reading. Transports that are not configured are `undefined`. */
export interface EndpointReading {
  readonly rpc: Datum<BlockStatus> | undefined;
  readonly grpc: Datum<{ readonly height: bigint | undefined }> | undefined;
  readonly rest: Datum<{ readonly height: bigint | undefined }> | undefined;
  /** Whether blocks arrive over the websocket; `undefined` if it is not used. */
  readonly websocket: Datum<true> | undefined;
  /** Number of consecutive failures to open it while the endpoint responded over other transports. */
  readonly websocketFailures?: number;
  /** From `status`, or from the latest block over gRPC or REST if there is no consensus RPC. */
  readonly block: Datum<BlockStatus>;
  readonly peers: Datum<{ readonly inbound: number; readonly outbound: number }> | undefined;
  readonly mempool: Datum<{ readonly transactions: number; readonly bytes: number }> | undefined;
  /** When every transport was last queried, by the monotonic clock, and the latest block at that time. */
  readonly asked: { readonly atMs: number; readonly height: bigint };
  /** Expected chain id, configured or chosen; `undefined` until it is known. */
  readonly expectedChainId: string | undefined;
}

export interface EndpointTarget extends Target {
  readonly role: string;
}

const configInfo = info(
  'hub_endpoint_config_info',
  ['endpoint', 'role', 'network'],
  'Configured endpoints; the value is always 1',
  'config',
);
const up = gauge(
  'hub_endpoint_up',
  ['endpoint', 'transport'],
  '1 if the transport answered its last probe, else 0; for the websocket, 1 while it delivers new blocks',
  'verdict',
);
const nodeInfo = info(
  'hub_endpoint_info',
  ['endpoint', 'chain_id', 'moniker', 'engine_version'],
  'Identity reported by the endpoint; the value is always 1',
);
const chainIdMatches = gauge(
  'hub_endpoint_chain_id_matches',
  ['endpoint'],
  '1 if the chain id is that of the watched chain',
);
const latestHeight = gauge('hub_endpoint_latest_block_height', ['endpoint'], 'Height of the newest block');
const latestTime = gauge('hub_endpoint_latest_block_timestamp_seconds', ['endpoint'], 'Block time of the newest block');
const earliestHeight = gauge('hub_endpoint_earliest_block_height', ['endpoint'], 'Height of the oldest block');
const earliestTime = gauge(
  'hub_endpoint_earliest_block_timestamp_seconds',
  ['endpoint'],
  'Block time of the oldest block',
);
const catchingUp = gauge(
  'hub_endpoint_catching_up',
  ['endpoint'],
  '1 if the engine reports syncing; 0 does not prove the opposite, check the block time too',
);
const stateHeight = gauge(
  'hub_endpoint_state_height',
  ['endpoint', 'transport'],
  'Height of the state that answered the last probe',
);
const peers = gauge('hub_endpoint_peers', ['endpoint', 'direction'], 'Connected peers');
const mempoolTransactions = gauge(
  'hub_endpoint_mempool_transactions',
  ['endpoint'],
  'Transactions waiting for a block',
);
const mempoolBytes = gauge('hub_endpoint_mempool_bytes', ['endpoint'], 'Size of the waiting transactions');

/** Finds the earliest block of an endpoint whose status reports 0, from its refusal of block 1. */
export const lowestBlock = async (endpoint: Endpoint, signal: AbortSignal): Promise<bigint | undefined> => {
  try {
    await endpoint.rpc('header', { height: 1n }, { signal });
    return undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    return error.lowestHeight;
  }
};

const blockOfRpc = async (endpoint: Endpoint, signal: AbortSignal): Promise<BlockStatus> => {
  const { nodeInfo: node, syncInfo: sync } = await endpoint.rpc('status', {}, { signal });
  if (sync.latestBlockTime === undefined) throw new Error('has no block yet');
  return {
    chainId: node.network,
    height: sync.latestBlockHeight,
    time: sync.latestBlockTime,
    catchingUp: sync.catchingUp,
    rpc: {
      moniker: node.moniker,
      engineVersion: node.version,
      ...(sync.earliestBlockHeight > 0n
        ? { earliestHeight: sync.earliestBlockHeight, earliestTime: sync.earliestBlockTime }
        : { earliestHeight: await lowestBlock(endpoint, signal), earliestTime: undefined }),
    },
  };
};

const blockOfQuery = async (
  endpoint: Endpoint,
  transport: 'grpc' | 'rest',
  signal: AbortSignal,
): Promise<BlockStatus> => {
  const { message } = await endpoint.query(transport, getLatestBlock, {}, { signal });
  const header = message.sdkBlock?.header ?? message.block?.header;
  if (header?.time === undefined) throw new Error('the newest block has no time');
  return { chainId: header.chainId, height: header.height, time: header.time, catchingUp: undefined, rpc: undefined };
};

const probe = (endpoint: Endpoint, transport: 'grpc' | 'rest', signal: AbortSignal) =>
  endpoint.has[transport]
    ? datumOf(endpoint.query(transport, queryParams, {}, { signal }).then(({ height }) => ({ height })))
    : undefined;

const ofRpc = <T>(endpoint: Endpoint, call: () => Promise<T>): Promise<Datum<T>> | undefined =>
  endpoint.has.rpc ? datumOf(call()) : undefined;

/** Maximum time for which a healthy endpoint is assumed to stay healthy without a new request over the same transport. */
const standsMs = 30_000;
/** Maximum number of blocks in that time: older state must not appear to be behind. */
const standsBlocks = 5n;

/**
 * Returns results of the last poll that can be reused: the endpoint was healthy and has followed the chain since. The status
 * needs no request either if a pushed header arrived meanwhile, because it contains the same information.
 */
const standing = (endpoint: Endpoint, { pool, clock, previous, isTimetable }: CollectContext) => {
  const before = previous as EndpointReading | undefined;
  if (before === undefined || isTimetable !== true || pool.standing(endpoint.name) !== 'live') return undefined;
  const ways = [before.rpc, before.grpc, before.rest];
  const block = valueOf(before.rpc);
  if (block === undefined || ways.some((one) => one !== undefined && one.state !== 'known')) return undefined;
  if (clock.monotonicMs() - before.asked.atMs >= standsMs) return undefined;
  const told = pool.told(endpoint.name);
  const isPushed = told !== undefined && told.height > block.height && !told.catchingUp && isNear(before, told.height);
  const status = isPushed ? known({ ...block, height: told.height, time: timeOf(told.timeMs) }) : undefined;
  return { before, status };
};

const isNear = ({ asked }: EndpointReading, height: bigint): boolean => height < asked.height + standsBlocks;

const timeOf = (ms: number): Timestamp => ({
  seconds: BigInt(Math.floor(ms / 1_000)),
  nanos: (ms % 1_000) * 1_000_000,
});

const collect = async (target: EndpointTarget, context: CollectContext): Promise<EndpointReading> => {
  const { pool, clock, signal } = context;
  const endpoint = pool.endpoints.find(({ name }) => name === target.key);
  if (endpoint === undefined) throw new Error(`endpoint ${target.key} is not configured`);
  const stands = standing(endpoint, context);
  const atMs = clock.monotonicMs();
  // The head is reported immediately: another transport of the endpoint may need its whole timeout.
  const status =
    stands?.status === undefined
      ? ofRpc(endpoint, () => blockOfRpc(endpoint, signal))?.then((datum) => {
          if (datum.state === 'known') pool.report(endpoint.name, headOf(datum.value));
          return datum;
        })
      : Promise.resolve(stands.status);
  /** The last reading, if this poll shows that its results are still valid. */
  const kept = (async () => {
    const height = stands && valueOf(await status)?.height;
    if (stands === undefined || height === undefined || !isNear(stands.before, height)) return undefined;
    // Without a new block the state is read again: an endpoint that waits for its upgrade has executed one block less.
    const before = valueOf(stands.before.block)?.height;
    return before !== undefined && height > before ? stands.before : undefined;
  })();
  const stateOver = async (transport: 'grpc' | 'rest') =>
    (await kept)?.[transport] ?? probe(endpoint, transport, signal);
  /** Reads values that change slowly and do not indicate liveness. Not requested while the endpoint reports no head. */
  const seldom = async <T>(what: string, read: () => Promise<T>): Promise<Datum<T> | undefined> => {
    const { other } = context.config.poll;
    const told = await status;
    if (told !== undefined && told.state !== 'known') return told;
    return ofRpc(endpoint, () => cachedRead(context, `${what} of ${endpoint.name}`, other, read));
  };
  const [rpc, grpc, rest, peerCounts, mempool] = await Promise.all([
    status,
    stateOver('grpc'),
    stateOver('rest'),
    seldom('peers', async () => {
      const net = await endpoint.rpc('net_info', {}, { signal });
      const outbound = net.peers.filter((peer) => peer.isOutbound).length;
      return { inbound: net.peers.length - outbound, outbound };
    }),
    seldom('mempool', async () => {
      const waiting = await endpoint.rpc('num_unconfirmed_txs', {}, { signal });
      return { transactions: Number(waiting.total), bytes: Number(waiting.totalBytes) };
    }),
  ]);
  const block = await bestBlock(endpoint, rpc, grpc, rest, signal);
  if (context.isStarved?.() === true) throw new StarvedError();
  const seen = valueOf(block);
  const states = new Map<QueryTransport, bigint>();
  for (const [transport, datum] of [
    ['grpc', grpc],
    ['rest', rest],
  ] as const) {
    const height = valueOf<{ readonly height: bigint | undefined }>(datum)?.height;
    if (height !== undefined) states.set(transport, height);
  }
  // A poll without a status request gives no information about the endpoint's pace.
  if (stands?.status === undefined)
    pool.report(endpoint.name, seen && headOf(seen), downTransports({ grpc, rest, abci: rpc }), states);
  const asked = (await kept)?.asked ?? { atMs, height: seen?.height ?? 0n };
  const listening = pool.listening(endpoint.name);
  const websocket = websocketOf(listening);
  const websocketFailures = listening?.isOn === false ? listening.failures : 0;
  return {
    rpc,
    grpc,
    rest,
    websocket,
    websocketFailures,
    block,
    peers: peerCounts,
    mempool,
    asked,
    expectedChainId: pool.chainId(),
  };
};

const websocketOf = (listening: Listening | undefined): Datum<true> | undefined =>
  listening === undefined || listening.isOn
    ? listening && known(true)
    : { state: 'no_answer', reason: listening.reason, text: listening.text };

const headOf = (block: BlockStatus): ToldHead => ({
  height: block.height,
  timeMs: msOf(block.time),
  catchingUp: block.catchingUp ?? false,
  chainId: block.chainId,
});

const downTransports = (probes: Readonly<Record<QueryTransport, Datum<unknown> | undefined>>): Set<QueryTransport> =>
  new Set(
    queryTransports.filter((transport) => probes[transport] !== undefined && probes[transport].state !== 'known'),
  );

const bestBlock = (
  endpoint: Endpoint,
  rpc: Datum<BlockStatus> | undefined,
  grpc: Datum<unknown> | undefined,
  rest: Datum<unknown> | undefined,
  signal: AbortSignal,
): Datum<BlockStatus> | Promise<Datum<BlockStatus>> => {
  if (rpc?.state === 'known') return known(rpc.value);
  if (grpc?.state === 'known') return datumOf(blockOfQuery(endpoint, 'grpc', signal));
  if (rest?.state === 'known') return datumOf(blockOfQuery(endpoint, 'rest', signal));
  return rpc ?? ((grpc ?? rest) as Datum<BlockStatus>);
};

const metrics = ({ key }: EndpointTarget, reading: EndpointReading): readonly Sample[] => {
  const samples: Sample[] = [];
  const add = (family: Parameters<typeof sample>[0], value: number | undefined, ...labels: string[]): void => {
    if (value !== undefined) samples.push(sample(family, [key, ...labels], value));
  };
  for (const transport of ['grpc', 'rest', 'rpc', 'websocket'] as const) {
    const datum = reading[transport];
    if (datum !== undefined) add(up, datum.state === 'known' ? 1 : 0, transport);
  }
  for (const transport of ['grpc', 'rest'] as const) {
    const height = valueOf<{ readonly height: bigint | undefined }>(reading[transport])?.height;
    if (height !== undefined) add(stateHeight, Number(height), transport);
  }
  const block = valueOf(reading.block);
  if (block !== undefined) {
    add(latestHeight, Number(block.height));
    add(latestTime, secondsOf(block.time));
    if (block.catchingUp !== undefined) add(catchingUp, block.catchingUp ? 1 : 0);
    if (reading.expectedChainId !== undefined) add(chainIdMatches, block.chainId === reading.expectedChainId ? 1 : 0);
    add(nodeInfo, 1, block.chainId, block.rpc?.moniker ?? '', block.rpc?.engineVersion ?? '');
    if (block.rpc?.earliestHeight !== undefined) add(earliestHeight, Number(block.rpc.earliestHeight));
    if (block.rpc?.earliestTime !== undefined) add(earliestTime, secondsOf(block.rpc.earliestTime));
  }
  const peerCounts = valueOf(reading.peers);
  add(peers, peerCounts?.inbound, 'inbound');
  add(peers, peerCounts?.outbound, 'outbound');
  const mempool = valueOf(reading.mempool);
  add(mempoolTransactions, mempool?.transactions);
  add(mempoolBytes, mempool?.bytes);
  return samples;
};

/** Reachability per transport, latest and earliest block, peers and mempool of every endpoint. Reports its head to the pool. */
export const endpointStatus: Check<EndpointTarget, EndpointReading> = {
  name: 'endpoints',
  families: [
    configInfo,
    up,
    nodeInfo,
    chainIdMatches,
    latestHeight,
    latestTime,
    earliestHeight,
    earliestTime,
    catchingUp,
    stateHeight,
    peers,
    mempoolTransactions,
    mempoolBytes,
  ],
  everyMs: (config) => config.poll.endpoints,
  lanes: Number.POSITIVE_INFINITY,
  targets: (config: Config) => config.endpoints.map(({ name, role }) => ({ key: name, role })),
  collect,
  metrics,
  constants: ({ key, role }, config) => [
    sample(configInfo, [key, role, config.network.name ?? config.network.chain_id ?? ''], 1),
  ],
};
