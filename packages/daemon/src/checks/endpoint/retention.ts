import { seconds } from '../prometheus.js';
import { firstHeight, HubError } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Config } from '../../config/schema.js';
import { type Endpoint, type QueryTransport, queryTransports } from '../../endpoints/endpoint.js';
import type { TrustedPool } from '../../endpoints/pool.js';
import { probeState } from '../../endpoints/state-probe.js';
import { isExact, lookAtBound, type StateBracket, type StateProbe } from '../../endpoints/state-search.js';
import { counted, utc } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { datumOf, valueOf } from '../datum.js';
import { gauge, type Sample, sample } from '../family.js';
import type { Kept } from '../memory.js';
import { msOf } from '../times.js';
import type { Verdict } from '../verdict.js';
import { boundLossMs, type BoundMove, speedWith } from './bound-speed.js';

const dayMs = 86_400_000;

export interface RetentionTarget extends Target {
  /** Number of blocks before the head at which state must be available. */
  readonly depths: readonly bigint[];
  /** Height whose state must remain available. */
  readonly earliest: bigint | undefined;
}

/** History that is available over one transport. */
export interface TransportRetention {
  readonly transport: 'grpc' | 'rest' | 'rpc';
  /** Latest state, from which the search started. */
  readonly newest: bigint;
  /** `undefined` if it could not be determined in this poll. */
  readonly bracket: StateBracket | undefined;
  readonly queries: number;
  readonly depths: ReadonlyMap<bigint, StateProbe>;
  /** Blocks per second of chain time by which the bound moved, over up to one day; `undefined` until it moved. */
  readonly blocksPerSecond: number | undefined;
  /** Block time of the lowest state, in milliseconds; `undefined` if its block is not available or the bound is not exact. */
  readonly boundMs?: number | undefined;
}

export interface RetentionReading {
  readonly transports: readonly TransportRetention[];
  /** Daemon's clock at the poll. */
  readonly atMs: number;
}

const lowest = gauge(
  'hub_endpoint_earliest_state_height',
  ['endpoint', 'transport'],
  'Lowest height with a retained state; a higher one during a search',
  'slow',
);
const probedAt = gauge(
  'hub_endpoint_state_probe_timestamp_seconds',
  ['endpoint', 'transport'],
  'When the lowest state was last found or confirmed to the block',
  'slow',
);
const available = gauge(
  'hub_endpoint_state_available',
  ['endpoint', 'transport', 'depth'],
  '1 if the state at this number of blocks below the newest is retained, 0 if it is not',
);
const boundTime = gauge(
  'hub_endpoint_earliest_state_timestamp_seconds',
  ['endpoint', 'transport'],
  'Block time of the lowest state; absent if its block is not retained',
  'slow',
);
export const boundSpeed = gauge(
  'hub_endpoint_bound_speed_blocks_per_second',
  ['endpoint', 'kind', 'transport'],
  'Blocks per second of chain time by which the lowest block, state or indexed block moves; absent until it has moved',
  'slow',
);
export const requiredBlocks = gauge(
  'hub_endpoint_required_blocks',
  ['endpoint', 'kind'],
  'Configured number of blocks below the head that must be retained',
  'config',
);
export const requiredHeight = gauge(
  'hub_endpoint_required_earliest_height',
  ['endpoint', 'kind'],
  'Configured height that must be retained',
  'config',
);
export const lostAt = gauge(
  'hub_endpoint_required_height_loss_timestamp_seconds',
  ['endpoint', 'kind', 'transport'],
  'When the required height will be pruned at the current pace; absent while the bound does not move',
  'slow',
);

/** State between two searches. */
interface LookMemory {
  readonly brackets: Map<QueryTransport, StateBracket>;
  readonly moves: Map<QueryTransport, readonly BoundMove[]>;
  /** Block time of the lowest state that was requested last. */
  readonly times: Map<bigint, number | undefined>;
}

const kept: Kept<LookMemory> = { make: () => ({ brackets: new Map(), moves: new Map(), times: new Map() }) };

/**
 * Reads the latest state that a transport serves; over the consensus RPC the block store may be one block ahead. The head in
 * the pool may be some blocks old, but a required depth is counted from the latest state.
 */
const newestState = async (
  pool: TrustedPool,
  endpoint: Endpoint,
  transport: QueryTransport,
  { depths }: RetentionTarget,
  signal: AbortSignal,
): Promise<bigint | undefined> => {
  const { name } = endpoint;
  const told = pool.states(name).get(transport);
  if (transport === 'abci') {
    const block = pool.told(name)?.height;
    return told ?? (block === undefined ? undefined : block - 1n);
  }
  if (depths.length === 0) return told;
  const asked = await datumOf(endpoint.query(transport, queryParams, {}, { signal }));
  return valueOf(asked)?.height ?? told;
};

