import type { AnyMethod, List } from '@hubwatch/types/runtime/method';

/** Records of a page if the request has no limit. @source proto/spec/lists.yaml, default_page_size */
const defaultPage = 100;

interface ListResponse {
  readonly pagination?: { readonly nextKey?: Uint8Array; readonly total?: bigint };
  readonly total?: bigint;
}

/**
 * `isCut` of a response: set if the response is a list and the node has more records than this page contains. This is
 * the case if it returns a next key, or a total above the number of records. A list that returns no next key is
 * truncated if its default page is full.
 */
export function isCut(method: AnyMethod & Partial<List>, message: unknown): { readonly isCut?: true } {
  const { list } = method;
  if (list === undefined) return {};
  const { pagination, total = pagination?.total ?? 0n } = message as ListResponse;
  if ((pagination?.nextKey?.length ?? 0) > 0) return { isCut: true };
  const records = (message as Readonly<Record<string, readonly unknown[] | undefined>>)[list.items] ?? [];
  if (list.keyFirst === true) return records.length === defaultPage ? { isCut: true } : {};
  // With paging by key, the last page has no next key, and a counted total is that of the whole list.
  return list.paging !== 'key' && total > BigInt(records.length) ? { isCut: true } : {};
}
