/** Bytes that one response occupies while it is received. */
export interface HeldBytes {
  /** Counts received bytes. Returns the reason if the response must be aborted, else `undefined`. */
  add(bytes: number): string | undefined;
  /** Returns the bytes to the budget, after the response has been read or aborted. */
  free(): void;
}

interface Holder {
  readonly maxBytes: number;
  readonly end: (reason: string) => void;
  bytes: number;
}

/**
 * Memory that the responses of all endpoints and transports share while they are received. When it is used up, the
 * response that has used the largest part of its own limit is aborted, so that small responses are not affected.
 */
export class AnswerBudget {
  /** Limit of the bytes in use; a new value applies from the next byte on. */
  maxBytes: number;
  private used = 0;
  private readonly holders = new Set<Holder>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Bytes currently in use. */
  get usedBytes(): number {
    return this.used;
  }

  /**
   * Registers a response.
   *
   * @param maxBytes limit of this response alone
   * @param end called with the reason when the response is aborted in favour of others
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

/** Default budget of all transports: twice the default limit of one response. */
export const sharedBudget: AnswerBudget = new AnswerBudget(64 * 1024 * 1024);
