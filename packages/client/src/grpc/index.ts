export { type GrpcFailure, grpcError } from './error.js';
export { createGrpcTransport, listServices } from './lazy.js';
export { type GrpcRequest, writeGrpcRequest } from './request.js';
export { readGrpcResponse } from './response.js';
