/** The decoders of `decode.ts` for browsers: the small versions. */
import { readDocument } from './json-document.js';
import type { Naming } from './naming.js';
import { fromJson } from './read-json.js';
import type { MessageTable } from './table.js';

export { decodeBinary } from './decode-binary.js';
export { fromJson };

export function fromJsonText<T>(table: MessageTable<T>, text: string, naming?: Naming): T {
  return readDocument(fromJson, table, text, naming);
}
