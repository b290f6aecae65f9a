/** Newest block as one endpoint or all of them know it. */
export interface BlockHead {
  readonly height: bigint;
  /** Block time, milliseconds. */
  readonly timeMs: number;
}

/** What an endpoint tells of its newest block. */
export interface ToldHead extends BlockHead {
  readonly chainId: string;
  readonly catchingUp: boolean;
}

export interface ReportedHead extends BlockHead {
  readonly catchingUp: boolean;
  /** False when the endpoint serves another chain than the one that is believed in, or a fork of it. */
  readonly rightChain: boolean;
  /** Whether its newest block was seen to advance as time does. */
  readonly advances?: boolean | undefined;
}

/** Blocks that an endpoint may be behind and still count as being at the tip. */
export const tipBlocks = 20n;

/** How far block times of live endpoints may lie apart, milliseconds; what is older is stuck. */
export const clusterMs = 180_000;
/** How far ahead of the clock a block time may be, milliseconds. */
const toleranceMs = 60_000;
/** Latest time that is believed when nothing else is reported: then the daemon's own clock may be what is wrong. Year 2200. */
const latestMs = 7_258_118_400_000;
/** No chain makes more blocks a second than this, counted from 1970. */
const blocksPerSecond = 10;

/** Heads that can be true: of the right chain, no height beyond what time allows, not of the future. */
const believable = (heads: readonly ReportedHead[], clockMs: number): readonly ReportedHead[] => {
  const possible = heads.filter(
    ({ rightChain, height, timeMs }) =>
      rightChain && Number(height) <= (Math.max(timeMs, clockMs) / 1_000) * blocksPerSecond,
  );
  const past = possible.filter(({ timeMs }) => timeMs <= clockMs + toleranceMs);
  const ahead = possible.filter(({ timeMs }) => timeMs > clockMs + toleranceMs && timeMs <= latestMs);
  // A clock that is slow makes every live endpoint one of the future, and leaves those that stand still.
  const advance = (some: readonly ReportedHead[]): boolean => some.some(({ advances }) => advances === true);
  const isSlowClock = ahead.length > past.length || (advance(ahead) && !advance(past));
  return isSlowClock ? [...past, ...ahead] : past;
};

/** The newest block that any endpoint tells of and that can be true, by block time. */
export const freshestHead = (heads: readonly ReportedHead[], clockMs: number): BlockHead | undefined => {
  const [freshest] = believable(heads, clockMs).toSorted((a, b) => b.timeMs - a.timeMs);
  return freshest && { height: freshest.height, timeMs: freshest.timeMs };
};

/**
 * The head that most live endpoints agree on. Live are those within three minutes of the freshest block time that can be
 * true, so that one live endpoint outranks any number of stuck ones. Among them it is the lower median of those within 20
 * blocks of the upper median, so that none that lags or runs ahead decides.
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
