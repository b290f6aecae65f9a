import type { TransportOptions } from '../options.js';
import type { RpcClient } from './client.js';

export declare function createRpcClient(options: TransportOptions): RpcClient;
