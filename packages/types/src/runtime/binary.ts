/** The binary codec: protobuf bytes to and from the one decoded form. */
export { CodecError } from './codec-error.js';
export { decodeBinary } from './decode-binary.js';
export { encodeBinary } from './encode-binary.js';
