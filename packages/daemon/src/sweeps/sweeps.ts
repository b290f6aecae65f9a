import type { Clock } from '@hubwatch/client';
import type { Sample } from '../checks/family.js';
import type { Config } from '../config/schema.js';
import { sweepEndpoints } from '../config/sweep-endpoints.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import type { TrustedPool } from '../endpoints/pool.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Job } from '../schedule/interval-job.js';
import { type DepositConservation, depositConservation, differenceSamples } from './deposit-conservation.js';
import { allSweeps } from './index.js';
import { createNodePace, type NodePace } from './node-pace.js';
import type { ListCount } from './read-list.js';
import type { ListSweep } from './sweep.js';
import { type LostRound, sweepRound } from './sweep-round.js';
import type { SweepStore, SweptList } from './sweep-store.js';
import { isCronDue, sweepGapMs } from './sweep-times.js';

/** Number of restarts of a round before it is postponed to the next time. */
const restarts = 2;
/** Maximum delay until an endpoint that comes up late is swept. */
const longestLookMs = 60_000;

/** Known counts of one list. */
export interface SweepState {
  readonly collection: string;
  /** The last complete read, regardless of its age; `undefined` if there was none. */
  readonly last: SweptList | undefined;
  /** Why no newer data were read. */
  readonly failure: { readonly text: string; readonly sinceMs: number } | undefined;
}

/** Complete lists of the network as of their last read. A failed sweep changes only the age of the data. */
export interface SweepsView {
  /** `false` if no endpoint may be queried for complete lists. */
  readonly isOn: boolean;
  /** Start of the daemon, on its own clock. */
  readonly sinceMs: number;
  states(): readonly SweepState[];
  samples(): readonly Sample[];
  conservation(): DepositConservation | undefined;
}

export interface Sweeps {
  readonly view: SweepsView;
  readonly job: Job | undefined;
}

export interface SweepsParts {
  readonly pool: Pick<TrustedPool, 'usable' | 'head'>;
  readonly store: SweepStore;
  readonly config: Config;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  readonly sweeps?: readonly ListSweep[];
}

const job = 'sweeps';

/**
 * Reads complete lists from the operator's own endpoints at long intervals, all at one height, and stores the counts.
 */
