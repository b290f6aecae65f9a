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

/** A method constant whose answer is a list. */
export type ListMethod = AnyMethod & List;

/** Request of a list without what pages it; where the node does not serve the list, the sentence that says why. */
export type ListRequestOf<M, K extends TransportKind> =
  RequestOf<M, K> extends string ? RequestOf<M, K> : Omit<RequestOf<M, K>, 'pagination' | 'page' | 'limit'>;

export interface PagesOptions extends CallOptions {
  /** Records that a page has at most, 500 by default; made smaller when an answer is larger than the caller allows. */
  readonly pageSize?: number | undefined;
  /** From the last record to the first. */
  readonly reverse?: boolean | undefined;
  /**
   * Whether the pages after the first are asked at the height of the first. Default true; false where the height cannot
   * be sent, as from a page of a browser to the gateway.
   */
  readonly pin?: boolean | undefined;
  /** Pages after which the read stops, none by default; it then says `possibly_truncated`. */
  readonly maxPages?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Height at which this page was answered. */
  readonly height: bigint | undefined;
}

/** A whole list, page by page. It can be iterated once. */
export interface Sweep<T> extends AsyncIterable<Page<T>> {
  /** What the read can say of itself; `undefined` until the last page was taken. */
  readonly extent: Extent | undefined;
}

const defaultPageSize = 500;

/** Pages without a record, one after the other, after which a node counts as going round in a circle. */
const maxEmptyPages = 20;

/** Pages that came before, one after the other, after which the same holds; a list that moves may give one again. */
const maxRepeatedPages = 3;

/** Retries of a page while the backend has not reached the height of the sweep. */
const maxRetries = 5;
const lagBackoff = { firstMs: 200, mostMs: 3_200 };

/** The two statuses that the node filters by. @source proto/spec/lists.yaml, status_filters */
const active = 1;
const inactive = 3;

/** Services that answer of the engine, not of a state: what their heights say is nothing of the records. */
const stateless = /^stack\.(?:base\.bft|tx)\./;

/**
 * Reads a list page by page, at one height, by the node's next key. The lists that give none are begun so that they do,
 * and a status filter that the node does not know is applied here.
 *
 * @throws HubError while it is iterated: as any call, and `decode` when the node does not come to an end
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
  /** Ends the page that is on its way when nobody waits for it any more. */
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
        // Set with the last page, so that who leaves the loop there knows it too.
        else this.extent = this.extentOf(answer.message, given, counted);
        // The next page is on its way while this one is looked at.
        coming = cursor === undefined || page + 1 >= maxPages ? undefined : this.ask(cursor, reverse, height);
        coming?.catch(() => {
          // Told when it is its turn; who leaves before does not want to know.
        });
        const items = found.filter((item) => this.fits(item) && isNew(item, known, this.method.service));
        if (items.length > 0 || page === 0) yield { items, height: answer.height };
      }
    } finally {
      this.left.abort();
    }
  }

  /** Refuses a list that goes round in a circle. */
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

  /** Whether a page came before, under another key. */
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

  /** One page; a page that is too large for the limits of the caller is asked again at half its size. */
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
        // A backend that lags behind the one that gave the height: a block or two later it has it.
        if (error.code === 'height_in_future' && retries < maxRetries && !this.signal.aborted) {
          await pause(systemClock, backoffMs(++retries, lagBackoff), this.signal);
          continue;
        }
        // Offsets and pages count in the size of the page, so that it cannot change on the way.
        if (error.code !== 'limit' || this.size === 1 || cursor.by !== 'key') throw error;
        this.size = Math.ceil(this.size / 2);
      }
    }
  }

  /**
   * Filter that is sent: of any status but these two a list gives all or none, each list as it likes, so that all are
   * asked for and chosen here.
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
    // Some lists count no further than a page; none counts records that are not there.
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

/** Records of the whole list, where the list always says it. */
function totalIn(message: unknown): bigint | undefined {
  return (message as { readonly total?: bigint }).total ?? paginationOf(message)?.total;
}

/** Whether a list that counts, or whose page is not full, has come to its end. */
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
