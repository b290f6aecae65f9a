/**
 * Selects between several recorded answers to the same request. `in-order` returns them in recorded order and then
 * repeats the last one. `last` always returns the last one, which reflects the node's state at the end of the
 * recording. Of 12,410 recorded requests, 43 have several different answers.
 */
export type Repeats = 'in-order' | 'last';

/** Recorded answers by request. */
export class AnswerShelf<T> {
  readonly #repeats: Repeats;
  readonly #answers = new Map<string, { readonly list: T[]; given: number }>();

  constructor(repeats: Repeats) {
    this.#repeats = repeats;
  }

  /** Number of distinct requests. */
  get size(): number {
    return this.#answers.size;
  }

  put(key: string, answer: T): void {
    const known = this.#answers.get(key);
    if (known === undefined) this.#answers.set(key, { list: [answer], given: 0 });
    else known.list.push(answer);
  }

  take(key: string): T | undefined {
    const known = this.#answers.get(key);
    if (known === undefined) return undefined;
    const at = this.#repeats === 'last' ? known.list.length - 1 : Math.min(known.given, known.list.length - 1);
    known.given++;
    return known.list[at];
  }
}
