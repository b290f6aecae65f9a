import type { Block, BlockId, ConsensusParams, Event, Header, TxResult, ValidatorUpdate } from '../rpc/results.js';

export interface NewBlockEvent {
  readonly kind: 'NewBlock';
  readonly height: bigint;
  readonly block: Block;
  /** Engine 0.38 only. */
  readonly blockId: BlockId | undefined;
  /** Engine 0.37 only, like the events of the end of the block. */
  readonly beginBlockEvents: readonly Event[];
  readonly endBlockEvents: readonly Event[];
  /** Engine 0.38 only: the events of begin and end in one list. */
  readonly finalizeBlockEvents: readonly Event[];
  /** Engine 0.38 only: one for each transaction. Engine 0.37 sends them in separate events. */
  readonly txResults: readonly TxResult[] | undefined;
  readonly validatorUpdates: readonly ValidatorUpdate[];
  /** Only the parameters that change with this block. */
  readonly paramUpdates: ConsensusParams | undefined;
  /** Hash of the state after this block; engine 0.38 only. */
  readonly appHash: Uint8Array | undefined;
}

export interface NewBlockHeaderEvent {
  readonly kind: 'NewBlockHeader';
  readonly height: bigint;
  readonly header: Header;
  /** Engine 0.37 only. */
  readonly txCount: bigint | undefined;
}

export interface TxEvent {
  readonly kind: 'Tx';
  readonly height: bigint;
  readonly index: number;
  readonly tx: Uint8Array;
  readonly result: TxResult;
}

export type ChainEvent = NewBlockEvent | NewBlockHeaderEvent | TxEvent;

/** A subscription that the node has acknowledged. Ends with `close`; iterating throws when the connection is lost. */
export interface Subscription<E extends ChainEvent = ChainEvent> extends AsyncIterable<E> {
  readonly query: string;
  close(): Promise<void>;
}

/**
 * Maximum number of events that wait for the reader. The node buffers at most 400, so a reader this slow would be cut
 * off anyway.
 */
const maxWaiting = 10_000;
/** Maximum size of the events that wait for the reader, as received. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** Queue between the connection and the single reader of a subscription. */
export class EventQueue<E> implements AsyncIterableIterator<E> {
  private readonly waiting: { readonly event: E; readonly bytes: number }[] = [];
  private waitingBytes = 0;
  private wake: (() => void) | undefined;
  private ended = false;
  private failure: Error | undefined;
  private readonly onReturn: () => void;
  private readonly overflow: (count: number) => Error;

  /** @param overflow creates the failure that ends the queue when `count` events wait. */
  constructor(onReturn: () => void, overflow: (count: number) => Error) {
    this.onReturn = onReturn;
    this.overflow = overflow;
  }

  /** Adds an event of the given size; returns `false` if the queue has ended, possibly because of this event. */
  push(event: E, bytes: number): boolean {
    if (this.ended) return false;
    this.waiting.push({ event, bytes });
    this.waitingBytes += bytes;
    if (this.waiting.length > maxWaiting || this.waitingBytes > maxWaitingBytes) {
      this.end(this.overflow(this.waiting.length));
    }
    this.wake?.();
    return !this.ended;
  }

  /** Ends the queue; waiting events are still delivered, then the failure is thrown. */
  end(failure?: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    this.wake?.();
  }

  async next(): Promise<IteratorResult<E>> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) {
        this.waitingBytes -= next.bytes;
        return { done: false, value: next.event };
      }
      if (this.failure !== undefined) throw this.failure;
      if (this.ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<E>> {
    // A reader that leaves gets neither the waiting events nor the failure after them.
    this.waiting.length = 0;
    this.failure = undefined;
    this.end();
    this.onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
