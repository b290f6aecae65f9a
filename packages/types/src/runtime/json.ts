/** The JSON codec: the REST gateway's dialect to and from the one decoded form. */
export { CodecError } from './codec-error.js';
export { parseJson } from './parse-json.js';
export { fromJson } from './read-json.js';
export { toGatewayJson } from './write-json.js';
