/** Newest block as one endpoint or all of them know it. */
export interface Head {
  readonly height: bigint;
  /** Block time, milliseconds. */
  readonly timeMs: number;
}

export interface ReportedHead extends Head {
  readonly catchingUp: boolean;
  /** False when the endpoint serves another chain than the configured one. */
  readonly rightChain: boolean;
}

/** Blocks that an endpoint may be behind and still count as being at the tip. */
export const tipBlocks = 20n;

/**
 * The head that most endpoints at the tip agree on: the lower median of those within 20 blocks of the upper median, so
 * that neither one stuck endpoint nor one that runs ahead decides.
 */
export const agreedHead = (heads: readonly ReportedHead[]): Head | undefined => {
  const believed = heads.filter((head) => head.rightChain);
  const synced = believed.filter((head) => !head.catchingUp);
  const sorted = (synced.length > 0 ? synced : believed).toSorted((a, b) => Number(a.height - b.height));
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) return undefined;
  const top = sorted.filter((head) => head.height + tipBlocks >= upper.height);
  const median = top[Math.floor((top.length - 1) / 2)];
  return median === undefined ? undefined : { height: median.height, timeMs: median.timeMs };
};
