import type { Naming } from './naming.js';
import { holdsLongNumber, jsonOf, parseJson } from './parse-json.js';
import type { MessageTable, TableValue } from './table.js';

type ReadJson = <T>(table: MessageTable<T>, json: unknown, naming?: Naming) => T;

/** Reads the text of an answer of the gateway with one of the decoders. */
export function readDocument<T>(read: ReadJson, table: MessageTable<T>, text: string, naming?: Naming): T {
  if (!holdsFreeJson(table)) {
    try {
      return read(table, jsonOf(text), naming);
    } catch (error) {
      // A long number where a field of 64 bits stands is refused, not rounded: read once more, exactly.
      if (!holdsLongNumber(text)) throw error;
    }
  }
  return read(table, parseJson(text), naming);
}

const known = new WeakMap<MessageTable, boolean>();

/** Whether a message may hold JSON of which no table says how large its numbers are, at whatever depth. */
function holdsFreeJson(table: MessageTable): boolean {
  let holds = known.get(table);
  if (holds === undefined) {
    // A message that holds itself holds nothing more by that.
    known.set(table, false);
    holds = table.fields.some((field) => shapeHoldsFreeJson(field.kind === 'map' ? field.value : field));
    known.set(table, holds);
  }
  return holds;
}

function shapeHoldsFreeJson(shape: TableValue): boolean {
  if (shape.kind === 'message') return holdsFreeJson(shape.message());
  return shape.kind === 'rawJson' || shape.kind === 'any';
}
