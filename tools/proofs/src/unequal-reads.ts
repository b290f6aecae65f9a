/** A recorded read whose object over REST is not the one over gRPC, and why. */
export interface UnequalRead {
  readonly group: string;
  readonly reason: string;
}

/** None is left. A recording that shows a new one needs its reason here; one that became equal must be struck out. */
export const unequalReads: readonly UnequalRead[] = [];
