// Pagination of lists, reimplementing the node's two page functions, including overflow of 64-bit counts.
import type { PageRequest, PageResponse } from '@hubwatch/types/gen/forms/stack/base/query/v1beta1/pagination';
import { QueryError } from './query-error.js';

export interface Entry<T> {
  /** Key of the entry within the list; entries are in ascending key order. */
  readonly key: Buffer;
  readonly value: T;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: PageResponse;
}

const defaultLimit = 100n;
const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const noKey = new Uint8Array();

interface Asked {
  readonly key: Buffer;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

function askedOf(page: PageRequest | undefined, code: number, prefix: string): Asked {
  const key = Buffer.from(page?.key ?? noKey);
  const offset = page?.offset ?? 0n;
  if (offset > 0n && key.length > 0) {
    throw new QueryError(code, `${prefix}invalid request, either offset or key is expected, got both`);
  }
  const limit = page?.limit ?? 0n;
  return {
    key,
    offset,
    limit: limit === 0n ? defaultLimit : limit,
    countTotal: limit === 0n || (page?.countTotal ?? false),
    reverse: page?.reverse ?? false,
  };
}

/** Entries in the order of traversal, starting at the requested key if one was sent. */
function visited<T>(entries: readonly Entry<T>[], { key, reverse }: Asked): readonly Entry<T>[] {
  if (key.length === 0) return reverse ? [...entries].reverse() : entries;
  const from = entries.findIndex((entry) => Buffer.compare(entry.key, key) >= 0);
  if (!reverse) return from === -1 ? [] : entries.slice(from);
  return (from === -1 ? [...entries] : entries.slice(0, from + 1)).reverse();
}

/** The regular page function. `refusal` is the error code and text prefix used when both key and offset are set. */
export function paginate<T>(
  entries: readonly Entry<T>[],
  page: PageRequest | undefined,
  refusal: { readonly code: number; readonly prefix: string } = { code: 13, prefix: '' },
): Page<T> {
  const asked = askedOf(page, refusal.code, refusal.prefix);
  const items: T[] = [];
  let nextKey: Uint8Array = noKey;
  if (asked.key.length > 0) {
    for (const entry of visited(entries, asked)) {
      if (BigInt(items.length) === asked.limit) {
        nextKey = entry.key;
        break;
      }
      items.push(entry.value);
    }
    return { items, pagination: { nextKey, total: 0n } };
  }
  const end = wrap(asked.offset + asked.limit);
  let count = 0n;
  for (const entry of visited(entries, asked)) {
    count++;
    if (count <= asked.offset) continue;
    if (count <= end) items.push(entry.value);
    else if (count === wrap(end + 1n)) {
      nextKey = entry.key;
      if (!asked.countTotal) break;
    }
  }
  return { items, pagination: { nextKey, total: asked.countTotal ? count : 0n } };
}

/**
 * The page function of the two defective lists. Their filter counts a match only until the page is full. As a result,
 * paging without a key returns no next key, the total never exceeds the limit, and an offset returns an empty page.
 */
export function paginateDefective<T>(
  entries: readonly Entry<T>[],
  page: PageRequest | undefined,
  hit: (value: T) => boolean,
): Page<T> {
  const asked = askedOf(page, 13, '');
  const items: T[] = [];
  let nextKey: Uint8Array = noKey;
  if (asked.key.length > 0) {
    for (const entry of visited(entries, asked)) {
      if (BigInt(items.length) === asked.limit) {
        nextKey = entry.key;
        break;
      }
      if (hit(entry.value)) items.push(entry.value);
    }
    return { items, pagination: { nextKey, total: 0n } };
  }
  const end = wrap(asked.offset + asked.limit);
  let hits = 0n;
  for (const entry of visited(entries, asked)) {
    if (hits >= asked.offset && hits < end && hit(entry.value)) {
      items.push(entry.value);
      hits++;
    }
    if (hits === wrap(end + 1n)) {
      if (nextKey.length === 0) nextKey = entry.key;
      if (!asked.countTotal) break;
    }
  }
  return { items, pagination: { nextKey, total: asked.countTotal ? hits : 0n } };
}

/** Key of a record with an id: eight bytes, big-endian. */
export function idKey(id: bigint | string): Buffer {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(id));
  return key;
}

/** Key of a record with an address: a length byte followed by the bytes. */
export function lengthKey(bytes: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

/** Entries sorted by key. */
export function entriesOf<R, T>(
  records: readonly R[],
  key: (record: R) => Buffer,
  value: (record: R) => T,
): Entry<T>[] {
  return records
    .map((record) => ({ key: key(record), value: value(record) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
}
