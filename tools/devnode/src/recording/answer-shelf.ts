/**
 * Which of several recorded answers to one request is given: `in-order` gives the first to the first asker, the next to
 * the next, and stays with the last; `last` always gives the last, the state in which the recording left the node.
 * Of 12,410 requests that were recorded, 43 have several different answers.
 */
export type Repeats = 'in-order' | 'last';

/** Recorded answers by what was sent. */
export class AnswerShelf<T> {
  readonly #repeats: Repeats;
  readonly #answers = new Map<string, { readonly list: T[]; given: number }>();

  constructor(repeats: Repeats) {
    this.#repeats = repeats;
  }

  /** Number of different requests. */
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
