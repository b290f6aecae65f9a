/**
 * The decoders into the one form, each the fastest available: compiled from the tables in Node, the small table walk in
 * bundles for browsers (condition `browser`). Forms and errors are the same.
 */
import { fromJsonFast } from './compile-json-decoder.js';
import { readDocument } from './json-document.js';
import type { Naming } from './naming.js';
import type { MessageTable } from './table.js';

export { decodeBinaryFast as decodeBinary } from './compile-decoder.js';
export { fromJsonFast as fromJson } from './compile-json-decoder.js';

/**
 * Reads the text of a gateway response. No number loses a digit, whether the node quotes it or not.
 *
 * @throws CodecError with the path of the member that does not fit; SyntaxError when the text is not JSON
 */
export function fromJsonText<T>(table: MessageTable<T>, text: string, naming?: Naming): T {
  return readDocument(fromJsonFast, table, text, naming);
}
