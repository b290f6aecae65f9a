import type { ItemOf, RequestOf, TransportKind } from '@hubwatch/types/runtime/method';
import type { CallOptions, Transport } from '../transport.js';
import { itemsOf, type ListMethod, paginationOf } from './sweep.js';

/** One page as it was asked for. */
export interface OnePage<T> {
  readonly items: readonly T[];
  readonly height: bigint | undefined;
  /** Key of the next page; `undefined` on the last one, and on pages of lists that give none. */
  readonly nextKey: Uint8Array | undefined;
  /** Records of the whole list; `undefined` where they were not counted, or not counted rightly. */
  readonly total: bigint | undefined;
  /** Set where the node has more records than this page. */
  readonly isCut?: true;
}

/**
 * One page of a list by a PageRequest of the caller: offset, count and order as the node has them.
 *
 * @throws HubError as any call
 * @source gateway §2.8, hub messages §0.4
 */
export async function onePage<K extends TransportKind, M extends ListMethod>(
  transport: Transport<K>,
  method: M,
  request: RequestOf<M, K>,
  options?: CallOptions,
): Promise<OnePage<ItemOf<M>>> {
  const { message, height, isCut } = await transport.call(method, request, options);
  const items = itemsOf<ItemOf<M>>(message, method.list);
  const { nextKey, total } = paginationOf(message) ?? {};
  return {
    items,
    height,
    ...(isCut && { isCut }),
    nextKey: nextKey === undefined || nextKey.length === 0 ? undefined : nextKey,
    total: isCounted(request, method) && total !== undefined && total >= BigInt(items.length) ? total : undefined,
  };
}

/**
 * Whether the node counts what is asked so: on request or without a limit, never from a key, and the lists that page by key
 * alone count no further than a page.
 */
function isCounted(request: unknown, { list }: ListMethod): boolean {
  const asked = (request as { readonly pagination?: { key?: Uint8Array; limit?: bigint; countTotal?: boolean } })
    .pagination;
  if (list.keyFirst === true || (asked?.key?.length ?? 0) > 0) return false;
  return list.paging !== 'key' || asked?.countTotal === true || (asked?.limit ?? 0n) === 0n;
}
