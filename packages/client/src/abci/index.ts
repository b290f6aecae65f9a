export { createAbciTransport } from './transport.js';
