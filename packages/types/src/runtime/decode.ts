/**
 * Both decoders into the one form, each the fastest that the platform has: compiled of the tables in Node, the small table
 * walk in bundles for browsers (condition `browser`). Forms and errors are the same.
 */
export { decodeBinaryFast as decodeBinary } from './compile-decoder.js';
export { fromJsonFast as fromJson } from './compile-json-decoder.js';
