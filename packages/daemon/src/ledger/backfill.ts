import { backoffMs, type Clock, HubError, pause, type RpcClient, type RpcResult } from '@hubwatch/client';
import type { RpcMethod, RpcParams } from '@hubwatch/client/rpc';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { failureText } from '../endpoints/failure.js';
import { wholeMs } from '../whole-ms.js';
import { searchesOf, backfillSearch } from './backfill-queries.js';
import { feeOwners } from './fee-owners.js';
import type { Entry } from './entry.js';
import { hubEntries } from './hub-events.js';
import type { LedgerStore } from './ledger-store.js';

/** An endpoint that is searched. */
export interface BackfillSource {
  readonly name: string;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly naming: () => Promise<Naming>;
  readonly requestsPerSecond: number;
}

export interface BackfillOptions {
  readonly store: LedgerStore;
  readonly sources: readonly BackfillSource[];
  /** Watched addresses. */
  readonly addresses: readonly string[];
  /**
   * Inclusive bounds. Default: from the lowest block that an endpoint has to the height from which each subject is
   * complete.
   */
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
  /** Maximum number of blocks to read. */
  readonly limit: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly chainId?: string | undefined;
  /** Called after each completed window. */
  readonly onWindow?: ((first: bigint, last: bigint, blocks: number) => void) | undefined;
}

/** Result of a run. */
export interface BackfillSummary {
  /** Lowest and highest height that was searched; absent if there was nothing to do. */
  readonly searched: { readonly first: bigint; readonly last: bigint } | undefined;
  readonly blocks: number;
  /** Number of added rows. */
  readonly rows: number;
  /** Heights that no endpoint had. */
  readonly gaps: readonly { readonly first: bigint; readonly last: bigint }[];
  /** Why the run ended before the lower bound; absent if it did not. */
  readonly stopped: string | undefined;
  /** Whether the stop was a failure. */
  readonly isFailure: boolean;
}

/** Number of heights per search: the maximum that an interrupted run has to search again. */
const windowBlocks = 20_000n;
const pageSize = 50n;
const attempts = 4;
const backoff = { firstMs: 2_000, mostMs: 16_000 };

/**
 * Fills the ledger downwards from the height at which it is complete. Searches for blocks with events of a watched
 * subject, the latest first, and stores the entries that the ledger would have stored. Progress is stored with every
 * block, so that a run can be interrupted at any time. The result is as complete as the searched indexes.
 *
 * @throws Error if no endpoint can be searched
 */
export const backfill = async (options: BackfillOptions): Promise<BackfillSummary> => {
  const { store, addresses, signal, limit, onWindow } = options;
  const ask = createAsker(options);
  const holders = await ask.holders();
  const position = store.position() ?? begun(options, holders);
  const starts = new Map(addresses.map((address) => [address, store.starts.all().get(address) ?? position + 1n]));
  const top = [...starts.values()].reduce((highest, start) => (start > highest ? start : highest), 0n) - 1n;
  const last = options.to !== undefined && options.to < top ? options.to : top;
  const lowest = holders.reduce((low, { earliest }) => (earliest < low ? earliest : low), last + 1n);
  const first = options.from ?? lowest;
  const summary = { blocks: 0, rows: 0, gaps: [] as { first: bigint; last: bigint }[], reached: last + 1n };
  const noted = (stopped?: string, isFailure = false): BackfillSummary => ({
    searched: summary.reached > last ? undefined : { first: summary.reached, last },
    blocks: summary.blocks,
    rows: summary.rows,
    gaps: summary.gaps,
    stopped: signal.aborted ? 'interrupted' : stopped,
    isFailure: isFailure && !signal.aborted,
  });
  /** A subject that is incomplete above the searched window is not marked complete below it. */
  const isJoined = (address: string): boolean => (starts.get(address) ?? 0n) <= last + 1n;
  const below = (height: bigint): readonly string[] => addresses.filter((one) => (starts.get(one) ?? 0n) > height);

  try {
    for (let end = last; end >= first; ) {
      let begin = end - windowBlocks + 1n > first ? end - windowBlocks + 1n : first;
      const held = ask.lowestHeld(end);
      if (held === undefined) {
        store.close({ first, last: end, reason: 'no endpoint holds these blocks' });
        summary.gaps.push({ first, last: end });
        return noted();
      }
      if (held > begin) begin = held;
      const found = await ask.search(begin, end, below(begin), starts);
      if (found === undefined) continue;
      // A gap of an earlier run that no endpoint could fill at that time.
      if (below(end).length === addresses.length) store.mend(begin, end);
      let read = 0;
      for (const [height, knownMs] of [...found].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
        if (signal.aborted) return noted();
        if (summary.blocks >= limit) return noted(`it read as many blocks as --limit allows`);
        if (store.isFull()) return noted('the ledger holds as many entries as it can');
        const subjects = below(height);
        const block = await ask.block(height, knownMs, subjects);
        if (block === undefined) {
          store.close({ first: height, last: height, reason: 'no endpoint holds this block' });
          summary.gaps.push({ first: height, last: height });
        }
        summary.rows += store.addOld(height, block?.entries ?? [], block?.blockMs, subjects.filter(isJoined));
        summary.blocks += 1;
        summary.reached = height;
        read += 1;
      }
      store.addOld(begin, [], undefined, below(begin).filter(isJoined));
      summary.reached = begin;
      onWindow?.(begin, end, read);
      end = begin - 1n;
    }
    return noted();
  } catch (error) {
    if (signal.aborted || error instanceof HubError) return noted(failureText(error), true);
    throw error;
  }
};

