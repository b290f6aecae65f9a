export interface BackoffOptions {
  /** Wait after the first failure, in milliseconds. */
  readonly firstMs: number;
  /** Longest wait, in milliseconds. */
  readonly mostMs: number;
}

/** Default for pools and for websocket reconnects. */
export const defaultBackoff: BackoffOptions = { firstMs: 500, mostMs: 30_000 };

const fullWait = (): number => 1;

/**
 * Returns the wait in milliseconds after consecutive failures. It doubles with each failure.
 *
 * @param failures number of consecutive failures, at least 1
 * @param random   returns a number from 0 (inclusive) to 1 (exclusive). It randomizes half of the wait, so that clients that
 *   failed together do not retry together. Without it, the wait is exact.
 */
export function backoffMs(
  failures: number,
  { firstMs, mostMs }: BackoffOptions,
  random: () => number = fullWait,
): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return full / 2 + random() * (full / 2);
}