/** Speed of the bound; `undefined` for a bound that is not exact. */
const speedOf = (memory: LookMemory, transport: QueryTransport, bracket: StateBracket, timeMs: number | undefined) => {
  if (timeMs === undefined || !isExact(bracket)) return undefined;
  const { moves, blocksPerSecond } = speedWith(memory.moves.get(transport) ?? [], { timeMs, height: bracket.held });
  memory.moves.set(transport, moves);
  return blocksPerSecond;
};

/** Block time of the lowest state while its block is available; read once for each bound. */
const timeOf = async (endpoint: Endpoint, memory: LookMemory, height: bigint, signal: AbortSignal) => {
  if (memory.times.has(height)) return memory.times.get(height);
  if (!endpoint.has.rpc) return undefined;
  try {
    const { header } = await endpoint.rpc('header', { height }, { signal });
    const timeMs = header?.time === undefined ? undefined : msOf(header.time);
    memory.times.clear();
    memory.times.set(height, timeMs);
    return timeMs;
  } catch (error) {
    // A pruned block no longer has a time. A request without a response is repeated later.
    if (signal.aborted || !(error instanceof HubError)) throw error;
    if (error.code === 'height_not_retained') memory.times.set(height, undefined);
    return undefined;
  }
};

const collect = async (target: RetentionTarget, context: CollectContext): Promise<RetentionReading> => {
  const { pool, clock, signal } = context;
  const endpoint = pool.endpoints.find(({ name }) => name === target.key);
  if (endpoint === undefined) throw new Error(`endpoint ${target.key} is not configured`);
  const memory = context.memory.of(kept, endpoint.name);
  const transports: TransportRetention[] = [];
  // One after the other: all transports lead to the same node, so a result found over one only needs confirmation over the
  // next.
  for (const transport of queryTransports.filter((one) => endpoint.has[one])) {
    const newest = await newestState(pool, endpoint, transport, target, signal);
    if (newest === undefined || newest <= firstHeight) continue;
    const probe = (height: bigint): Promise<StateProbe> => probeState(endpoint, transport, height, signal);
    const known = memory.brackets.get(transport) ?? [...memory.brackets.values()].find(isExact);
    const found = await lookAtBound(known, firstHeight, newest, { probe, random: Math.random });
    memory.brackets.set(transport, found.bracket);
    const depths = new Map<bigint, StateProbe>();
    for (const depth of target.depths)
      if (newest - depth >= firstHeight) depths.set(depth, await probe(newest - depth));
    const bracket = found.stopped === 'unclear' ? undefined : found.bracket;
    transports.push({
      transport: transport === 'abci' ? 'rpc' : transport,
      newest,
      bracket,
      queries: found.queries,
      depths,
      blocksPerSecond: bracket && speedOf(memory, transport, bracket, pool.told(endpoint.name)?.timeMs),
      boundMs: bracket && isExact(bracket) ? await timeOf(endpoint, memory, bracket.held, signal) : undefined,
    });
  }
  if (transports.length === 0) throw new Error('no transport reported the height of its state');
  return { transports, atMs: clock.nowMs() };
};

/** When the state of a required height is lost, in milliseconds; `undefined` if this cannot be predicted. */
export const lossMs = (
  earliest: bigint | undefined,
  { bracket, blocksPerSecond }: TransportRetention,
  atMs: number,
): number | undefined => boundLossMs(earliest, bracket?.held, blocksPerSecond, atMs);

const metrics = ({ key, earliest }: RetentionTarget, { transports, atMs }: RetentionReading): readonly Sample[] =>
  transports.flatMap((one) => {
    const labels = [key, one.transport];
    const loss = lossMs(earliest, one, atMs);
    return [
      ...(one.bracket === undefined ? [] : [sample(lowest, labels, Number(one.bracket.held))]),
      ...(one.bracket !== undefined && isExact(one.bracket) ? [sample(probedAt, labels, atMs / 1_000)] : []),
      ...[...one.depths].flatMap(([depth, state]) =>
        state === 'unclear' ? [] : sample(available, [...labels, String(depth)], state === 'held' ? 1 : 0),
      ),
      ...(one.boundMs === undefined ? [] : [sample(boundTime, labels, one.boundMs / 1_000)]),
      ...(one.blocksPerSecond === undefined
        ? []
        : [sample(boundSpeed, [key, 'state', one.transport], one.blocksPerSecond)]),
      ...(loss === undefined ? [] : [sample(lostAt, [key, 'state', one.transport], loss / 1_000)]),
    ];
  });

type RetentionRule = CheckRule<RetentionTarget, RetentionReading>;

