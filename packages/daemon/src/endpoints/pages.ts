import { HubError } from '@hubwatch/client';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { AnyRequest, StateAnswer } from './endpoint.js';
import type { Source } from './sources.js';

/** Response of a list: its records stand in `Key`, the way on in `pagination`. */
interface Page {
  readonly pagination: { readonly nextKey: Uint8Array } | undefined;
}

/** Walks a list to its end. @see readPages */
export interface PageWalk<M extends AnyMethod, T> {
  readonly method: M;
  readonly request: AnyRequest<M>;
  /** Records of a page. */
  readonly items: (page: ResponseOf<M>) => readonly T[];
  readonly limit?: number;
  readonly maxPages?: number;
  /** Height that every page is read at; without one, that of the first page's answer. */
  readonly height?: bigint | undefined;
}

/**
 * Reads a list page by page, by key, all pages at one height, and hands each page on at once; the next is asked for when that
 * one is taken, and what `take` promises has come.
 * Refuses a key that does not move and more pages than agreed (`limit`).
 */
export const readPages = async <M extends AnyMethod, T>(
  source: Source,
  walk: PageWalk<M, T>,
  take: (items: readonly T[]) => unknown,
): Promise<{ readonly height: bigint | undefined }> => {
  const { method, request, items, limit = 200, maxPages = 500 } = walk;
  let key: Uint8Array = startsWithKey(method) ? Uint8Array.of(0) : new Uint8Array();
  let { height } = walk;
  for (let page = 0; page < maxPages; page += 1) {
    const pagination = { key, offset: 0n, limit: BigInt(limit), countTotal: false, reverse: false };
    const answer: StateAnswer<ResponseOf<M>> = await source.call(method, { ...request, pagination }, height);
    height ??= answer.height;
    await take(items(answer.message));
    const next = (answer.message as Page).pagination?.nextKey ?? new Uint8Array();
    if (next.length === 0) return { height };
    if (Buffer.compare(next, key) === 0) {
      throw new HubError({
        code: 'decode',
        message: `${method.service}/${method.name}: the next page's key is the last one again`,
      });
    }
    key = next;
  }
  throw new HubError({
    code: 'limit',
    message: `${method.service}/${method.name}: more than ${maxPages} pages of ${limit} records`,
  });
};

/** Whether the list returns a next key only if it starts at a key. @source proto/spec/lists.yaml, defects */
const startsWithKey = (method: AnyMethod): boolean =>
  'list' in method && (method as { readonly list: { readonly keyFirst?: true } }).list.keyFirst === true;
