/** The decoders of `decode.ts` as a browser gets them: the small ones. */
export { decodeBinary } from './decode-binary.js';
export { fromJson } from './read-json.js';