export const createSweeps = (parts: SweepsParts, onRound: () => void): Sweeps => {
  const { pool, store, config, clock, own, failures, sweeps = allSweeps } = parts;
  const allowed = sweepEndpoints(config);
  const everyMs = config.sweeps.every;
  const isByCron = config.sweeps.cron !== undefined;
  const lookMs = isByCron ? longestLookMs : Math.min(everyMs, longestLookMs);
  const beganMs = clock.nowMs();
  const known = new Map<string, SweptList>();
  const failing = new Map<string, SweepState['failure']>();
  const paces = new Map<string, NodePace>();
  const samplesOf = new Map<string, readonly Sample[]>();
  /** Order of the lists; a failed list moves to the end, so that it does not prevent the others. */
  let order = sweeps;
  let conservation: DepositConservation | undefined;

  const take = (sweep: ListSweep, list: SweptList): void => {
    const { collection } = sweep;
    samplesOf.set(collection, sweep.samples(list.sums, config));
    known.set(collection, list);
    // During a round its lists are from two heights: the last comparison remains until there is a new one.
    conservation = depositConservation([...known.values()]) ?? conservation;
    own.sweepRecords.set({ collection }, list.records);
    own.sweepHeight.set({ collection }, Number(list.height));
    own.sweepLastComplete.set({ collection }, list.completedMs / 1_000);
  };
  const counted = (sweep: ListSweep, endpoint: string, count: ListCount, durationMs: number): void => {
    const { collection } = sweep;
    const list = { ...count, collection, endpoint, completedMs: clock.nowMs() };
    store.put(list);
    take(sweep, list);
    failing.delete(collection);
    failures.worked(`sweep of ${collection}`);
    own.sweepDuration.observe({ collection }, durationMs / 1_000);
  };
  const failed = (sweep: ListSweep, reason: ReturnType<typeof failureReason>, text: string): void => {
    const { collection } = sweep;
    const sinceMs = failing.get(collection)?.sinceMs ?? clock.nowMs();
    failing.set(collection, { text, sinceMs });
    own.pollFailures.inc({ job, reason });
    failures.failed(`sweep of ${collection}`, `${reason}: ${text}`, reason);
  };

  const paceOf = (endpoint: string): NodePace => {
    const pace = paces.get(endpoint) ?? createNodePace();
    paces.set(endpoint, pace);
    return pace;
  };
  const round = (endpoint: Endpoint, signal: AbortSignal): Promise<LostRound | undefined> | undefined => {
    const head = pool.head();
    if (head === undefined) return undefined;
    return sweepRound({
      sweeps: order,
      endpoint,
      head,
      pace: paceOf(endpoint.name),
      pageSize: config.sweeps.page_size,
      clock,
      signal,
      onPage: (collection) => own.sweepPages.inc({ collection }),
      onPause: (ms) => own.sweepPause.inc({ endpoint: endpoint.name }, ms / 1_000),
      onCounted: (sweep, count, ms) => counted(sweep, endpoint.name, count, ms),
      onFailed: failed,
    });
  };

  /**
   * Whether a round is due. Includes the last round before a restart: a daemon that keeps crashing sends no more
   * requests.
   */
  const isDue = (): boolean => {
    if (isByCron) return isCronDue(config.sweeps, store.begunMs() ?? beganMs, clock.nowMs());
    const sinceMs = clock.nowMs() - (store.begunMs() ?? -Infinity);
    return sinceMs < 0 || sinceMs >= everyMs - lookMs / 2;
  };

  const judgeDeposits = (): void => {
    const wrong = conservation?.balances.filter(({ difference }) => difference !== 0n);
    if (wrong === undefined) return;
    const what = 'deposits against sessions and leases';
    if (wrong.length === 0) failures.worked(what);
    else {
      const [{ denom, deposits, sessions, leases } = noBalance] = wrong;
      failures.failed(what, `${deposits} ${denom} deposited for ${sessions} of sessions and ${leases} of leases`, what);
    }
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    if (!isDue() || pool.head() === undefined) return;
    const started = clock.monotonicMs();
    const lost = new Set<string>();
    let missing: LostRound | undefined;
    let unread: readonly ListSweep[] = [];
    for (let start = 0; start <= restarts; start += 1) {
      const usable = pool
        .usable()
        .filter(({ name, has }) => allowed.includes(name) && (has.grpc || has.abci || has.rest));
      const endpoint = usable.find(({ name }) => !lost.has(name)) ?? usable[0];
      if (endpoint === undefined) {
        for (const sweep of sweeps)
          failed(sweep, 'refused', `none of ${allowed.join(', ')} serves the present of the chain`);
        return;
      }
      if (start === 0) {
        own.polls.inc({ job });
        store.begin(clock.nowMs());
      }
      missing = await round(endpoint, signal);
      if (signal.aborted) return;
      if (missing === undefined) break;
      if (missing.restart === 'endpoint_lost') lost.add(endpoint.name);
      const { sweep, restart } = missing;
      own.sweepRestarts.inc({ collection: sweep.collection, reason: restart });
      unread = order.slice(order.indexOf(sweep));
      order = [...order.filter((one) => one !== sweep), sweep];
    }
    if (missing !== undefined) {
      for (const sweep of unread) failed(sweep, failureReason(missing.error), failureText(missing.error));
    } else if (failing.size === 0) own.pollLastSuccess.set({ job }, clock.nowMs() / 1_000);
    own.pollDuration.observe({ job }, (clock.monotonicMs() - started) / 1_000);
    judgeDeposits();
    onRound();
  };

  for (const list of store.all()) {
    const sweep = sweeps.find(({ collection }) => collection === list.collection);
    if (sweep !== undefined && allowed.length > 0) take(sweep, list);
  }
  if (allowed.length > 0) own.pollInterval.set({ job }, sweepGapMs(config.sweeps, beganMs) / 1_000);

  return {
    view: {
      isOn: allowed.length > 0,
      sinceMs: beganMs,
      states: () =>
        allowed.length === 0
          ? []
          : sweeps.map(({ collection }) => ({
              collection,
              last: known.get(collection),
              failure: failing.get(collection),
            })),
      samples: () => [
        ...sweeps.flatMap(({ collection }) => samplesOf.get(collection) ?? []),
        ...differenceSamples(conservation, config.sweeps.denoms),
      ],
      conservation: () => conservation,
    },
    job: allowed.length > 0 ? { name: job, everyMs: lookMs, looks: true, run } : undefined,
  };
};

const noBalance = { denom: '', deposits: 0n, sessions: 0n, leases: 0n };
