export { createRestTransport } from './transport.js';
