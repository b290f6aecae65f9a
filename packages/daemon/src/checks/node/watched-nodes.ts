import { HubError } from '@hubwatch/client';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { Config } from '../../config/schema.js';
import type { Check, Moment, Target } from '../check.js';
import { shortText, shortTexts } from '../../enum-text.js';
import { counter, gauge, info, type Sample, sample, stateSamples, stateset } from '../family.js';
import { isFollowed } from '../followed.js';
import { assumedIntervalMs, usualTimeoutMs, learnedIntervalMs } from './heartbeat-interval.js';
import { msOf, secondsOf } from '../times.js';
import { type NodeChanges, noteNode } from './node-changes.js';
import { type NodeParameters, readNodeParameters } from './node-parameters.js';
import { type PriceMinimums, refusedPrices } from './price-minimums.js';

export interface NodeTarget extends Target {
  /** Display name: the alias, or the address. */
  readonly title: string;
  readonly alias: string;
}

export interface NodeReading {
  /** `undefined` if the chain has no such node. */
  readonly node: Node | undefined;
  readonly height: bigint | undefined;
  /** Usual interval between heartbeats, and whether it was measured or assumed. */
  readonly intervalMs: number;
  readonly intervalLearned: boolean;
  /**
   * Time from a heartbeat until the node becomes inactive; `undefined` while neither its record nor the parameters contain it.
   */
  readonly timeoutMs?: number | undefined;
  /** Latest heartbeat that was seen, block time in milliseconds; kept while the node is inactive. */
  readonly lastBeatMs?: number | undefined;
  /** Changes of its record; absent while the chain has none. */
  readonly changes?: NodeChanges | undefined;
  /** Minimum prices that apply to an update; `undefined` if they could not be read. */
  readonly minimums?: PriceMinimums | undefined;
}

const configInfo = info('hub_node_config_info', ['node', 'alias'], 'Watched nodes; the value is always 1', 'config');
const registered = gauge(
  'hub_node_registered',
  ['node'],
  '1 if the chain has the node, 0 if it reports that it does not',
);
const status = stateset('hub_node_status', ['node', 'status'], 'Status on the chain');
const statusTime = gauge(
  'hub_node_status_timestamp_seconds',
  ['node'],
  'Block time of the last status change or heartbeat',
);
const inactiveTime = gauge(
  'hub_node_inactive_timestamp_seconds',
  ['node'],
  'Deadline of the next heartbeat; absent while inactive',
);
const interval = gauge(
  'hub_node_heartbeat_interval_seconds',
  ['node'],
  'Usual time between heartbeats: median of the last 20, eleven twelfths of the timeout until five are known',
);
const price = gauge('hub_node_price', ['node', 'unit', 'denom'], 'Quoted price in the base unit of the denomination');

const priceChanges = counter(
  'hub_node_price_changes_total',
  ['node'],
  'Observed changes of prices, each denomination separately',
);
const addressChanges = counter(
  'hub_node_address_changes_total',
  ['node'],
  'Observed changes of the published addresses',
);
const priceRefused = gauge(
  'hub_node_price_refused',
  ['node', 'unit', 'denom'],
  '1 if the minimums in force would refuse an update with this price, else 0',
  'slow',
);

/** Cache per configuration, which never changes. */
const known = new WeakMap<Config, readonly NodeTarget[]>();

/** Watched nodes as targets, shared by the checks and rules about them. */
export const nodeTargets = (config: Config): readonly NodeTarget[] => {
  const targets =
    known.get(config) ??
    config.watch.nodes.map(({ address, alias }) => ({ key: address, title: alias ?? address, alias: alias ?? '' }));
  known.set(config, targets);
  return targets;
};

const metrics = ({ key }: NodeTarget, reading: NodeReading): readonly Sample[] => {
  const { node } = reading;
  const samples = [sample(registered, [key], node === undefined ? 0 : 1)];
  if (node === undefined) return samples;
  samples.push(...stateSamples(status, [key], shortTexts(StatusTable), shortText(StatusTable, node.status)));
  if (node.statusAt !== undefined) samples.push(sample(statusTime, [key], secondsOf(node.statusAt)));
  if (node.inactiveAt !== undefined) samples.push(sample(inactiveTime, [key], secondsOf(node.inactiveAt)));
  samples.push(sample(interval, [key], reading.intervalMs / 1_000));
  for (const { denom, quoteValue } of node.gigabytePrices)
    samples.push(sample(price, [key, 'gigabyte', denom], Number(quoteValue)));
  for (const { denom, quoteValue } of node.hourlyPrices)
    samples.push(sample(price, [key, 'hour', denom], Number(quoteValue)));
  for (const { unit, denom, refusal } of refusedPrices(node, reading.minimums))
    samples.push(sample(priceRefused, [key, unit, denom], refusal === undefined ? 0 : 1));
  if (reading.changes !== undefined) {
    samples.push(sample(priceChanges, [key], reading.changes.priceChanges));
    samples.push(sample(addressChanges, [key], reading.changes.addressChanges));
  }
  return samples;
};

