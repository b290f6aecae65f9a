/** Latest block known to one endpoint or to all of them. */
export interface BlockHead {
  readonly height: bigint;
  /** Block time, milliseconds. */
  readonly timeMs: number;
}

/** Latest block as reported by an endpoint. */
export interface ToldHead extends BlockHead {
  readonly chainId: string;
  readonly catchingUp: boolean;
}

export interface ReportedHead extends BlockHead {
  readonly catchingUp: boolean;
  /** False if the endpoint serves a chain other than the trusted one, or a fork of it. */
  readonly rightChain: boolean;
  /** Whether the latest block was observed to advance at the pace of time. */
  readonly advances?: boolean | undefined;
}

/** Number of blocks that an endpoint may lag and still count as being at the tip. */
export const tipBlocks = 20n;

/** Maximum difference between block times of live endpoints, milliseconds; older ones are stuck. */
export const clusterMs = 180_000;
/** Maximum time that a block time may be ahead of the clock, milliseconds. */
const toleranceMs = 60_000;
/** Latest plausible block time if nothing else is reported: then the daemon's own clock may be wrong. Year 2200. */
const latestMs = 7_258_118_400_000;
/** Upper bound on blocks per second since 1970, for any chain. */
const blocksPerSecond = 10;

/** Plausible heads: of the right chain, with a height that the elapsed time allows, and not in the future. */
const believable = (heads: readonly ReportedHead[], clockMs: number): readonly ReportedHead[] => {
  const possible = heads.filter(
    ({ rightChain, height, timeMs }) =>
      rightChain && Number(height) <= (Math.max(timeMs, clockMs) / 1_000) * blocksPerSecond,
  );
  const past = possible.filter(({ timeMs }) => timeMs <= clockMs + toleranceMs);
  const ahead = possible.filter(({ timeMs }) => timeMs > clockMs + toleranceMs && timeMs <= latestMs);
  // If the clock is slow, every live endpoint appears to be in the future, and only the stopped ones remain.
  const advance = (some: readonly ReportedHead[]): boolean => some.some(({ advances }) => advances === true);
  const isSlowClock = ahead.length > past.length || (advance(ahead) && !advance(past));
  return isSlowClock ? [...past, ...ahead] : past;
};

/** The latest plausible block reported by any endpoint, by block time. */
export const freshestHead = (heads: readonly ReportedHead[], clockMs: number): BlockHead | undefined => {
  const [freshest] = believable(heads, clockMs).toSorted((a, b) => b.timeMs - a.timeMs);
  return freshest && { height: freshest.height, timeMs: freshest.timeMs };
};

/**
 * The head that most live endpoints agree on. Live endpoints are within three minutes of the latest plausible block
 * time, so that one live endpoint outranks any number of stuck ones. The result is the lower median of the heads within
 * 20 blocks of the upper median, so that no endpoint that lags or runs ahead decides.
 */
export const agreedHead = (heads: readonly ReportedHead[], clockMs: number): BlockHead | undefined => {
  const freshest = freshestHead(heads, clockMs);
  if (freshest === undefined) return undefined;
  const live = believable(heads, clockMs).filter(({ timeMs }) => timeMs >= freshest.timeMs - clusterMs);
  const synced = live.filter((head) => !head.catchingUp);
  const sorted = (synced.length > 0 ? synced : live).toSorted((a, b) => Number(a.height - b.height));
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) return undefined;
  const top = sorted.filter((head) => head.height + tipBlocks >= upper.height);
  const median = top[Math.floor((top.length - 1) / 2)];
  return median === undefined ? undefined : { height: median.height, timeMs: median.timeMs };
};
