/** Pauses after failures: each twice as long as the last, up to a limit that the failure sets. */
export interface Backoff {
  /** Notes a failure at `nowMs`; nothing is tried before the pause has passed. `waitMs` is what the other side asked for. */
  failed(nowMs: number, longestMs: number, waitMs?: number): void;
  readonly notBeforeMs: number;
}

const firstPauseMs = 1_000;
/** What another side may ask for at most: an hour, whatever it writes. */
const longestAskedMs = 3_600_000;

export const createBackoff = (): Backoff => {
  let pauseMs = firstPauseMs;
  let notBeforeMs = 0;
  return {
    failed(nowMs, longestMs, waitMs = 0) {
      pauseMs = Math.min(pauseMs, longestMs);
      notBeforeMs = nowMs + Math.max(pauseMs, Math.min(waitMs, longestAskedMs));
      pauseMs *= 2;
    },
    get notBeforeMs() {
      return notBeforeMs;
    },
  };
};
