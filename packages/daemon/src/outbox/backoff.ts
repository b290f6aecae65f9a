import { backoffMs } from '@hubwatch/client';

const firstMs = 1_000;
/** Upper limit for a wait requested by a server. */
const longestRequestedMs = 3_600_000;

/** Pause after failed deliveries to one notifier or recipient. */
export class Backoff {
  notBeforeMs = 0;
  #failures = 0;

  /**
   * Records a failure at `nowMs`.
   *
   * @param longestMs   maximum pause for the reason of this failure
   * @param requestedMs pause requested by the server
   */
  failed(nowMs: number, longestMs: number, requestedMs = 0): void {
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, { firstMs, mostMs: longestMs });
    this.notBeforeMs = nowMs + Math.max(pauseMs, Math.min(requestedMs, longestRequestedMs));
  }
}
