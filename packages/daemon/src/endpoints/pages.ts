import { HubError } from '@hubwatch/client';
import type { AnyMethod, ResponseOf } from '@hubwatch/types/runtime/method';
import type { AnyRequest, StateAnswer } from './endpoint.js';
import type { Source } from './sources.js';

/** Response of a list method: its records are in `Key`, the next key is in `pagination`. */
interface Page {
  readonly pagination: { readonly nextKey: Uint8Array } | undefined;
}

/** Options for reading a list to its end. @see readPages */
export interface PageWalk<M extends AnyMethod, T> {
  readonly method: M;
  readonly request: AnyRequest<M>;
  /** Records of a page. */
  readonly items: (page: ResponseOf<M>) => readonly T[];
  readonly limit?: number;
  readonly maxPages?: number;
  /** Height at which every page is read; by default the height of the first response. */
  readonly height?: bigint | undefined;
}

/**
 * Reads a list page by page, by key, with all pages at one height. Passes each page to `take` and requests the next one
 * after the promise of `take` resolves. Rejects a repeated key and more pages than `limit`.
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
