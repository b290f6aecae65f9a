import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Config } from '../config/schema.js';
import type { Head } from '../endpoints/head.js';
import type { NewestBlock } from '../endpoints/pool.js';
import type { LedgerView } from '../ledger/ledger.js';
import type { Observations } from '../observations/observations.js';
import type { SweepsView } from '../sweeps/sweeps.js';

/** Everything that rules may look at. */
export interface RuleView {
  readonly config: Config;
  readonly observations: Pick<Observations, 'outcome'>;
  readonly ledger: LedgerView;
  readonly sweeps: Pick<SweepsView, 'isOn' | 'sinceMs' | 'states'>;
  /** Agreed head now: its block time is the chain's present. */
  readonly head: Head | undefined;
  /** Newest block that any endpoint tells of now. */
  readonly newest: NewestBlock | undefined;
  /** The daemon's clock. */
  readonly clockMs: number;
}

/** A rule: a verdict for each of its subjects, `unknown` where it cannot tell. Pure. */
export interface Rule extends RuleDeclaration {
  evaluate(view: RuleView): readonly Verdict[];
  /**
   * Whether subjects may be missing from the verdicts because they could not be read. Alerts on those stay as they are;
   * without this a subject that is missing is one that is no longer watched.
   */
  isPartial?(view: RuleView): boolean;
}