/** Starts an empty ledger at the height that every endpoint has; the daemon continues from there. */
const begun = ({ store, addresses }: BackfillOptions, holders: readonly Holder[]): bigint => {
  const height = holders.reduce((low, { latest }) => (latest < low ? latest : low), holders[0]?.latest ?? 0n);
  store.begin(height);
  store.starts.watch(addresses, height + 1n);
  return height;
};

interface Holder extends BackfillSource {
  readonly earliest: bigint;
  readonly latest: bigint;
}

const isGone = (error: unknown): boolean =>
  error instanceof HubError && (error.code === 'height_not_retained' || error.code === 'height_never_existed');

/**
 * Creates a reader that queries the sources one after another, with a rate limit, and remembers which of them have an
 * index.
 */
const createAsker = ({ sources, addresses, clock, signal, chainId }: BackfillOptions) => {
  const withOwner = feeOwners(addresses);
  const free = new Map<string, number>();
  const withoutIndex = new Set<string>();
  /** Sources whose engine rejects double quotes inside a text. */
  const inexact = new Set<string>();
  let holders: readonly Holder[] = [];

  const call = async <M extends RpcMethod>(
    source: BackfillSource,
    method: M,
    params: RpcParams<M>,
  ): Promise<RpcResult<M>> => {
    const nowMs = clock.monotonicMs();
    const atMs = Math.max(nowMs, free.get(source.name) ?? 0);
    free.set(source.name, atMs + 1_000 / source.requestsPerSecond);
    if (atMs > nowMs) await pause(clock, atMs - nowMs, signal);
    signal.throwIfAborted();
    return source.rpc.call(method, params, { signal });
  };
  /** Queries one source, and retries after a pause if the failure is temporary. */
  const patiently = async <M extends RpcMethod>(
    source: BackfillSource,
    method: M,
    params: RpcParams<M>,
  ): Promise<RpcResult<M>> => {
    for (let failed = 1; ; failed += 1) {
      try {
        return await call(source, method, params);
      } catch (error) {
        const passes =
          error instanceof HubError && !isGone(error) && !['unimplemented', 'invalid_argument'].includes(error.code);
        if (!passes || failed >= attempts || signal.aborted) throw error;
        await pause(clock, backoffMs(failed, backoff), signal);
      }
    }
  };

  const searchOne = async (
    source: Holder,
    search: ReturnType<typeof searchesOf>[number],
    address: string,
    [first, last]: readonly [bigint, bigint],
    found: Map<bigint, number | undefined>,
  ): Promise<void> => {
    const naming = await source.naming();
    const query = backfillSearch(search, address, first, last, naming, !inexact.has(source.name));
    for (let page = 1n, seen = 0n; ; page += 1n) {
      const params = { query, page, per_page: pageSize, order_by: 'asc' };
      if (search.method === 'block_search') {
        const { blocks, totalCount } = await patiently(source, 'block_search', params);
        for (const { block } of blocks) {
          if (block !== undefined) found.set(block.header.height, timeOf(block.header.time));
        }
        seen += BigInt(blocks.length);
        if (blocks.length === 0 || seen >= totalCount) return;
      } else {
        const { txs, totalCount } = await patiently(source, 'tx_search', params);
        for (const { height } of txs) found.set(height, found.get(height));
        seen += BigInt(txs.length);
        if (txs.length === 0 || seen >= totalCount) return;
      }
    }
  };

  const searchWith = async (
    source: Holder,
    first: bigint,
    last: bigint,
    subjects: readonly string[],
    starts: ReadonlyMap<string, bigint>,
  ): Promise<ReadonlyMap<bigint, number | undefined>> => {
    const found = new Map<bigint, number | undefined>();
    for (const address of subjects) {
      const before = (starts.get(address) ?? 0n) - 1n;
      const range = [first, before < last ? before : last] as const;
      for (const search of searchesOf(address)) {
        try {
          await searchOne(source, search, address, range, found);
        } catch (error) {
          if (!(error instanceof HubError) || error.code !== 'invalid_argument' || inexact.has(source.name))
            throw error;
          inexact.add(source.name);
          await searchOne(source, search, address, range, found);
        }
      }
    }
    return found;
  };

  return {
    /** @throws Error if no source responds */
    async holders(): Promise<readonly Holder[]> {
      const failures: string[] = [];
      const found: Holder[] = [];
      for (const source of sources) {
        try {
          const { nodeInfo, syncInfo } = await patiently(source, 'status', {});
          if (chainId !== undefined && nodeInfo.network !== chainId)
            failures.push(`${source.name} serves ${nodeInfo.network}`);
          else found.push({ ...source, earliest: syncInfo.earliestBlockHeight, latest: syncInfo.latestBlockHeight });
        } catch (error) {
          if (signal.aborted) throw error;
          failures.push(`${source.name}: ${failureText(error)}`);
        }
      }
      if (found.length === 0)
        throw new Error(
          `no endpoint can be searched: ${failures.length === 0 ? 'none with a consensus RPC is configured' : failures.join('; ')}`,
        );
      holders = found;
      return holders;
    },
    /**
     * Lowest height of an endpoint with an index that also has this height; `undefined` if no endpoint has it.
     * @throws HubError `unimplemented` if the endpoints that have it have no index
     */
    lowestHeld(height: bigint): bigint | undefined {
      const able = holders.filter(({ earliest }) => earliest <= height);
      const indexed = able.filter(({ name }) => !withoutIndex.has(name)).map(({ earliest }) => earliest);
      if (able.length > 0 && indexed.length === 0) {
        const names = able.map(({ name }) => name).join(', ');
        throw new HubError({
          code: 'unimplemented',
          message: `block ${height} is held by ${names} alone, without an index of events ([tx_index] indexer = "kv" makes one)`,
        });
      }
      return indexed.length === 0 ? undefined : indexed.reduce((low, one) => (one < low ? one : low));
    },
    /**
     * Heights with events of the subjects, with block times if a search returns them. `undefined` if a source turned
     * out to have no index: the others may start at a greater height.
     */
    async search(
      first: bigint,
      last: bigint,
      subjects: readonly string[],
      starts: ReadonlyMap<string, bigint>,
    ): Promise<ReadonlyMap<bigint, number | undefined> | undefined> {
      let failure: HubError | undefined;
      for (const source of holders.filter(({ name, earliest }) => earliest <= first && !withoutIndex.has(name))) {
        try {
          return await searchWith(source, first, last, subjects, starts);
        } catch (error) {
          if (signal.aborted || !(error instanceof HubError)) throw error;
          if (error.code === 'unimplemented') {
            withoutIndex.add(source.name);
            return undefined;
          }
          failure = error;
        }
      }
      throw failure ?? new HubError({ code: 'unavailable', message: `no endpoint with an index holds block ${first}` });
    },
    /** Entries of the subjects in a block; `undefined` if no source has it. */
    async block(
      height: bigint,
      knownMs: number | undefined,
      subjects: readonly string[],
    ): Promise<{ readonly entries: readonly Entry[]; readonly blockMs: number | undefined } | undefined> {
      let open: Error | undefined;
      for (const source of holders) {
        try {
          const results = await patiently(source, 'block_results', { height });
          const entries = hubEntries(results)
            .map(withOwner)
            .filter(({ node, provider, account }) => [node, provider, account].some((one) => subjects.includes(one)));
          const blockMs = knownMs ?? timeOf((await patiently(source, 'header', { height })).header?.time);
          return { entries, blockMs };
        } catch (error) {
          if (signal.aborted) throw error;
          if (!isGone(error)) open ??= error instanceof Error ? error : new Error(String(error));
        }
      }
      if (open !== undefined) throw open;
      return undefined;
    },
  };
};

const timeOf = (time: Timestamp | undefined): number | undefined => (time === undefined ? undefined : wholeMs(time));
