import type { TransportOptions } from '../options.js';
import type { Transport } from '../transport.js';

export declare function createGrpcTransport(options: TransportOptions): Transport<'grpc'>;
