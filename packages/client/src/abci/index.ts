export { type AbciParams, writeAbciRequest } from './request.js';
export { readAbciResponse } from './response.js';
export { createAbciTransport } from './transport.js';
