import type { Block, Event, Header, TxResult } from '../rpc/results.js';

export interface NewBlockEvent {
  readonly kind: 'NewBlock';
  readonly height: bigint;
  readonly block: Block;
  readonly beginBlockEvents: readonly Event[];
  readonly endBlockEvents: readonly Event[];
}

export interface NewBlockHeaderEvent {
  readonly kind: 'NewBlockHeader';
  readonly height: bigint;
  readonly header: Header;
  readonly txCount: bigint;
}

export interface TxEvent {
  readonly kind: 'Tx';
  readonly height: bigint;
  readonly index: number;
  readonly tx: Uint8Array;
  readonly result: TxResult;
}

export type ChainEvent = NewBlockEvent | NewBlockHeaderEvent | TxEvent;

/** A subscription that the node has acknowledged. Ends with `return` or `close`; throws when the connection is lost. */
export interface Subscription<E extends ChainEvent = ChainEvent> extends AsyncIterable<E> {
  readonly query: string;
  close(): Promise<void>;
}
