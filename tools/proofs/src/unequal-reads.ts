/** A recorded read whose object differs between REST and gRPC, and the reason. */
export interface UnequalRead {
  readonly group: string;
  readonly reason: string;
}

/** Empty now. If a recording shows a new difference, add it here with its reason; remove entries that became equal. */
export const unequalReads: readonly UnequalRead[] = [];
