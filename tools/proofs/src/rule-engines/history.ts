import {
  chainFamilies,
  checks,
  createObservations,
  createOwnMetrics,
  metricsPage,
  type Outcome,
  type Rule,
  type RuleView,
} from '@hubwatch/daemon/parts';
import { emptyLedger } from '../empty-ledger.js';
import type { RandomSource } from '../random-source.js';
import { accountTopic } from './account-topic.js';
import { chainTopic } from './chain-topic.js';
import { daemonTopic } from './daemon-topic.js';
import { endpointTopic } from './endpoint-topic.js';
import { governanceTopic } from './governance-topic.js';
import { historyTopic } from './history-topic.js';
import { leaseTopic } from './lease-topic.js';
import { nodeTopic } from './node-topic.js';
import { sessionTopic } from './session-topic.js';
import { config, type Look, minute, type Topic } from './world.js';

/** Steps per history, one per minute. It is longer than the longest time for which a node's change is reported. */
export const looks = 19;

/** The daemon's decisions and metrics in one history. */
export interface History {
  /** Per step: rule → firing subjects. */
  readonly firing: readonly ReadonlyMap<string, readonly string[]>[];
  /** Values of each series, one per step; `undefined` if it was not exposed. */
  readonly series: ReadonlyMap<string, readonly (number | undefined)[]>;
  /** Number of verdicts by rule and state. */
  readonly verdicts: ReadonlyMap<string, number>;
}

const subjects: readonly Topic[] = [
  nodeTopic,
  sessionTopic,
  leaseTopic,
  accountTopic,
  historyTopic,
  governanceTopic,
  daemonTopic,
];

/** Runs a random history through the daemon's actual observations, rules and metrics page. */
export async function liveThrough(
  random: RandomSource,
  rules: readonly Rule[],
  isUsed: (metric: string) => boolean,
): Promise<History> {
  const own = createOwnMetrics();
  own.storeHealthy.set(1);
  const observations = createObservations(checks, config);
  const topics = topicsOf(random).map((topic) => topic(random, config));
  const look = lookOf(random, own, observations);
  const page = metricsPage({
    ...{ families: chainFamilies(), observations, own },
    head: () => look.chain.head,
    sweeps: { samples: () => [] },
    transferred: () => [],
    ledger,
    store: { bytes: () => 0 },
    silences: () => 0,
  });
  const firing: ReadonlyMap<string, readonly string[]>[] = [];
  const series = new Map<string, (number | undefined)[]>();
  const verdicts = new Map<string, number>();
  for (look.at = 0; look.at < looks; look.at += 1) {
    look.nowMs = look.at * minute;
    for (const topic of topics) topic(look);
    firing.push(judge(rules, viewOf(look, observations), verdicts));
    for (const [name, value] of samplesOf(await page(), isUsed)) {
      const values = series.get(name) ?? Array<number | undefined>(looks).fill(undefined);
      series.set(name, values);
      values[look.at] = value;
    }
  }
  return { firing, series, verdicts };
}

/** Picks either endpoints that determine the chain's state, or a given state together with one other topic. */
const topicsOf = (random: RandomSource): readonly Topic[] =>
  random.chance(0.3) ? [endpointTopic] : [chainTopic, random.pick(subjects)];

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const lookOf = (
  random: RandomSource,
  own: ReturnType<typeof createOwnMetrics>,
  observations: ReturnType<typeof createObservations>,
): Writable<Look> => {
  const look: Writable<Look> = {
    ...{ config, own, nowMs: 0, at: 0, store: undefined },
    chain: { head: undefined, newest: undefined },
    sweeps: { isOn: false, sinceMs: 0, states: () => [] },
    record: (check, target, read) => look.recordUnless(random.chance(0.05), check, target, read),
    recordUnless: (isFailed, check, target, read) => {
      const moment = { head: look.chain.head, clockMs: look.nowMs };
      const failure = { state: 'failed', reason: 'timeout', text: 'no answer', moment } as const;
      const outcome: Outcome<ReturnType<typeof read>> = isFailed
        ? failure
        : { state: 'known', reading: read(), moment };
      const kept = observations.record(check, target, outcome);
      if (!isFailed && kept.state === 'failed') throw new Error(`${check.name} ${target.key}: ${kept.text}`);
    },
  };
  return look;
};

/** No events are read from blocks: rules that depend on events are not compared. */
const ledger = emptyLedger();

const viewOf = (look: Look, observations: ReturnType<typeof createObservations>): RuleView => ({
  ...{ config, observations, ledger, store: look.store, sweeps: look.sweeps },
  head: look.chain.head,
  newest: look.chain.newest,
  clockMs: look.nowMs,
  awakeMs: look.nowMs,
});

const judge = (
  rules: readonly Rule[],
  view: RuleView,
  verdicts: Map<string, number>,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    rules.map((rule) => {
      const all = [...rule.evaluate(view)];
      for (const { state } of all)
        verdicts.set(`${rule.name} ${state}`, (verdicts.get(`${rule.name} ${state}`) ?? 0) + 1);
      return [rule.name, all.filter(({ state }) => state === 'firing').map(({ subject }) => subject)];
    }),
  );

/** Samples on a page that an expression uses. */
const samplesOf = (text: string, isUsed: (metric: string) => boolean): readonly (readonly [string, number])[] =>
  text.split('\n').flatMap((line) => {
    const [, series = '', name = '', value = ''] = /^(([a-zA-Z_:][\w:]*)(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    return name === '' || !isUsed(name) ? [] : [[series, Number(value)] as const];
  });
