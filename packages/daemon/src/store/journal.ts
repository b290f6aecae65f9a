import type { Store } from './store.js';

/**
 * Writes of state that is kept in memory, in order. Each is tried at once; while the store cannot write, all later ones wait
 * behind the first that failed, and the daemon goes on from memory.
 */
export class Journal {
  readonly #store: Pick<Store, 'transaction'>;
  readonly #onFailure: (error: unknown) => void;
  #waiting: (() => void)[] = [];

  constructor(store: Pick<Store, 'transaction'>, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Writes that did not reach the store yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** All writes of `work` in one commit, now or when `retry` succeeds. It may run again, so it must only depend on its arguments. */
  write(work: () => void): void {
    this.#waiting.push(work);
    // After a failure the store may have put memory in place of its file.
    if (!this.retry()) this.retry();
  }

  /** Tries what waits. Answers whether everything is in the store. */
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
