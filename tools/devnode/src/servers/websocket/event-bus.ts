// Events for subscriptions, as published by the engine: one per block, one per block header, one per transaction.
import type { BlockView } from '../../chain/block-view.js';
import { blockEvent, blockEvents, eventIndex, paramUpdates, sparseTxResult } from '../../chain/result-view.js';
import { goJson } from '../rpc/go-json.js';

export interface BusEvent {
  /** Values by `type.attribute`, including `tm.event` and similar keys; queries match against these. */
  readonly index: ReadonlyMap<string, readonly string[]>;
  /** JSON of `data` and `events`, appended after the query. */
  readonly tail: string;
}

/** Receives an event. Resolves when there is room for the next one or the subscriber was dropped. */
export type Subscriber = (event: BusEvent) => Promise<void>;

/** Maximum number of clients with subscriptions; the node's own indexer counts as one of the 100. */
export const maxSubscriptionClients = 99;

export class EventBus {
  readonly #view: BlockView;
  readonly #subscribers = new Set<Subscriber>();
  /** Clients with at least one subscription. */
  readonly clients = new Set<unknown>();

  constructor(view: BlockView) {
    this.#view = view;
    view.playback.onBlock((height) => this.#publish(height));
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  async #publish(height: number): Promise<void> {
    if (this.#subscribers.size === 0) return;
    for (const event of this.#eventsOf(height)) {
      await Promise.all([...this.#subscribers].map((subscriber) => subscriber(event)));
    }
  }

  *#eventsOf(height: number): Generator<BusEvent> {
    const view = this.#view;
    const block = view.playback.block(height);
    const own = eventIndex(blockEvents(block));
    const results = {
      result_begin_block: { events: block.begin_block.map(blockEvent) },
      result_end_block: {
        validator_updates: block.validator_updates,
        consensus_param_updates: paramUpdates(view.genesis),
        events: block.end_block.map(blockEvent),
      },
    };
    yield this.#event(
      'NewBlock',
      { block: view.block(height), ...results },
      own,
      [['block.height', String(height)]],
      false,
    );
    const header = { header: view.header(height), num_txs: String(block.txs.length), ...results };
    yield this.#event('NewBlockHeader', header, own, [], false);
    const sent = view.mempool?.at(height).map(({ tx }) => tx) ?? [];
    for (const [index, tx] of [...block.txs, ...sent].entries()) {
      const result = {
        height: String(height),
        ...(index === 0 ? {} : { index }),
        tx: tx.tx,
        result: sparseTxResult(tx),
      };
      const keys: [string, string][] = [
        ['tx.hash', tx.hash],
        ['tx.height', String(height)],
      ];
      yield this.#event('Tx', { TxResult: result }, eventIndex(tx.events), keys, true);
    }
  }

  /** `shown` keys also appear in the frame's `events`; the other keys are used only for matching. */
  #event(
    kind: string,
    value: unknown,
    own: ReadonlyMap<string, readonly string[]>,
    keys: readonly [string, string][],
    shown: boolean,
  ): BusEvent {
    const index = new Map(own);
    index.set('tm.event', [kind]);
    const visible = new Map(index);
    for (const [key, text] of keys) {
      index.set(key, [text]);
      if (shown) visible.set(key, [text]);
    }
    const data = { type: this.#view.tag(`bft/event/${kind}`), value };
    return { index, tail: `"data":${goJson(data)},"events":${goJson(Object.fromEntries(visible))}` };
  }
}
