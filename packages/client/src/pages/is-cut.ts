import type { AnyMethod, List } from '@hubwatch/types/runtime/method';

/** Records of a page if the request has no limit. @source proto/spec/lists.yaml, default_page_size */
const defaultPage = 100;

interface ListResponse {
  readonly pagination?: { readonly nextKey?: Uint8Array; readonly total?: bigint };
  readonly total?: bigint;
}

/**
 * `isCut` of an answer: set where the answer is a list and the node has more records than this page holds, because it gives a
 * next key, or counts more than it gave. A list that gives no next key is cut where its default page is full.
 */
export function isCut(method: AnyMethod & Partial<List>, message: unknown): { readonly isCut?: true } {
  const { list } = method;
  if (list === undefined) return {};
  const { pagination, total = pagination?.total ?? 0n } = message as ListResponse;
  if ((pagination?.nextKey?.length ?? 0) > 0) return { isCut: true };
  const records = (message as Readonly<Record<string, readonly unknown[] | undefined>>)[list.items] ?? [];
  if (list.keyFirst === true) return records.length === defaultPage ? { isCut: true } : {};
  // By key the last page has no next key, and its total, where it was counted, is that of the whole list.
  return list.paging !== 'key' && total > BigInt(records.length) ? { isCut: true } : {};
}
