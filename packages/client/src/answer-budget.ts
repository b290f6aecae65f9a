/** Bytes that one answer holds while it is received. */
export interface HeldBytes {
  /** Counts received bytes. Returns why the answer must be given up, `undefined` while it may go on. */
  add(bytes: number): string | undefined;
  /** Gives the bytes back, when the answer has been read or given up. */
  free(): void;
}

interface Holder {
  readonly maxBytes: number;
  readonly end: (reason: string) => void;
  bytes: number;
}

/**
 * Memory that the answers of all endpoints and transports share while they are received. When it is used up, the answer that
 * has used the largest part of its own limit is given up, so that small answers keep their own outcome.
 */
export class AnswerBudget {
  /** Memory that may be held together; a new value applies from the next byte on. */
  maxBytes: number;
  private used = 0;
  private readonly holders = new Set<Holder>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Bytes that are held now. */
  get usedBytes(): number {
    return this.used;
  }

  /**
   * Registers an answer.
   *
   * @param maxBytes limit of this answer alone
   * @param end called with the reason when the answer is given up in favour of others
   */
  open(maxBytes: number, end: (reason: string) => void): HeldBytes {
    const holder: Holder = { maxBytes, end, bytes: 0 };
    return {
      add: (bytes) => {
        holder.bytes += bytes;
        this.used += bytes;
        this.holders.add(holder);
        let reason: string | undefined;
        if (holder.bytes > maxBytes) {
          reason = `larger than the limit of ${maxBytes} bytes; ask for a smaller page or raise maxBytes`;
          this.free(holder);
        }
        while (this.used > this.maxBytes) {
          const largest = [...this.holders].reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one));
          this.free(largest);
          const text = `too large for the ${this.maxBytes} bytes that all answers share`;
          if (largest === holder) reason = text;
          else largest.end(text);
        }
        return reason;
      },
      free: () => this.free(holder),
    };
  }

  private free(holder: Holder): void {
    this.used -= holder.bytes;
    holder.bytes = 0;
    this.holders.delete(holder);
  }
}

function shareOf({ bytes, maxBytes }: Holder): number {
  return bytes / maxBytes;
}

/** Budget of every transport that is given no other: twice the default limit of one answer. */
export const sharedBudget: AnswerBudget = new AnswerBudget(64 * 1024 * 1024);