/** The state at a required depth is not available. */
const statePruned: RetentionRule = {
  name: 'HubStatePruned',
  severity: 'critical',
  forMs: 300_000,
  time: 'clock',
  prometheus: {
    expr: 'min without (transport, depth) (hub_endpoint_state_available) == 0',
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the state at a required depth is missing',
    description:
      'Queries about these heights fail. `hub_endpoint_state_available` shows which depth is missing. Keep more states on that node, or query another one.',
  },
  judge({ key, depths }, { transports }): Verdict {
    const base = { subject: key, term: '' };
    const missing = transports.flatMap(({ transport, depths: found }) =>
      [...found].flatMap(([depth, state]) => (state === 'not_held' ? `${depth} over ${transport}` : [])),
    );
    if (missing.length > 0)
      return {
        ...base,
        state: 'firing',
        title: `${key}: state of ${missing.length === 1 ? 'a required depth' : 'required depths'} is not held`,
        text: `Not held, in blocks before the newest: ${missing.join(', ')}.\n${boundText(transports)}`,
      };
    const isKnown = transports.every(({ depths: found }) => [...found.values()].every((state) => state === 'held'));
    if (!isKnown)
      return { ...base, state: 'unknown', title: `${key}: not every required depth was answered`, text: '' };
    return { ...base, state: 'ok', title: `${key}: holds every required state`, text: counted(depths.length, 'depth') };
  },
};

/** A required height is lost, or will be lost within a day. */
const heightLost: RetentionRule = {
  name: 'HubArchiveLost',
  severity: 'critical',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `max without (transport) (
    hub_endpoint_earliest_state_height
      > ignoring (transport, kind) group_left () hub_endpoint_required_earliest_height{kind="state"}
    and hub_endpoint_state_probe_timestamp_seconds
  )
  or min without (transport, kind) (hub_endpoint_required_height_loss_timestamp_seconds{kind="state"} - time() < ${seconds(dayMs)})`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the state at the required height is gone, or will be within a day',
    description:
      'Pruned states cannot be restored. Stop the node and check its pruning settings. `hub_endpoint_earliest_state_height` shows its lowest state.',
    difference:
      'Prometheus ignores a lowest height until the search for it is complete. The daemon also uses one that is confirmed but not yet known to the exact block.',
  },
  judge({ key, earliest }, { transports, atMs }): Verdict {
    const base = { subject: key, term: '' };
    if (earliest === undefined) return { ...base, state: 'ok', title: `${key}: no height is required`, text: '' };
    // A refusal above it may concern a state that an upgrade skipped.
    const lost = transports.find(({ bracket }) => bracket?.isConfirmed === true && bracket.notHeld >= earliest);
    const losses = transports.map((one) => lossMs(earliest, one, atMs) ?? Number.POSITIVE_INFINITY);
    const soonMs = Math.min(...losses);
    if (lost !== undefined)
      return {
        ...base,
        state: 'firing',
        title: `${key}: state of the required height ${earliest} is lost`,
        text: boundText(transports),
      };
    if (soonMs < atMs + dayMs)
      return {
        ...base,
        state: 'firing',
        title: `${key}: state of the required height ${earliest} is lost at ${utc(soonMs)}`,
        text: `This time is an estimate from the current pace of pruning.\n${boundText(transports)}`,
      };
    const isKnown = transports.every(({ bracket }) => bracket !== undefined && bracket.held <= earliest);
    return {
      ...base,
      state: isKnown ? 'ok' : 'unknown',
      title: `${key}: holds the required height ${earliest}`,
      text: '',
    };
  },
};

const boundText = (transports: readonly TransportRetention[]): string =>
  transports
    .map(({ transport, bracket, newest, blocksPerSecond }) => {
      if (bracket === undefined) return `- ${transport}: its lowest state is not known at the moment`;
      const about = isExact(bracket) ? '' : 'at or below ';
      const speed =
        blocksPerSecond === undefined ? '' : `, moving ${Math.round(blocksPerSecond * 3_600)} blocks an hour`;
      return `- ${transport}: lowest state ${about}${bracket.held}, ${newest - bracket.held} before its newest${speed}`;
    })
    .join('\n');

/** History that an endpoint actually serves: the lowest state over each transport, and the required depths. */
export const retention: Check<RetentionTarget, RetentionReading> = {
  name: 'retention',
  families: [lowest, boundTime, probedAt, available, boundSpeed, requiredBlocks, requiredHeight, lostAt],
  // Without a requirement no loss can occur, and rare polls are enough.
  everyMs: ({ endpoints, poll }) =>
    endpoints.some(({ require }) => require.state_depths.length > 0 || require.earliest_height !== undefined)
      ? poll.other
      : poll.network,
  targets: (config: Config) =>
    config.endpoints.map(({ name, require }) => ({
      key: name,
      depths: require.state_depths.map(BigInt),
      earliest: require.earliest_height === undefined ? undefined : BigInt(require.earliest_height),
    })),
  collect,
  metrics,
  constants: ({ key, depths, earliest }) => [
    ...(depths.length === 0
      ? []
      : [
          sample(
            requiredBlocks,
            [key, 'state'],
            depths.reduce((top, one) => Math.max(top, Number(one)), 0),
          ),
        ]),
    ...(earliest === undefined ? [] : [sample(requiredHeight, [key, 'state'], Number(earliest))]),
  ],
  rules: [statePruned, heightLost],
};
