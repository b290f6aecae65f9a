import { backoffMs } from '@hubwatch/client';

const firstMs = 1_000;
/** Longest wait that a server may request: an hour. */
const longestRequestedMs = 3_600_000;

/** Pause of one notifier or recipient after failures. */
export class Backoff {
  notBeforeMs = 0;
  #failures = 0;

  /**
   * Records a failure at `nowMs`.
   *
   * @param longestMs   longest pause, which the reason of the failure sets
   * @param requestedMs pause that the server requested
   */
  failed(nowMs: number, longestMs: number, requestedMs = 0): void {
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, { firstMs, mostMs: longestMs });
    this.notBeforeMs = nowMs + Math.max(pauseMs, Math.min(requestedMs, longestRequestedMs));
  }
}
