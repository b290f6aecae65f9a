// Results and events as printed by the consensus engine. Its three serializers omit different zero values.
import type { RecordedBlock, RecordedEvent, RecordedTx } from './block-stream.js';
import type { Genesis } from './genesis.js';

type Json = unknown;

function attributes(event: RecordedEvent): Json[] {
  return event.attributes.map(([key, value]) => ({ key, value, index: true }));
}

/** Formats a block event: an empty attribute list is omitted. */
export function blockEvent(event: RecordedEvent): Json {
  const type = event.wire_type ?? event.type;
  return event.attributes.length === 0 ? { type } : { type, attributes: attributes(event) };
}

function txEvent(event: RecordedEvent): Json {
  return { type: event.wire_type ?? event.type, attributes: attributes(event) };
}

/** Formats a transaction result with every member, as in `tx`, `tx_search` and `block_results`. */
export function txResult(tx: RecordedTx): Json {
  return {
    code: tx.code,
    data: tx.data === null || tx.data === '' ? null : tx.data,
    log: tx.log,
    info: '',
    gas_wanted: tx.gas_wanted,
    gas_used: tx.gas_used,
    events: tx.events.map(txEvent),
    codespace: tx.codespace,
  };
}

/** Formats a transaction result inside a websocket event: zero members are omitted. */
export function sparseTxResult(tx: RecordedTx): Json {
  return {
    ...(tx.code === 0 ? {} : { code: tx.code }),
    ...(tx.data === null || tx.data === '' ? {} : { data: tx.data }),
    ...(tx.log === '' ? {} : { log: tx.log }),
    ...(tx.gas_wanted === '0' ? {} : { gas_wanted: tx.gas_wanted }),
    ...(tx.gas_used === '0' ? {} : { gas_used: tx.gas_used }),
    ...(tx.events.length === 0 ? {} : { events: tx.events.map(blockEvent) }),
    ...(tx.codespace === '' ? {} : { codespace: tx.codespace }),
  };
}

/** Parameter "updates" that this application repeats in every block. */
export function paramUpdates(genesis: Genesis): Json {
  const { block, evidence, validator } = genesis.consensusParams;
  return { block, evidence, validator, version: {} };
}

/** Indexes events by `type.attribute`, as matched by queries. */
export function eventIndex(events: readonly RecordedEvent[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const event of events) {
    for (const [key, value] of event.attributes) {
      const name = `${event.wire_type ?? event.type}.${key}`;
      const values = index.get(name);
      if (values === undefined) index.set(name, [value]);
      else values.push(value);
    }
  }
  return index;
}

export function blockEvents(block: RecordedBlock): readonly RecordedEvent[] {
  return [...block.begin_block, ...block.end_block];
}
