import type { HeldBytes } from '../answer-budget.js';

/** Bytes before each message: the compression flag and the length. */
const headBytes = 5;

/** Why the bytes of a response are not a message. */
export type MessageFault = { readonly code: 'limit' | 'internal' | 'decode'; readonly text: string };

/** Assembles the single message of a response from its chunks. */
export class MessageReader {
  isPacked = false;
  private readonly head = Buffer.alloc(headBytes);
  private readonly maxBytes: number;
  private readonly held: HeldBytes;
  private headLength = 0;
  private message: Buffer | undefined;
  private length = 0;

  constructor(maxBytes: number, held: HeldBytes) {
    this.maxBytes = maxBytes;
    this.held = held;
  }

  /** Adds a chunk; returns the fault of the response, if any. */
  push(part: Buffer): MessageFault | undefined {
    const reason = this.held.add(part.length);
    if (reason !== undefined) return { code: 'limit', text: `the answer is ${reason}` };
    const inHead = Math.min(headBytes - this.headLength, part.length);
    part.copy(this.head, this.headLength, 0, inHead);
    this.headLength += inHead;
    if (this.headLength < headBytes) return undefined;
    const fault = this.message === undefined ? this.begin() : undefined;
    const message = this.message as Buffer;
    const rest = part.length - inHead;
    if (fault !== undefined) return fault;
    if (rest > message.length - this.length) return { code: 'internal', text: 'more than one message came' };
    this.length += part.copy(message, this.length, inHead);
    return undefined;
  }

  /** Returns the message once it is complete, and releases it. */
  take(): Buffer | undefined {
    const { message } = this;
    if (message === undefined || this.length < message.length) return undefined;
    this.message = undefined;
    return message;
  }

  private begin(): MessageFault | undefined {
    const flag = this.head[0] as number;
    const length = this.head.readUInt32BE(1);
    this.message = Buffer.alloc(0);
    if (flag > 1) return { code: 'decode', text: `a message begins with ${flag}; 0 or 1 is expected` };
    if (length > this.maxBytes) {
      const text = `the answer is larger than the limit of ${this.maxBytes} bytes; ask for a smaller page or raise maxBytes`;
      return { code: 'limit', text };
    }
    this.isPacked = flag === 1;
    // Not zeroed before its bytes arrive: a peer that only announces a length costs no memory.
    this.message = Buffer.allocUnsafeSlow(length);
    return undefined;
  }
}
