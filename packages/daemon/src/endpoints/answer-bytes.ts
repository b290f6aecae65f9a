import type { RpcMethod } from '@hubwatch/client/rpc';
import type { AnyMethod } from '@hubwatch/types/runtime/method';

const mebibyte = 1024 * 1024;

/**
 * How large answers may be. An endpoint that was never found usable is asked for small ones alone, so that hostile endpoints
 * cannot hold much memory, however many there are.
 */
export const answerBytes = {
  /** One record, a status, a header. */
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

/** Largest answer to a query. */
export const bytesOfQuery = (method: AnyMethod): number => ('list' in method ? answerBytes.page : answerBytes.small);

/** Largest answer of the consensus RPC. */
export const bytesOfRpc = (method: RpcMethod): number =>
  blockMethods.has(method) ? answerBytes.block : answerBytes.small;
