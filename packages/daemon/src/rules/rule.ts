import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Config } from '../config/schema.js';
import type { BlockHead } from '../endpoints/head.js';
import type { NewestBlock } from '../endpoints/pool.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import type { StoreHealth } from '../store/kept-store.js';
import type { SweepsView } from '../sweeps/sweeps.js';

/** Inputs of rules. */
export interface RuleView {
  readonly config: Config;
  readonly observations: Pick<Observations, 'outcome'>;
  readonly ledger: LedgerView;
  readonly sweeps: Pick<SweepsView, 'isOn' | 'sinceMs' | 'states'>;
  /** Current agreed head: its block time is the chain's current time. */
  readonly head: BlockHead | undefined;
  /** Latest block that any endpoint currently reports. */
  readonly newest: NewestBlock | undefined;
  /** Absent if there is no store: in a single round without the daemon. */
  readonly store?: StoreHealth | undefined;
  /** The daemon's clock: for dates only, since it can jump. */
  readonly clockMs: number;
  /** Speed of the daemon's clock relative to the operator's time: more than 1 in a demo. */
  readonly speed?: number | undefined;
  /** Time awake: for all durations. */
  readonly awakeMs: number;
  /** Whether this is the view of a single round, without previous or later rounds. */
  readonly isOneRound?: boolean;
  /** The same object in every view of one round, so that values needed by several rules are computed once per round. */
  readonly round?: object | undefined;
  /** State of this process itself; absent if it is not monitored. */
  readonly local?: LocalView | undefined;
}

/** Observations of this process about itself, in milliseconds of monotonic time. */
export interface LocalView {
  /** How long it has been monitored. */
  readonly watchedMs: number;
  /** Total stall time within the last `withinMs` milliseconds. */
  lostMs(withinMs: number): number;
  /** The last jump of the system time, how long ago and how far; `undefined` if there was none. */
  readonly jump: { readonly agoMs: number; readonly byMs: number } | undefined;
}

/** A rule: a verdict for each of its subjects, `unknown` if it cannot be determined. Pure. */
export interface Rule extends RuleDeclaration {
  /**
   * Returns an array, or a generator if there is a verdict for each of many subjects. Other work may run between two of its
   * verdicts, while the view does not change.
   */
  evaluate(view: RuleView): Iterable<Verdict>;
  /**
   * Whether subjects may be missing from the verdicts because they could not be read. Their alerts then stay unchanged.
   * Otherwise a missing subject is one that is no longer watched.
   */
  isPartial?(view: RuleView): boolean;
}
