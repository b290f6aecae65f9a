import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';
import type { RpcClient } from './rpc/client.js';
import type { Transport } from './transport.js';

export interface ConnectOptions {
  /** `host:port`, or `https://host:port` for TLS. */
  readonly grpc?: string | undefined;
  /** Base URL of the REST gateway. */
  readonly rest?: string | undefined;
  /** Base URL of the consensus RPC; queries over `abci_query` go there too. */
  readonly rpc?: string | undefined;
  /** Names that the node speaks. Default `auto`: found with the first call, and looked for again until it was found. */
  readonly naming?: Naming | 'auto' | undefined;
  /** Milliseconds until a call fails. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer accepted, in bytes. Default 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Given<O, K extends PropertyKey, T> = O extends { readonly [P in K]: string } ? T : T | undefined;

/** Transports of one node. A member is there when its address was given. No request is made before the first call. */
export interface Connection<O extends ConnectOptions = ConnectOptions> {
  readonly grpc: Given<O, 'grpc', Transport<'grpc'>>;
  readonly rest: Given<O, 'rest', Transport<'rest'>>;
  readonly abci: Given<O, 'rpc', Transport<'abci'>>;
  readonly rpc: Given<O, 'rpc', RpcClient>;
  /** The naming in use; with `auto` it is looked for now if it is not known yet. */
  readonly naming: NamingSource;
  close(): Promise<void>;
}

/**
 * Connects to one node over what is given of gRPC, REST and consensus RPC.
 *
 * @throws HubError `invalid_argument` when no address is given or one cannot be read.
 */
export declare function connect<const O extends ConnectOptions>(options: O): Connection<O>;