/** Time of the last heartbeat and how long it is valid; `undefined` while inactive, when `statusAt` is not a heartbeat. */
const activeTimes = (node: Node | undefined): { readonly statusMs: number; readonly timeoutMs: number } | undefined => {
  if (node?.status !== Status.STATUS_ACTIVE || node.statusAt === undefined || node.inactiveAt === undefined)
    return undefined;
  return { statusMs: msOf(node.statusAt), timeoutMs: msOf(node.inactiveAt) - msOf(node.statusAt) };
};

/** Timeout from the record of an active node; otherwise the current parameter, or the last known value. */
const timeoutOf = (
  beats: ReturnType<typeof activeTimes>,
  params: NodeParameters | undefined,
  previous: NodeReading | undefined,
): number | undefined => beats?.timeoutMs ?? params?.timeoutMs ?? previous?.timeoutMs;

/** How long a reading stays valid while the next heartbeat of the node is not due. */
const quietMs = 120_000;
/** The same while events report when the node becomes inactive. */
const followedMs = 300_000;
/** Time before a heartbeat is due from which the node is read in every round. */
const earlyMs = 60_000;

/**
 * Until the next heartbeat is due, events report every change of a node, so it is read rarely. The same applies to an inactive
 * node, whose return events report.
 */
const isStillGood = ({ node, intervalMs, height }: NodeReading, taken: Moment, now: Moment): boolean => {
  if (now.head === undefined) return false;
  const ageMs = now.clockMs - taken.clockMs;
  const followed = isFollowed(now, height);
  const beats = activeTimes(node);
  if (beats === undefined) return node !== undefined && followed && ageMs >= 0 && ageMs < quietMs;
  const goodMs = followed ? followedMs : quietMs;
  return ageMs >= 0 && ageMs < goodMs && now.head.timeMs < beats.statusMs + intervalMs - earlyMs;
};

/** Status, deadline, heartbeat interval and prices of every watched node. */
export const watchedNodes: Check<NodeTarget, NodeReading> = {
  name: 'nodes',
  families: [
    configInfo,
    registered,
    status,
    statusTime,
    inactiveTime,
    interval,
    price,
    priceRefused,
    priceChanges,
    addressChanges,
  ],
  everyMs: (config) => config.poll.nodes,
  targets: nodeTargets,
  async collect(target, context) {
    const { pool, history, changes, moment, signal } = context;
    const { node, height, params } = await pool.read(`node ${target.key}`, signal, async (source) => {
      try {
        const answer = await source.call(queryNode, { address: target.key });
        return { node: answer.message.node, height: answer.height, params: await readNodeParameters(context, source) };
      } catch (error) {
        if (error instanceof HubError && error.code === 'not_found')
          return { node: undefined, height: undefined, params: undefined };
        throw error;
      }
    });
    const beats = activeTimes(node);
    if (beats !== undefined) history.add(target.key, beats.statusMs);
    const times = history.times(target.key);
    const timeoutMs = timeoutOf(beats, params, context.previous as NodeReading | undefined);
    const learned = learnedIntervalMs(times, timeoutMs ?? usualTimeoutMs);
    const habit = {
      intervalMs: learned ?? assumedIntervalMs(timeoutMs ?? usualTimeoutMs),
      intervalLearned: learned !== undefined,
    };
    return {
      node,
      height,
      ...habit,
      timeoutMs,
      lastBeatMs: times.at(-1),
      changes: node && noteNode(changes, node, target.key, height, moment.head?.timeMs ?? moment.clockMs),
      minimums: params?.minimums,
    };
  },
  metrics,
  isStillGood,
  constants: ({ key, alias }) => [sample(configInfo, [key, alias], 1)],
};
