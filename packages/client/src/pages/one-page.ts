import type { ItemOf, RequestOf, TransportKind } from '@hubwatch/types/runtime/method';
import { HubError } from '../error.js';
import { placeOf, placeText } from '../place.js';
import type { CallOptions, Transport } from '../transport.js';
import { itemsOf, type ListMethod, paginationOf } from './sweep.js';

/** One page of a list, as requested. */
export interface OnePage<T> {
  readonly items: readonly T[];
  readonly height: bigint | undefined;
  /** Key of the next page; `undefined` on the last one, and on pages of lists that return none. */
  readonly nextKey: Uint8Array | undefined;
  /** Number of records in the whole list; `undefined` if it was not counted, or not counted correctly. */
  readonly total: bigint | undefined;
  /** Set if the node has more records than this page. */
  readonly isCut?: true;
}

/**
 * Reads one page of a list by a PageRequest of the caller, with the offset, count and order of the node.
 *
 * @throws HubError as any call, and `invalid_argument` for an offset into a list that supports only paging by key
 * @source proto/spec/lists.yaml
 */
export async function onePage<K extends TransportKind, M extends ListMethod>(
  transport: Transport<K>,
  method: M,
  request: RequestOf<M, K>,
  options?: CallOptions,
): Promise<OnePage<ItemOf<M>>> {
  const { offset = 0n } = (request as { readonly pagination?: { offset?: bigint } }).pagination ?? {};
  if (method.list.keyFirst === true && offset > 0n) {
    const place = placeOf(method, transport.kind, transport.address, options?.height);
    const text = `the list pages by key alone; the node would leave out the offset ${offset}`;
    throw new HubError({ code: 'invalid_argument', message: `${placeText(place)}: ${text}`, ...place });
  }
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
 * Whether the node returns a correct total for this request. It counts on request or without a limit, but never from a
 * key. Lists that support only paging by key count only one page.
 */
function isCounted(request: unknown, { list }: ListMethod): boolean {
  const asked = (request as { readonly pagination?: { key?: Uint8Array; limit?: bigint; countTotal?: boolean } })
    .pagination;
  if (list.keyFirst === true || (asked?.key?.length ?? 0) > 0) return false;
  return list.paging !== 'key' || asked?.countTotal === true || (asked?.limit ?? 0n) === 0n;
}
