import type { Diagnosis } from '../diagnosis.js';

/** A problem and its remedy, in plain sentences for an operator. */
export interface Advice {
  readonly says: string;
  readonly advice: string;
}

/** One kind of finding; a pure function of the diagnosis. */
export interface FindingRule {
  /** Stable name, for programs. */
  readonly id: string;
  find(diagnosis: Diagnosis): Advice | readonly Advice[] | undefined;
}

export interface Finding extends Advice {
  readonly id: string;
}
