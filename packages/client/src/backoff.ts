export interface BackoffOptions {
  /** First wait, in milliseconds. */
  readonly firstMs: number;
  /** Longest wait, in milliseconds. */
  readonly mostMs: number;
}

/** Of a pool, and of a websocket that reconnects. */
export const defaultBackoff: BackoffOptions = { firstMs: 500, mostMs: 30_000 };

const fullWait = (): number => 1;

/**
 * Milliseconds to wait after consecutive failures, doubled with each one.
 *
 * @param failures number of consecutive failures, from 1
 * @param random   number from 0 (inclusive) to 1 (exclusive): half of the wait becomes random, so that clients that failed
 *   together do not return together. Without it the wait is exact.
 */
export function backoffMs(
  failures: number,
  { firstMs, mostMs }: BackoffOptions,
  random: () => number = fullWait,
): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return full / 2 + random() * (full / 2);
}
