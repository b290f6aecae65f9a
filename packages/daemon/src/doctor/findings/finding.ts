import type { Diagnosis } from '../diagnosis.js';

/** What is not as it should be, and what to do about it: plain sentences for an operator. */
export interface Advice {
  readonly says: string;
  readonly advice: string;
}

/** One kind of finding; a pure function of what was found out. */
export interface FindingRule {
  /** Stable name, for programs. */
  readonly id: string;
  find(diagnosis: Diagnosis): Advice | readonly Advice[] | undefined;
}

export interface Finding extends Advice {
  readonly id: string;
}
