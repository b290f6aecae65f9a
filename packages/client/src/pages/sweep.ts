import type { AnyMethod, ItemOf, List, ListRule, RequestOf, TransportKind } from '@hubwatch/types/runtime/method';
import { backoffMs } from '../backoff.js';
import { pause, systemClock } from '../clock.js';
import { HubError } from '../error.js';
import { placeOf, placeText } from '../place.js';
import { joinSignals } from '../signals.js';
import type { Answer, CallOptions, Transport } from '../transport.js';
import { type Cursor, pageMembers, fieldNameOf, sizeOf, startOf } from './cursor.js';
import { type Extent, HeightSpan } from './extent.js';
import { identityOf, surelyNamed } from './record-identity.js';

/** A method constant whose response is a list. */
export type ListMethod = AnyMethod & List;

/** Request of a list method without its paging members. If the node does not serve the list, a sentence with the reason. */
export type ListRequestOf<M, K extends TransportKind> =
  RequestOf<M, K> extends string ? RequestOf<M, K> : Omit<RequestOf<M, K>, 'pagination' | 'page' | 'limit'>;

export interface PagesOptions extends CallOptions {
  /** Maximum number of records on a page, 500 by default. Reduced if a response exceeds the limits of the caller. */
  readonly pageSize?: number | undefined;
  /** Reads from the last record to the first. */
  readonly reverse?: boolean | undefined;
  /**
   * Whether to request all further pages at the height of the first page. Default: true. Use false where the height cannot
   * be sent, for example from a browser to the gateway.
   */
  readonly pin?: boolean | undefined;
  /** Maximum number of pages, unlimited by default. A read that reaches it reports the extent `possibly_truncated`. */
  readonly maxPages?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Height of the state from which the node read this page. */
  readonly height: bigint | undefined;
}

/** A whole list, page by page. It can be iterated once. */
export interface Sweep<T> extends AsyncIterable<Page<T>> {
  /** Completeness of the read; `undefined` until the last page was read. */
  readonly extent: Extent | undefined;
}

const defaultPageSize = 500;

/** Maximum number of consecutive pages without a record. A list with more counts as endless. */
const maxEmptyPages = 20;

/** Maximum number of consecutive repeated pages. A list that changes during the read may repeat a page. */
const maxRepeatedPages = 3;

/** Maximum number of retries of a page if the backend has not reached the height of the sweep. */
const maxRetries = 5;
const lagBackoff = { firstMs: 200, mostMs: 3_200 };

/** The two statuses that the node filters by. @source proto/spec/lists.yaml, status_filters */
const active = 1;
const inactive = 3;

/** Services that read from the consensus engine instead of a state. Their heights do not apply to the records. */
const stateless = /^stack\.(?:base\.bft|tx)\./;

/**
 * Reads a list page by page, at one height, with the node's next key. A list that returns no next key for a request without
 * a key is started with a key. A status filter that the node does not support is applied by the client.
 *
 * @throws HubError during iteration: as any call, and `decode` if the list has no end
 * @source proto/spec/lists.yaml
 */
export function pages<K extends TransportKind, M extends ListMethod>(
  transport: Transport<K>,
  method: M,
  request: ListRequestOf<M, K>,
  options: PagesOptions = {},
): Sweep<ItemOf<M>> {
  return new Walk<ItemOf<M>>(transport as unknown as Transport<'grpc'>, method, request as object, options);
}

class Walk<T> implements Sweep<T> {
  extent: Extent | undefined;
  private readonly transport: Transport<'grpc'>;
  private readonly method: ListMethod;
  private readonly request: Readonly<Record<string, unknown>>;
  private readonly options: PagesOptions;
  private readonly heights = new HeightSpan();
  private size: number;
  private isTaken = false;
  /** Cancels the pending page when the iteration ends. */
  private readonly left = new AbortController();
  private readonly signal: AbortSignal;

