/** Assumed interval between heartbeats until it is computed: 55 of 60 minutes, scaled to the timeout. */
export const assumedIntervalMs = (timeoutMs: number): number => (timeoutMs * 11) / 12;
/** Timeout on the main network, used until the chain's parameter is read. */
export const usualTimeoutMs = 3_600_000;
const enough = 5;
const kept = 20;

/**
 * Usual interval between a node's heartbeats: the median of the last 20, if at least five are known. A gap of at least the
 * timeout is a lapse and does not count.
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
