export interface BackoffOptions {
  /** First wait, in milliseconds. */
  readonly firstMs: number;
  /** Longest wait, in milliseconds. */
  readonly mostMs: number;
}

/**
 * Milliseconds to wait after so many failures in a row: doubled each time, and a random half of it, so that clients that
 * failed together do not come back together.
 *
 * @param failures 1 after the first
 * @param random from 0 up to and without 1
 */
export function backoffMs(failures: number, { firstMs, mostMs }: BackoffOptions, random: () => number): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return full / 2 + random() * (full / 2);
}
