import type { Paging } from '@hubwatch/types/runtime/method';

/** Start of the next page. */
export type Cursor =
  | { readonly by: 'key'; readonly key: Uint8Array }
  | { readonly by: 'offset'; readonly offset: bigint }
  | { readonly by: 'page'; readonly page: bigint };

/**
 * A key that sorts before every record, and one that sorts after: they force paging by key on lists that do not start
 * it.
 */
const firstKey = Uint8Array.of(0x00);
const lastKey = Uint8Array.of(0xff);

/** Lists that return no next key for a request without a key start at a key. @source proto/spec/lists.yaml, defects */
export function startOf(paging: Paging, keyFirst: boolean, reverse: boolean): Cursor {
  if (paging === 'offset') return { by: 'offset', offset: 0n };
  if (paging === 'page') return { by: 'page', page: 1n };
  return { by: 'key', key: keyFirst ? (reverse ? lastKey : firstKey) : new Uint8Array(0) };
}

/** Maximum number of records on a page of a list that is not paged by key. */
const cappedSize = 100;

export function sizeOf(paging: Paging, pageSize: number): number {
  return paging === 'key' ? pageSize : Math.min(pageSize, cappedSize);
}

/** Request members that select a page. */
export function pageMembers(cursor: Cursor, size: number, reverse: boolean): Readonly<Record<string, unknown>> {
  const limit = BigInt(size);
  if (cursor.by === 'page') return { page: cursor.page, limit };
  const turned = reverse ? { reverse } : {};
  // Neither a count nor two methods at once: some lists refuse them, and a count reads the whole list.
  if (cursor.by === 'offset') return { pagination: { offset: cursor.offset, limit, ...turned } };
  return { pagination: { ...(cursor.key.length === 0 ? {} : { key: cursor.key }), limit, ...turned } };
}

/** Text of a cursor: two equal ones mean that the pages of the node form a cycle. */
export function fieldNameOf(cursor: Cursor): string {
  if (cursor.by === 'key') return String.fromCharCode(...cursor.key);
  return String(cursor.by === 'page' ? cursor.page : cursor.offset);
}
