import { seconds } from '../prometheus.js';
import { firstHeight, HubError } from '@hubwatch/client';
import type { Config } from '../../config/schema.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import { indexHas } from '../../endpoints/index-search.js';
import { isExact, lookAtBound, type StateBracket, type StateProbe } from '../../endpoints/state-search.js';
import { utc } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { gauge, type Sample, sample } from '../family.js';
import type { Kept } from '../memory.js';
import { msOf } from '../times.js';
import { boundLossMs, type BoundMove, speedWith } from './bound-speed.js';
import { boundSpeed, lostAt, requiredBlocks, requiredHeight } from './retention.js';

const dayMs = 86_400_000;
const kinds = ['block', 'tx'] as const;
type Kind = (typeof kinds)[number];

export interface BoundsTarget extends Target {
  /** Required number of blocks before the latest block. */
  readonly required: Readonly<Record<Kind, bigint | undefined>>;
  /** Height whose block must remain available. */
  readonly earliest: bigint | undefined;
}

/** Lowest height with an available block, or lowest height in the index. */
export interface Bound {
  readonly lowest: bigint;
  readonly blocksPerSecond: number | undefined;
}

export interface BoundsReading {
  readonly newest: bigint;
  readonly block: Bound | undefined;
  /** `undefined` if there is no index, or if this poll could not determine its bound. */
  readonly tx: Bound | undefined;
  /** Number of queries that the index search used. */
  readonly queries: number;
  /** Daemon's clock at the poll. */
  readonly atMs: number;
}

const lowestIndexed = gauge(
  'hub_endpoint_earliest_indexed_height',
  ['endpoint'],
  'Lowest height that transaction and block searches find; a higher one during a search',
  'slow',
);

interface LookMemory {
  index: StateBracket | undefined;
  readonly moves: Map<Kind, readonly BoundMove[]>;
}

const looks: Kept<LookMemory> = { make: () => ({ index: undefined, moves: new Map() }) };

const probeIndex = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<StateProbe> => {
  try {
    return (await indexHas(endpoint, height, signal)) ? 'held' : 'not_held';
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    return 'unclear';
  }
};

const collect = async (
  target: BoundsTarget,
  { pool, clock, signal, memory: kept }: CollectContext,
): Promise<BoundsReading> => {
  const endpoint = pool.endpoints.find(({ name }) => name === target.key);
  if (endpoint === undefined) throw new Error(`endpoint ${target.key} is not configured`);
  const memory = kept.of(looks, endpoint.name);
  const { nodeInfo, syncInfo } = await endpoint.rpc('status', {}, { signal });
  const newest = syncInfo.latestBlockHeight;
  const timeMs = syncInfo.latestBlockTime === undefined ? undefined : msOf(syncInfo.latestBlockTime);
  const follow = (kind: Kind, lowest: bigint): Bound => {
    if (timeMs === undefined) return { lowest, blocksPerSecond: undefined };
    const { moves, blocksPerSecond } = speedWith(memory.moves.get(kind) ?? [], { timeMs, height: lowest });
    memory.moves.set(kind, moves);
    return { lowest, blocksPerSecond };
  };
  let tx: Bound | undefined;
  let queries = 0;
  // The latest blocks may not be indexed yet, which does not indicate a bound.
  const from = newest - 10n;
  if (nodeInfo.txIndex === 'on' && from > firstHeight) {
    const probe = (height: bigint): Promise<StateProbe> => probeIndex(endpoint, height, signal);
    const found = await lookAtBound(memory.index, firstHeight, from, { probe, random: Math.random });
    queries = found.queries;
    memory.index = found.bracket;
    if (found.stopped !== 'unclear')
      tx = isExact(found.bracket)
        ? follow('tx', found.bracket.held)
        : { lowest: found.bracket.held, blocksPerSecond: undefined };
  }
  // 0 is reported after a restore and has no meaning.
  const lowest = syncInfo.earliestBlockHeight;
  const block = lowest > 0n ? follow('block', lowest) : undefined;
  return { newest, block, tx, queries, atMs: clock.nowMs() };
};

const metrics = ({ key, earliest }: BoundsTarget, reading: BoundsReading): readonly Sample[] => {
  const loss = boundLossMs(earliest, reading.block?.lowest, reading.block?.blocksPerSecond, reading.atMs);
  return [
    ...(reading.tx === undefined ? [] : [sample(lowestIndexed, [key], Number(reading.tx.lowest))]),
    ...kinds.flatMap((kind) => {
      const speed = reading[kind]?.blocksPerSecond;
      return speed === undefined ? [] : [sample(boundSpeed, [key, kind, 'rpc'], speed)];
    }),
    ...(loss === undefined ? [] : [sample(lostAt, [key, 'block', 'rpc'], loss / 1_000)]),
  ];
};

type BoundsRule = CheckRule<BoundsTarget, BoundsReading>;

const speedText = (bound: Bound | undefined): string =>
  bound?.blocksPerSecond === undefined ? '' : ` It moves ${Math.round(bound.blocksPerSecond * 3_600)} blocks an hour.`;

