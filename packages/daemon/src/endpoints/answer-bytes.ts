import type { RpcMethod } from '@hubwatch/client/rpc';
import type { AnyMethod } from '@hubwatch/types/runtime/method';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/**
 * How large answers may be. An endpoint that was never found usable is asked for small ones alone, so that hostile endpoints
 * cannot hold much memory, however many there are.
 */
export const answerBytes = {
  /** What every endpoint is asked for in every round: a status, parameters, names of services. Those of a node have 5 kB. */
  probe: 64 * kibibyte,
  /** One record, a block of a query, a list of peers. */
  small: mebibyte,
  /** A page of a list; a larger one is asked for in halves. */
  page: 4 * mebibyte,
  /** A block with what its execution brought. */
  block: 16 * mebibyte,
  /** All answers that are being received. */
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

/** Largest answer to a query. */
export const bytesOfQuery = (method: AnyMethod): number => {
  if ('list' in method) return answerBytes.page;
  return /Params$/.test(method.name) ? answerBytes.probe : answerBytes.small;
};

/** Largest answer of the consensus RPC. */
export const bytesOfRpc = (method: RpcMethod): number => {
  if (probeMethods.has(method)) return answerBytes.probe;
  return blockMethods.has(method) ? answerBytes.block : answerBytes.small;
};
