import type { Check, Outcome, Target } from '../checks/check.js';
import { type Sample, sample } from '../checks/family.js';
import type { Config } from '../config/schema.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import { readingTime, slowMs } from './reading-time.js';

/** Samples of one target from one poll; immutable. */
export interface Snapshot {
  readonly samples: readonly Sample[];
}

/** The latest outcome of every check and target. */
export interface Observations {
  /**
   * Replaces the last outcome; a failure removes all samples of the target. A reading for which metrics cannot be created is a
   * failure too. Returns the stored outcome.
   */
  record<T extends Target, R>(check: Check<T, R>, target: T, outcome: Outcome<R>): Outcome<R>;
  /** `undefined` until the target was polled for the first time. */
  outcome<T extends Target, R>(check: Check<T, R>, key: string): Outcome<R> | undefined;
  /** The current outcomes, unaffected by later records: for work that lets other work run in between. */
  now(): Pick<Observations, 'outcome'>;
  /** Everything to export now, configuration values first. */
  snapshots(): readonly Snapshot[];
}

interface Entry<R = unknown> {
  readonly outcome: Outcome<R>;
  readonly snapshot: Snapshot;
}

const nothing: Snapshot = { samples: [] };

const entryOf = <T extends Target, R>(
  check: Check<T, R>,
  target: T,
  outcome: Outcome<R>,
  isSlow: boolean,
): Entry<R> => {
  if (outcome.state !== 'known') return { outcome, snapshot: nothing };
  try {
    const samples = check.metrics(target, outcome.reading);
    const time = isSlow ? [sample(readingTime, [check.name, target.key], outcome.moment.clockMs / 1_000)] : [];
    return { outcome, snapshot: { samples: [...samples, ...time] } };
  } catch (error) {
    const { moment } = outcome;
    const text = `no metrics of this reading: ${failureText(error)}`;
    return { outcome: { state: 'failed', reason: failureReason(error), text, moment }, snapshot: nothing };
  }
};

export const createObservations = (checks: readonly Check[], config: Config): Observations => {
  const constants = checks.flatMap((check) =>
    check.targets(config).map((target): Snapshot => ({ samples: check.constants?.(target, config) ?? [] })),
  );
  const entries = new Map<string, Map<string, Entry>>();
  /** Entries in use by a snapshot; they are copied before a change. */
  const frozen = new WeakSet<ReadonlyMap<string, Entry>>();
  const outcomeIn =
    (all: ReadonlyMap<string, ReadonlyMap<string, Entry>>): Observations['outcome'] =>
    <T extends Target, R>(check: Check<T, R>, key: string) =>
      all.get(check.name)?.get(key)?.outcome as Outcome<R> | undefined;
  return {
    record(check, target, outcome) {
      const kept = entryOf(check, target, outcome, check.everyMs(config) >= slowMs);
      const known = entries.get(check.name);
      const ofCheck = known === undefined || frozen.has(known) ? new Map(known) : known;
      entries.set(check.name, ofCheck.set(target.key, kept));
      return kept.outcome;
    },
    outcome: outcomeIn(entries),
    now() {
      for (const ofCheck of entries.values()) frozen.add(ofCheck);
      return { outcome: outcomeIn(new Map(entries)) };
    },
    snapshots: () => [
      ...constants,
      ...[...entries.values()].flatMap((ofCheck) => [...ofCheck.values()].map(({ snapshot }) => snapshot)),
    ],
  };
};
