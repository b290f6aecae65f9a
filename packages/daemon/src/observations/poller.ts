import {
  type Check,
  type CollectContext,
  type Moment,
  type Outcome,
  StarvedError,
  starvedReason,
  type Target,
} from '../checks/check.js';
import type { Cancel, Clock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import type { TrustedPool } from '../endpoints/pool.js';
import { Memory } from '../checks/memory.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { AwakeTime } from '../schedule/awake-time.js';
import { eachLimited, type Job } from '../schedule/interval-job.js';
import type { ChangeHistory } from '../store/change-history.js';
import type { HeartbeatHistory } from '../store/heartbeat-history.js';
import type { LeaseRecords } from '../store/lease-records.js';
import type { SessionMemory } from '../store/session-memory.js';
import type { Observations } from './observations.js';

/** Number of targets of one check that are read concurrently, unless the check specifies another number. */
const usualLanes = 4;
/** Readings within this time are reported together. */
const gatherMs = 50;
/** Share of the request timeout, and minimum time, for which this process may stall in a round. */
const lostShare = 0.2;
const leastLostMs = 500;

export interface PollerParts {
  readonly pool: TrustedPool;
  readonly history: HeartbeatHistory;
  readonly changes: ChangeHistory;
  readonly sessions: SessionMemory;
  readonly leaseRecords?: LeaseRecords | undefined;
  /** Shared by all checks of a daemon. Default: a new one for this check. */
  readonly memory?: Memory | undefined;
  readonly config: Config;
  readonly clock: Clock;
  readonly observations: Observations;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Reports the times in which this process stalled; without it no round counts as delayed by this machine. */
  readonly awake?: Pick<AwakeTime, 'lostMs'> | undefined;
  /** Blocks whose events were read without a gap and reported to the jobs. */
  readonly events?: (() => Moment['events']) | undefined;
}

/** Creates a job from a check: reads each target, records its outcome, and reports it without waiting for slower targets. */
export const pollJob = (check: Check, parts: PollerParts, onReadings: () => void): Job => {
  const { pool, config, clock, observations, own, failures, memory = new Memory() } = parts;
  const job = check.name;
  const targets = check.targets(config);
  const everyMs = check.everyMs(config);
  own.pollInterval.set({ job }, everyMs / 1_000);

  const poll = async (
    target: Target,
    round: Pick<CollectContext, 'moment' | 'isTimetable' | 'only'>,
    signal: AbortSignal,
  ): Promise<Polled> => {
    const { history, changes, sessions, leaseRecords, awake } = parts;
    const { moment } = round;
    const startedMs = clock.monotonicMs();
    const mostLostMs = Math.max(leastLostMs, lostShare * config.poll.timeout);
    const isStarved = (): boolean => (awake?.lostMs(startedMs) ?? 0) > mostLostMs;
    const last = observations.outcome(check, target.key);
    const previous = last?.state === 'known' ? last.reading : undefined;
    const kept = { history, changes, sessions, leaseRecords, memory };
    const context: CollectContext = { pool, ...kept, config, clock, signal, isStarved, ...round, previous };
    own.polls.inc({ job });
    const collection = await collected(check, target, context);
    if (signal.aborted) return 'failed';
    if (collection.state === 'failed' && (isStarved() || collection.reason === starvedReason)) {
      observations.record(check, target, { state: 'failed', ...starved, moment });
      return 'starved';
    }
    const outcome = observations.record(check, target, collection);
    const what = `${job} ${target.key}`;
    if (outcome.state === 'known') failures.worked(what);
    else {
      own.pollFailures.inc({ job, reason: outcome.reason });
      failures.failed(what, `${outcome.reason}: ${outcome.text}`, outcome.reason);
    }
    return outcome.state;
  };

  return {
    name: job,
    everyMs,
    async run(signal, { isTimetable = false, only } = {}) {
      const started = clock.monotonicMs();
      const monotonicMs = parts.awake === undefined ? undefined : started;
      const moment: Moment = { head: pool.head(), clockMs: clock.nowMs(), monotonicMs, events: parts.events?.() };
      let failed = 0;
      let starvedTargets = 0;
      let cancel: Cancel | undefined;
      const tellSoon = (): void => {
        cancel ??= clock.setTimeout(() => {
          cancel = undefined;
          onReadings();
        }, gatherMs);
      };
      const isOld = ({ key }: Target): boolean => {
        const known = observations.outcome(check, key);
        return known?.state !== 'known' || check.isStillGood?.(known.reading, known.moment, moment) !== true;
      };
      const looked = only === undefined ? targets : targets.filter(({ key }) => only.has(key));
      await eachLimited(isTimetable ? looked.filter(isOld) : looked, check.lanes ?? usualLanes, async (target) => {
        const polled = await poll(target, { moment, isTimetable, only }, signal);
        if (polled !== 'known') failed += 1;
        if (polled === 'starved') starvedTargets += 1;
        if (!signal.aborted) tellSoon();
      });
      cancel?.();
      if (signal.aborted) return;
      if (starvedTargets > 0) own.starvedRounds.inc({ job });
      if (looked.length < targets.length) {
        onReadings();
        return;
      }
      own.pollDuration.observe({ job }, (clock.monotonicMs() - started) / 1_000);
      if (failed === 0) own.pollLastSuccess.set({ job }, clock.nowMs() / 1_000);
      onReadings();
    },
  };
};

type Polled = Outcome<unknown>['state'] | 'starved';

const starved = { reason: starvedReason, text: new StarvedError().message } as const;

const collected = async (check: Check, target: Target, context: CollectContext): Promise<Outcome<unknown>> => {
  try {
    return { state: 'known', reading: await check.collect(target, context), moment: context.moment };
  } catch (error) {
    if (error instanceof StarvedError) return { state: 'failed', ...starved, moment: context.moment };
    return { state: 'failed', reason: failureReason(error), text: failureText(error), moment: context.moment };
  }
};
