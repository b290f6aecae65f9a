import type { RpcHttpMethod, RpcParams as RpcParamsByMethod } from '@hubwatch/types/gen/rpc/methods';
import type { EventKind, EventQuery } from '../websocket/event-query.js';

/** Methods that every node serves over HTTP. */
export type RpcMethod = RpcHttpMethod;

/** Parameters of a search, with a typed query as an alternative to text. */
type Search<M extends 'tx_search' | 'block_search', K extends EventKind> = Omit<RpcParamsByMethod[M], 'query'> & {
  readonly query: string | EventQuery<K>;
};

/** A hash as bytes or as hex text, regardless of its form on the wire. */
type ByHash<M extends 'tx' | 'block_by_hash' | 'header_by_hash'> = Omit<RpcParamsByMethod[M], 'hash'> & {
  readonly hash: Uint8Array | string;
};

interface Params
  extends Omit<RpcParamsByMethod, 'tx_search' | 'block_search' | 'tx' | 'block_by_hash' | 'header_by_hash'> {
  readonly tx: ByHash<'tx'>;
  readonly block_by_hash: ByHash<'block_by_hash'>;
  readonly header_by_hash: ByHash<'header_by_hash'>;
  readonly tx_search: Search<'tx_search', 'Tx'>;
  readonly block_search: Search<'block_search', 'NewBlock'>;
}

/**
 * Parameters of a method by name; omitted ones are absent on the wire. A search accepts a typed query, or its text in
 * neutral names.
 */
export type RpcParams<M extends RpcMethod> = Params[M];
