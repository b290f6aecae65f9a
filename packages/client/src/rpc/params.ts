/** How one parameter is written in JSON-RPC: 64-bit numbers as text, `bytes` as base64, `hex` without `0x`. */
export type ParamKind = 'string' | 'int' | 'bool' | 'bytes' | 'hex' | 'strings' | 'json';

/** Parameters of every method that can be called over HTTP without unsafe mode, in positional order. */
export const rpcParams = {
  health: {},
  status: {},
  net_info: {},
  blockchain: { minHeight: 'int', maxHeight: 'int' },
  genesis: {},
  genesis_chunked: { chunk: 'int' },
  block: { height: 'int' },
  block_by_hash: { hash: 'bytes' },
  block_results: { height: 'int' },
  commit: { height: 'int' },
  header: { height: 'int' },
  header_by_hash: { hash: 'hex' },
  check_tx: { tx: 'bytes' },
  tx: { hash: 'bytes', prove: 'bool' },
  tx_search: { query: 'string', prove: 'bool', page: 'int', per_page: 'int', order_by: 'string' },
  block_search: { query: 'string', page: 'int', per_page: 'int', order_by: 'string' },
  validators: { height: 'int', page: 'int', per_page: 'int' },
  dump_consensus_state: {},
  consensus_state: {},
  consensus_params: { height: 'int' },
  unconfirmed_txs: { limit: 'int' },
  num_unconfirmed_txs: {},
  broadcast_tx_async: { tx: 'bytes' },
  broadcast_tx_sync: { tx: 'bytes' },
  broadcast_tx_commit: { tx: 'bytes' },
  abci_query: { path: 'string', data: 'hex', height: 'int', prove: 'bool' },
  abci_info: {},
  broadcast_evidence: { evidence: 'json' },
} as const satisfies Record<string, Readonly<Record<string, ParamKind>>>;

export type RpcMethod = keyof typeof rpcParams;

interface ParamTypes {
  readonly string: string;
  readonly int: bigint | number;
  readonly bool: boolean;
  readonly bytes: Uint8Array;
  readonly hex: Uint8Array;
  readonly strings: readonly string[];
  readonly json: unknown;
}

/** Parameters of a method by name; what is left out is absent on the wire. */
export type RpcParams<M extends RpcMethod> = {
  readonly [P in keyof (typeof rpcParams)[M]]?: (typeof rpcParams)[M][P] extends infer K extends ParamKind
    ? ParamTypes[K] | undefined
    : never;
};
