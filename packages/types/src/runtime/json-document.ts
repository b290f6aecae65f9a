import type { Naming } from './naming.js';
import { holdsLongNumber, jsonOf, parseJson } from './parse-json.js';
import type { MessageTable, TableValue } from './table.js';

type ReadJson = <T>(table: MessageTable<T>, json: unknown, naming?: Naming) => T;

/** Reads the text of a gateway response with one of the decoders. */
export function readDocument<T>(read: ReadJson, table: MessageTable<T>, text: string, naming?: Naming): T {
  if (!holdsFreeJson(table)) {
    try {
      return read(table, jsonOf(text), naming);
    } catch (error) {
      // A long number in a 64-bit field is rejected instead of rounded: the text is parsed again, exactly.
      if (!holdsLongNumber(text)) throw error;
    }
  }
  return read(table, parseJson(text), naming);
}

const known = new WeakMap<MessageTable, boolean>();

/** Whether a message may contain JSON without a table, in which numbers can have any size, at any depth. */
function holdsFreeJson(table: MessageTable): boolean {
  let holds = known.get(table);
  if (holds === undefined) {
    // A recursive message contains nothing more because of the recursion.
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
