import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Config } from '../config/schema.js';
import type { BlockHead } from '../endpoints/head.js';
import type { NewestBlock } from '../endpoints/pool.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import type { StoreHealth } from '../store/kept-store.js';
import type { SweepsView } from '../sweeps/sweeps.js';

/** Everything that rules may look at. */
export interface RuleView {
  readonly config: Config;
  readonly observations: Pick<Observations, 'outcome'>;
  readonly ledger: LedgerView;
  readonly sweeps: Pick<SweepsView, 'isOn' | 'sinceMs' | 'states'>;
  /** Agreed head now: its block time is the chain's present. */
  readonly head: BlockHead | undefined;
  /** Newest block that any endpoint tells of now. */
  readonly newest: NewestBlock | undefined;
  /** Absent where nothing is kept: in one round without the daemon. */
  readonly store?: StoreHealth | undefined;
  /** The daemon's clock: for dates only, since it can jump. */
  readonly clockMs: number;
  /** How many times faster than the operator's time the daemon's clock runs: more than 1 in a demo. */
  readonly speed?: number | undefined;
  /** Awake time: for everything that lasts. */
  readonly awakeMs: number;
  /** The view of a single round, with none before and none after: what it shows stands for itself. */
  readonly isOneRound?: boolean;
  /** The same object in every view of one round, so that what several rules need of the round is made once. */
  readonly round?: object | undefined;
  /** How this process itself was doing; absent where nobody watches it. */
  readonly local?: LocalView | undefined;
}

/** What this process noticed of itself, in milliseconds of its own time. */
export interface LocalView {
  /** How long it has been watched. */
  readonly watchedMs: number;
  /** How long it stood still within the last so many milliseconds. */
  lostMs(withinMs: number): number;
  /** The last step of the time of day, how long ago and how far; `undefined` without one. */
  readonly jump: { readonly agoMs: number; readonly byMs: number } | undefined;
}

/** A rule: a verdict for each of its subjects, `unknown` where it cannot tell. Pure. */
export interface Rule extends RuleDeclaration {
  /**
   * An array, or a generator where there is a verdict for each of many subjects: other work may run between two of its
   * verdicts, while the view stays as it is.
   */
  evaluate(view: RuleView): Iterable<Verdict>;
  /**
   * Whether subjects may be missing from the verdicts because they could not be read. Alerts on those stay as they are;
   * without this a subject that is missing is one that is no longer watched.
   */
  isPartial?(view: RuleView): boolean;
}
