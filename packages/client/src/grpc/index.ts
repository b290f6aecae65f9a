export { createGrpcTransport } from './transport.js';
export { listServices } from './reflection.js';