/** Metric of the lowest height of each kind. */
const lowestOf: Readonly<Record<Kind, string>> = {
  block: 'hub_endpoint_earliest_block_height',
  tx: 'hub_endpoint_earliest_indexed_height',
};

/** Fewer available or searchable blocks than required. */
const retentionShort = (kind: Kind, name: string, what: string, advice: string): BoundsRule => ({
  name,
  severity: 'warning',
  forMs: 900_000,
  time: 'clock',
  prometheus: {
    expr: `hub_endpoint_latest_block_height - ${lowestOf[kind]}
  < ignoring (kind) hub_endpoint_required_blocks{kind="${kind}"}
and ${lowestOf[kind]} > ${firstHeight}`,
    labels: ['endpoint'],
    summary: `{{ $labels.endpoint }}: keeps ${what} for only the last {{ $value | printf "%.0f" }} heights`,
    description: `Queries about earlier heights fail. \`hub_endpoint_required_blocks\` shows the required number. ${advice}`,
  },
  judge({ key, required }, reading) {
    const base = { subject: key, term: '' };
    const needed = required[kind];
    if (needed === undefined)
      return { ...base, state: 'ok', title: `${key}: no depth of ${what} is required`, text: '' };
    const bound = reading[kind];
    if (bound === undefined)
      return { ...base, state: 'unknown', title: `${key}: its lowest of ${what} is not known`, text: '' };
    const held = reading.newest - bound.lowest;
    // A chain shorter than the requirement has all its blocks.
    if (held >= needed || bound.lowest <= firstHeight)
      return { ...base, state: 'ok', title: `${key}: holds enough ${what}`, text: '' };
    return {
      ...base,
      state: 'firing',
      title: `${key}: holds ${what} ${held} deep where ${needed} are required`,
      text: `The lowest is ${bound.lowest}, the newest ${reading.newest}.${speedText(bound)} ${advice}`,
    };
  },
});

/** The block at a required height is gone, or will be gone within a day. */
const blockLost: BoundsRule = {
  name: 'HubBlockLost',
  severity: 'critical',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `hub_endpoint_earliest_block_height > ignoring (kind) hub_endpoint_required_earliest_height{kind="block"}
  or min without (transport, kind) (hub_endpoint_required_height_loss_timestamp_seconds{kind="block"} - time() < ${seconds(dayMs)})`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the block at the required height is gone, or will be within a day',
    description:
      'Pruned blocks cannot be restored. Stop the node and check `min-retain-blocks`. `hub_endpoint_earliest_block_height` shows its lowest block.',
  },
  judge({ key, earliest }, { block, atMs }) {
    const base = { subject: key, term: '' };
    if (earliest === undefined) return { ...base, state: 'ok', title: `${key}: no block is required`, text: '' };
    if (block === undefined)
      return { ...base, state: 'unknown', title: `${key}: its lowest block is not known`, text: '' };
    if (block.lowest > earliest)
      return {
        ...base,
        state: 'firing',
        title: `${key}: the block of the required height ${earliest} is lost`,
        text: `Its lowest block is ${block.lowest}.${speedText(block)}`,
      };
    const lossMs = boundLossMs(earliest, block.lowest, block.blocksPerSecond, atMs);
    if (lossMs === undefined || lossMs >= atMs + dayMs)
      return { ...base, state: 'ok', title: `${key}: holds the block of the required height ${earliest}`, text: '' };
    return {
      ...base,
      state: 'firing',
      title: `${key}: the block of the required height ${earliest} is lost at ${utc(lossMs)}`,
      text: `This time is an estimate from the current pace of pruning.${speedText(block)} Its lowest block is ${block.lowest}.`,
    };
  },
};

const greatest = (depths: readonly number[]): bigint | undefined =>
  depths.length === 0 ? undefined : BigInt(Math.max(...depths));

/**
 * Lowest block and lowest indexed height of every endpoint with a consensus RPC, their rate of change, and the required depths.
 */
export const historyBounds: Check<BoundsTarget, BoundsReading> = {
  name: 'bounds',
  families: [lowestIndexed],
  everyMs: (config) => config.poll.network,
  targets: (config: Config) =>
    config.endpoints.flatMap(({ name, rpc, require }) =>
      rpc === undefined
        ? []
        : [
            {
              key: name,
              required: { block: greatest(require.block_depths), tx: greatest(require.tx_depths) },
              earliest: require.earliest_height === undefined ? undefined : BigInt(require.earliest_height),
            },
          ],
    ),
  collect,
  metrics,
  constants: ({ key, required, earliest }) => [
    ...kinds.flatMap((kind) =>
      required[kind] === undefined ? [] : [sample(requiredBlocks, [key, kind], Number(required[kind]))],
    ),
    ...(earliest === undefined ? [] : [sample(requiredHeight, [key, 'block'], Number(earliest))]),
  ],
  rules: [
    retentionShort(
      'block',
      'HubBlockRetentionShort',
      'blocks',
      'Raise `min-retain-blocks` of that node, or ask another.',
    ),
    retentionShort(
      'tx',
      'HubTxRetentionShort',
      'searchable transactions',
      'An index is not filled afterwards: what lies before its start is found on another node.',
    ),
    blockLost,
  ],
};
