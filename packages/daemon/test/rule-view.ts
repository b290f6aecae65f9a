import type { Check, Outcome, Target } from '../src/checks/check.js';
import { msOf } from '../src/checks/times.js';
import type { Config } from '../src/config/schema.js';
import type { NewestBlock } from '../src/endpoints/pool.js';
import type { Lapse } from '../src/ledger/lapses.js';
import type { LedgerRow } from '../src/ledger/ledger-row.js';
import type { LedgerView } from '../src/ledger/ledger.js';
import { createLedgerTotals } from '../src/ledger/totals.js';
import type { Verdict } from '../src/checks/verdict.js';
import type { Rule, RuleView } from '../src/rules/rule.js';
import { testConfig } from './parts.js';

export const minute = 60_000;
export const start = 1_800_000_000_000;

/** A ledger that reads events and has no entries. */
export const emptyLedger: LedgerView = {
  isKept: true,
  position: () => 1_000n,
  followed: () => undefined,
  isCurrent: () => true,
  recentEnds: () => [],
  lostToLapses: () => [],
  lapse: () => undefined,
  recentLapses: () => [],
  removedLinks: () => [],
  newestStatus: () => undefined,
  totals: createLedgerTotals(),
};

/** A lapse that ended no lease, session or link. */
export const lapseOf = (node: string, more: Partial<Lapse> = {}): Lapse => ({
  node,
  height: 399n,
  blockMs: start + 60 * minute,
  cause: 'deadline',
  ended: [],
  unlinked: [],
  isBack: false,
  ...more,
});

/** Input of a rule in a test. */
export interface Scene {
  readonly readings?: readonly (readonly [Pick<Check, 'name'>, string, unknown])[];
  readonly nowMs?: number | undefined;
  readonly lapse?: Lapse;
  readonly lapsedMs?: number;
  /** Properties of the latest block; by default its age matches the clock. */
  readonly newest?: Partial<NewestBlock>;
  readonly ledgerPosition?: bigint;
  readonly isKept?: boolean;
  readonly clockMs?: number;
  readonly config?: Config;
  /** Other data from events. */
  readonly ledger?: Partial<LedgerView>;
  /** Leases ended by lapses. */
  readonly lost?: readonly LedgerRow[];
}

/** Creates the view of rules for a scene; readings by check and target, an Error for a failed poll. */
export const viewOf = ({
  readings = [],
  nowMs,
  lapse,
  lapsedMs = start + 60 * minute,
  ledgerPosition = 1_000n,
  isKept = true,
  clockMs,
  newest = {},
  config = testConfig(),
  lost = [],
  ledger = {},
}: Scene): RuleView => {
  const head = nowMs === undefined ? undefined : { height: 500n, timeMs: nowMs };
  return {
    config,
    head,
    newest: head && { ...head, sameFor: 3, hasMoved: true, stillMs: (clockMs ?? start) - head.timeMs, ...newest },
    clockMs: clockMs ?? nowMs ?? start,
    awakeMs: clockMs ?? nowMs ?? start,
    sweeps: { isOn: false, sinceMs: start, states: () => [] },
    ledger: {
      ...emptyLedger,
      isKept,
      position: () => ledgerPosition,
      lostToLapses: () => lost,
      lapse: (_node, at) => (msOf(at) === lapsedMs ? lapse : undefined),
      ...ledger,
    },
    observations: {
      outcome: <T extends Target, R>(check: Check<T, R>, key: string) => {
        const reading = readings.find(([of, at]) => of.name === check.name && at === key)?.[2];
        const moment = { head, clockMs: nowMs ?? start };
        if (reading === undefined) return undefined;
        return (
          reading instanceof Error
            ? { state: 'failed', reason: 'timeout', text: reading.message, moment }
            : { state: 'known', reading, moment }
        ) as Outcome<R>;
      },
    },
  };
};

/** All verdicts of a rule for a view. */
export const verdictsOf = ({ evaluate }: Pick<Rule, 'evaluate'>, view: RuleView): readonly Verdict[] => [
  ...evaluate(view),
];