  constructor(transport: Transport<'grpc'>, method: ListMethod, request: object, options: PagesOptions) {
    this.transport = transport;
    this.method = method;
    this.request = request as Readonly<Record<string, unknown>>;
    this.options = options;
    this.signal = joinSignals([options.signal, this.left.signal]).signal;
    const pageSize = options.pageSize ?? defaultPageSize;
    if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
      throw this.failure('invalid_argument', `the page size ${pageSize} is none; a whole number from 1 is expected`);
    }
    this.size = sizeOf(method.list.paging, pageSize);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page<T>> {
    if (this.isTaken) throw this.failure('invalid_argument', 'a sweep can be iterated once; ask for another');
    this.isTaken = true;
    const { list } = this.method;
    const { reverse = false, pin = true, maxPages = Infinity } = this.options;
    const seen = new Set<string>();
    const known = pin && !stateless.test(this.method.service) ? undefined : new Set<string>();
    let height = this.options.height;
    let given = 0;
    let counted = 0n;
    let repeated = 0;
    const told = new Set<string>();
    let empty = 0;
    let cursor: Cursor | undefined = startOf(list.paging, list.keyFirst === true, reverse);
    let coming: Promise<Answer<unknown>> | undefined;
    try {
      for (let page = 0; cursor !== undefined; page++) {
        if (page >= maxPages) {
          this.extent = { kind: 'possibly_truncated', reason: `${maxPages} pages were allowed` };
          return;
        }
        const answer = await (coming ?? this.ask(cursor, reverse, height));
        seen.add(fieldNameOf(cursor));
        this.heights.add(answer.height);
        if (pin) height ??= answer.height;
        const found = itemsOf<T>(answer.message, list);
        empty = found.length === 0 ? empty + 1 : 0;
        given += found.length;
        const total = totalIn(answer.message) ?? 0n;
        if (total > counted) counted = total;
        repeated = this.isRepeated(found, told) ? repeated + 1 : 0;
        const end = endOf(answer.message, found.length, given, this.size);
        cursor = nextOf(cursor, answer.message, found.length, end);
        if (cursor !== undefined) this.requireEnd(seen.has(fieldNameOf(cursor)), empty, repeated);
        // Set before the last page is yielded, so that it is known even if the caller breaks out of the loop there.
        else this.extent = this.extentOf(answer.message, given, counted);
        // Request the next page while the caller processes this one.
        coming = cursor === undefined || page + 1 >= maxPages ? undefined : this.ask(cursor, reverse, height);
        coming?.catch(() => {
          // The error is thrown when this page is awaited, and ignored if the caller leaves before.
        });
        const items = found.filter((item) => this.fits(item) && isNew(item, known, this.method.service));
        if (items.length > 0 || page === 0) yield { items, height: answer.height };
      }
    } finally {
      this.left.abort();
    }
  }

  /** Throws if the list has no end. */
  private requireEnd(isSeen: boolean, empty: number, repeated: number): void {
    if (isSeen) throw this.failure('decode', 'the node gives the same next key twice: its list has no end');
    if (repeated > maxRepeatedPages) {
      throw this.failure('decode', `the node gives ${repeated} pages again under other keys: its list has no end`);
    }
    if (empty > maxEmptyPages) {
      throw this.failure(
        'decode',
        `the node gives ${empty} pages without a record, each with a next key: its list has no end`,
      );
    }
  }

  /** Whether the same page was already received under another key. */
  private isRepeated(found: readonly unknown[], told: Set<string>): boolean {
    if (found.length === 0) return false;
    const { service } = this.method;
    const ends = [surelyNamed(found[0], service), surelyNamed(found.at(-1), service)];
    if (ends.includes(undefined)) return false;
    const name = `${found.length} ${ends.join(' ')}`;
    if (told.has(name)) return true;
    told.add(name);
    return false;
  }

