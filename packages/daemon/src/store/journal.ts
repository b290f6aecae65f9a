import type { Store } from './store.js';

/**
 * Ordered writes of state that is held in memory. Each is tried at once. While the store cannot write, all later ones
 * wait behind the first failed one, and the daemon continues from memory.
 */
export class Journal {
  readonly #store: Pick<Store, 'transaction'>;
  readonly #onFailure: (error: unknown) => void;
  #waiting: (() => void)[] = [];

  constructor(store: Pick<Store, 'transaction'>, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Number of writes that have not reached the store yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Commits all writes of `work` together, now or when `retry` succeeds. It may run again, so it must only depend on
   * its arguments.
   */
  write(work: () => void): void {
    this.#waiting.push(work);
    // After a failure the store may have replaced its file by memory.
    if (!this.retry()) this.retry();
  }

  /** Retries the waiting writes. Returns whether all writes are in the store. */
  retry(): boolean {
    if (this.#waiting.length === 0) return true;
    try {
      this.#store.transaction(() => {
        for (const work of this.#waiting) work();
      });
      this.#waiting = [];
      return true;
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
  }
}
