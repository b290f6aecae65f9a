import type { DeliveryError } from './delivery-error.js';
import type { Waiting } from './outbox.js';

/** Number of failures after which the next notice is tried instead, while nothing is accepted. */
const triesEach = 4;

/**
 * Order of attempts: the oldest notice first. A notice that fails while others to the same recipient are accepted comes last.
 * While nothing is accepted, no notice is retried forever at the expense of the others. A failure to connect gives no
 * information about the notice.
 */
export class SendingOrder {
  /** Failures of a notice since the last accepted notice. */
  readonly #failures = new Map<number, number>();
  /** Failures of notices that are themselves the cause. */
  readonly #atFault = new Map<number, number>();
  /** The notice that failed last for each recipient, if none was accepted since. */
  readonly #suspects = new Map<string, number>();

  sorted(due: readonly Waiting[]): readonly Waiting[] {
    const known = new Set(due.map(({ seq }) => seq));
    for (const seq of this.#atFault.keys()) if (!known.has(seq)) this.#atFault.delete(seq);
    const rank = ({ seq }: Waiting): number =>
      this.#atFault.has(seq) ? Number.POSITIVE_INFINITY : Math.floor((this.#failures.get(seq) ?? 0) / triesEach);
    return due.toSorted(
      (a, b) =>
        compare(rank(a), rank(b)) || compare(this.#atFault.get(a.seq), this.#atFault.get(b.seq)) || a.seq - b.seq,
    );
  }

  /** Whether a notice has failed several times while others were accepted. */
  isAtFault({ seq }: Waiting): boolean {
    return (this.#atFault.get(seq) ?? 0) >= triesEach;
  }

  accepted({ seq, recipient }: Waiting): void {
    const suspect = this.#suspects.get(recipient);
    if (suspect !== undefined && suspect !== seq) this.#blame(suspect);
    this.#suspects.delete(recipient);
    this.#failures.clear();
    this.#atFault.delete(seq);
  }

  failed({ seq, recipient }: Waiting, { reason, scope }: DeliveryError): void {
    if (scope === 'notice') {
      this.#blame(seq);
      return;
    }
    if (reason === 'unreachable') return;
    this.#failures.set(seq, (this.#failures.get(seq) ?? 0) + 1);
    this.#suspects.set(recipient, seq);
  }

  #blame(seq: number): void {
    this.#atFault.set(seq, (this.#atFault.get(seq) ?? 0) + 1);
  }
}

const compare = (a = 0, b = 0): number => (a === b ? 0 : a < b ? -1 : 1);
