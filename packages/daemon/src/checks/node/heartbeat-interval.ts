/** Usual time between status transactions until it is learned: 55 of 60 minutes, and the same part of another timeout. */
export const assumedIntervalMs = (timeoutMs: number): number => (timeoutMs * 11) / 12;
/** Timeout of the main network, for as long as the chain's parameter was never read. */
export const usualTimeoutMs = 3_600_000;
const enough = 5;
const kept = 20;

/**
 * Usual time between a node's heartbeats: the median of its last 20, once five are known. A gap as long as the timeout is
 * a lapse and no habit.
 */
export const learnedIntervalMs = (times: readonly number[], timeoutMs: number): number | undefined => {
  const gaps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .filter((gap) => gap > 0 && gap < timeoutMs)
    .slice(-kept)
    .toSorted((a, b) => a - b);
  if (gaps.length < enough) return undefined;
  const middle = Math.floor(gaps.length / 2);
  const upper = gaps[middle] ?? 0;
  return gaps.length % 2 === 1 ? upper : (upper + (gaps[middle - 1] ?? upper)) / 2;
};
