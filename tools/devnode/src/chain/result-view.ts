// Results and events as the consensus engine prints them: its three serialisers leave out different zero values.
import type { RecordedBlock, RecordedEvent, RecordedTx } from './block-stream.js';
import type { Genesis } from './genesis.js';

type Json = unknown;

function attributes(event: RecordedEvent): Json[] {
  return event.attributes.map(([key, value]) => ({ key, value, index: true }));
}

/** An event of a block: an empty list of attributes has no member. */
export function blockEvent(event: RecordedEvent): Json {
  const type = event.wire_type ?? event.type;
  return event.attributes.length === 0 ? { type } : { type, attributes: attributes(event) };
}

function txEvent(event: RecordedEvent): Json {
  return { type: event.wire_type ?? event.type, attributes: attributes(event) };
}

/** Result of a transaction with every member, as in `tx`, `tx_search` and `block_results`. */
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

/** Result of a transaction inside a websocket event: members that are zero are left out. */
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

/** Parameter "updates", which this application repeats with every block. */
export function paramUpdates(genesis: Genesis): Json {
  const { block, evidence, validator } = genesis.consensusParams;
  return { block, evidence, validator, version: {} };
}

/** Events by `type.attribute`, as queries see them. */
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
