export { type GrpcFailure, grpcError } from './error.js';
export { listServices } from './reflection.js';
export { type GrpcRequest, writeGrpcRequest } from './request.js';
export { readGrpcResponse } from './response.js';
export { createGrpcTransport } from './transport.js';
