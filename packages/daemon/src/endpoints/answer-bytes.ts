import type { RpcMethod } from '@hubwatch/client/rpc';
import type { AnyMethod } from '@hubwatch/types/runtime/method';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/**
 * Response size limits. An endpoint that was never found usable gets only small requests, so that any number of hostile
 * endpoints cannot hold much memory.
 */
export const answerBytes = {
  /**
   * Requests sent to every endpoint in every round: status, parameters, service names. A node responds with about 5 kB.
   */
  probe: 64 * kibibyte,
  /** One record, one block from a query, one list of peers. */
  small: mebibyte,
  /** A list page; a larger page is requested in halves. */
  page: 4 * mebibyte,
  /** A block with its execution results. */
  block: 16 * mebibyte,
  /** Total of all responses being received. */
  together: 24 * mebibyte,
} as const;

const blockMethods: ReadonlySet<RpcMethod> = new Set<RpcMethod>([
  'block',
  'block_results',
  'block_search',
  'tx',
  'tx_search',
  'genesis_chunked',
]);

const probeMethods: ReadonlySet<RpcMethod> = new Set<RpcMethod>([
  'health',
  'status',
  'abci_info',
  'header',
  'num_unconfirmed_txs',
  'consensus_params',
]);

/** Maximum response size of a query. */
export const bytesOfQuery = (method: AnyMethod): number => {
  if ('list' in method) return answerBytes.page;
  return /Params$/.test(method.name) ? answerBytes.probe : answerBytes.small;
};

/** Maximum response size of a consensus RPC method. */
export const bytesOfRpc = (method: RpcMethod): number => {
  if (probeMethods.has(method)) return answerBytes.probe;
  return blockMethods.has(method) ? answerBytes.block : answerBytes.small;
};