  /** Requests one page. A page that exceeds the limits of the caller is requested again at half the size. */
  private async ask(cursor: Cursor, reverse: boolean, height: bigint | undefined): Promise<Answer<unknown>> {
    const { timeoutMs } = this.options;
    let retries = 0;
    for (;;) {
      const request = { ...this.request, ...this.statusAsked(), ...pageMembers(cursor, this.size, reverse) };
      try {
        return await this.transport.call(this.method, request, { timeoutMs, signal: this.signal, height });
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        // A node refuses to list the transactions of an empty block.
        if (/cannot paginate 0 txs/.test(error.raw.text ?? '')) return { message: {}, height: undefined };
        // This backend lags behind the one that reported the height, and reaches it within a block or two.
        if (error.code === 'height_in_future' && retries < maxRetries && !this.signal.aborted) {
          await pause(systemClock, backoffMs(++retries, lagBackoff), this.signal);
          continue;
        }
        // Offsets and page numbers depend on the page size, so it must not change during a read.
        if (error.code !== 'limit' || this.size === 1 || cursor.by !== 'key') throw error;
        this.size = Math.ceil(this.size / 2);
      }
    }
  }

  /**
   * Returns the status filter to send. For any other status than these two, some lists return all records and some return
   * none. In this case, all records are requested and filtered by the client.
   */
  private statusAsked(): { readonly status?: number } {
    const wanted = this.request['status'];
    return typeof wanted !== 'number' || wanted === active || wanted === inactive ? {} : { status: 0 };
  }

  /** Whether a record passes the status filter of the request. */
  private fits(item: T): boolean {
    const wanted = this.request['status'];
    if (typeof wanted !== 'number' || wanted === 0) return true;
    const status = (item as { readonly status?: unknown }).status;
    return typeof status !== 'number' || status === wanted;
  }

  private extentOf(message: unknown, given: number, counted: bigint): Extent {
    if (stateless.test(this.method.service)) {
      const total = totalIn(message);
      return total === undefined || total === BigInt(given)
        ? { kind: 'complete', height: undefined }
        : { kind: 'possibly_truncated', reason: `${given} records were given of ${total}` };
    }
    // Some lists report only the count of the page, but no list reports more records than it has.
    if (counted > BigInt(given)) {
      return { kind: 'possibly_truncated', reason: `${given} records were given of ${counted}` };
    }
    const height = this.heights.only;
    return height === undefined ? this.heights.mixed() : { kind: 'complete', height };
  }

  private failure(code: HubError['code'], text: string): HubError {
    const place = placeOf(this.method, this.transport.kind, this.transport.address, this.options.height);
    return new HubError({ code, message: `${placeText(place)}: ${text}`, ...place });
  }
}

function isNew(item: unknown, known: Set<string> | undefined, service: string): boolean {
  if (known === undefined) return true;
  const identity = identityOf(item, service);
  if (known.has(identity)) return false;
  known.add(identity);
  return true;
}

export function itemsOf<T>(message: unknown, list: ListRule): readonly T[] {
  return (message as Record<string, readonly T[] | undefined>)[list.items] ?? [];
}

interface Pagination {
  readonly nextKey?: Uint8Array;
  readonly total?: bigint;
}

export function paginationOf(message: unknown): Pagination | undefined {
  return (message as { readonly pagination?: Pagination }).pagination;
}

/** Number of records in the whole list; `undefined` if the list does not always report it. */
function totalIn(message: unknown): bigint | undefined {
  return (message as { readonly total?: bigint }).total ?? paginationOf(message)?.total;
}

/** Whether the list has ended: by its total, or without a total by a page that is not full. */
function endOf(message: unknown, found: number, given: number, size: number): boolean {
  const total = totalIn(message);
  return found === 0 || (total !== undefined && total > 0n ? BigInt(given) >= total : found < size);
}

function nextOf(cursor: Cursor, message: unknown, found: number, isEnd: boolean): Cursor | undefined {
  if (cursor.by === 'key') {
    const key = paginationOf(message)?.nextKey;
    return key === undefined || key.length === 0 ? undefined : { by: 'key', key };
  }
  if (isEnd) return undefined;
  return cursor.by === 'page'
    ? { by: 'page', page: cursor.page + 1n }
    : { by: 'offset', offset: cursor.offset + BigInt(found) };
}
