import { errorText, HubError } from '@hubwatch/client';
import type { RpcResult } from '@hubwatch/client/rpc';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { networkName } from '../config/network-name.js';
import type { Config } from '../config/schema.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import type { TrustedPool } from '../endpoints/pool.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Job } from '../schedule/interval-job.js';
import { StoreError } from '../store/store-error.js';
import { wholeMs } from '../whole-ms.js';
import { feeOwners } from './fee-owners.js';
import type { Entry } from './entry.js';
import { changedNodes, hubEntries } from './hub-events.js';
import type { LedgerGap } from './ledger-gaps.js';
import type { RemovedLink } from './removed-links.js';
import type { Lapse } from './lapses.js';
import type { LedgerRow } from './ledger-row.js';
import type { LedgerStore } from './ledger-store.js';
import { addNews, addSubjects, addTouched, type News } from './news.js';
import { type Touched, touchedAccounts } from './touched-accounts.js';
import type { LedgerTotals } from './totals.js';

/** Blocks read in one round; a backlog takes several rounds. */
const blocksPerRound = 120n;
/** Maximum backlog that is read at once after a pause; older blocks are filled in later. */
const maxBacklog = 20_000n;
/** Past blocks filled in one round. */
const fillsPerRound = 15n;
/** Number of rounds in which a block below the head may fail before it is postponed. */
const patience = 5;
/** Rounds without filling after a past block could not be read. */
const roundsOfRest = 6;

/** Past events, as rules use them. */
export interface LedgerView {
  /** `false` if there is no consensus RPC to read from. */
  readonly isKept: boolean;
  /** Last height whose events are stored. */
  position(): bigint | undefined;
  /** Heights without a gap whose events were read since the start. Relevant events among them triggered jobs. */
  followed(): { readonly from: bigint; readonly to: bigint } | undefined;
  /** Whether the last round reached the head. `true` before the first round. */
  isCurrent(): boolean;
  /**
   * Leases and links that ended when the node became inactive at this block time. `undefined`: that block was not read.
   * An older lapse is never returned for a newer one.
   */
  lapse(node: string, at: Timestamp): Lapse | undefined;
  /** @see LedgerStore.recentLapses */
  recentLapses(): readonly Lapse[];
  /** @see LedgerStore.removedLinks */
  removedLinks(): readonly RemovedLink[];
  /** Latest status event of a node read since the start, including heartbeats; `undefined` if there is none. */
  newestStatus(node: string): StatusEvent | undefined;
  /** Leases that ended recently, in chain order. */
  recentEnds(): readonly LedgerRow[];
  /** @see LedgerStore.lostToLapses */
  lostToLapses(node: string): readonly LedgerRow[];
  /** Sums over the stored entries. */
  readonly totals: LedgerTotals;
}

/** An event that made a node active or inactive, or renewed its status. */
export interface StatusEvent {
  readonly isActive: boolean;
  readonly height: bigint;
  /** Block time in whole milliseconds, if known. */
  readonly blockMs: number | undefined;
}

export interface Ledger {
  readonly view: LedgerView;
  readonly job: Job | undefined;
}

export interface LedgerParts {
  readonly pool: TrustedPool;
  readonly store: LedgerStore;
  readonly config: Config;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Accounts whose balances are watched: a block that changes a balance triggers a new read. */
  readonly accounts?: (() => ReadonlySet<string>) | undefined;
}

export interface LedgerListener {
  /** Called at the end of a round. */
  readonly onRound: () => void;
  /** Triggers a job whose readings are outdated. */
  readonly wake?: ((job: string, only: ReadonlySet<string> | undefined) => void) | undefined;
}

/**
 * Reads the results of every block since the last round and stores the events of watched subjects. A block that cannot
 * be read is skipped and filled in later. It is abandoned only if every endpoint reports that it no longer has it.
 */
export const createLedger = (
  { pool, store, config, own, failures, accounts = () => new Set() }: LedgerParts,
  { onRound, wake = () => undefined }: LedgerListener,
): Ledger => {
  const isWatched = watchedAddresses(config);
  const withOwner = feeOwners(watchedList(config));
  const isKept =
    config.watch.nodes.length + config.watch.providers.length + config.watch.accounts.length > 0 &&
    pool.endpoints.some(({ has }) => has.rpc);
  let isCurrent = true;
  let stuckAt: { height: bigint; rounds: number } | undefined;
  let rest = 0;
  const news: News = new Map();
  const statuses = new Map<string, StatusEvent>();
  /** First followed height; `undefined` before the first round. */
  let followedFrom: bigint | undefined;

  const skip = (gap: LedgerGap): void => {
    store.skip(gap);
    followedFrom = gap.last + 1n;
  };

  const roundsStuckAt = (height: bigint): number => (stuckAt?.height === height ? stuckAt.rounds : 0);

  /** Entries of a block with its time. */
  const readBlock = async (height: bigint, mayLackTime: boolean, signal: AbortSignal): Promise<ReadBlock> => {
    const results = await askAll(pool, 'block_results', height, signal);
    const entries = hubEntries(results)
      .map(withOwner)
      .filter(({ node, provider, account }) => [node, provider, account].some(isWatched));
    const concerned = accounts();
    const changes = {
      touched: touchedAccounts(results, (account) => concerned.has(account)),
      nodes: changedNodes(results).filter(isWatched),
    };
    if (entries.length === 0) return { entries, blockMs: undefined, ...changes };
    try {
      const { header } = await askAll(pool, 'header', height, signal);
      return { entries, blockMs: header?.time === undefined ? undefined : wholeMs(header.time), ...changes };
    } catch (error) {
      // Events are worth storing without their time, but only after a retry.
      if (!signal.aborted && (mayLackTime || isGone(error))) return { entries, blockMs: undefined, ...changes };
      throw error;
    }
  };

  /** Reads the next block; `false` if the round has to end here. */
  const step = async (height: bigint, head: bigint, signal: AbortSignal): Promise<boolean> => {
    try {
      const block = await readBlock(height, roundsStuckAt(height) + 1 >= patience, signal);
      const { entries, blockMs } = block;
      const back = entries.flatMap(({ kind, node }) =>
        kind === 'node_active' && store.isInactive(node) ? [node] : [],
      );
      store.add(height, entries, blockMs);
      for (const { kind, node } of entries)
        if (kind === 'node_active' || kind === 'node_inactive')
          statuses.set(node, { isActive: kind === 'node_active', height, blockMs });
      for (const entry of entries) addNews(news, entry);
      if (back.length > 0) addSubjects(news, 'nodes', back);
      addTouched(news, block.touched, networkName(config));
      if (block.nodes.length > 0) {
        addSubjects(news, 'nodes', block.nodes);
        addSubjects(news, 'renewals', undefined);
      }
      failures.worked('ledger');
      stuckAt = undefined;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof StoreError) {
        // The block was read: it is stored as soon as the store accepts it.
        failures.failed('ledger', error.message, error.kind);
        return false;
      }
      own.pollFailures.inc({ job: 'ledger', reason: failureReason(error) });
      failures.failed('ledger', failureText(error), failureReason(error));
      stuckAt = { height, rounds: roundsStuckAt(height) + 1 };
      const leavesOut = height < head && (isGone(error) || stuckAt.rounds >= patience);
      if (leavesOut) {
        const last = lastGone({ first: height, last: head - 1n }, error);
        skip({ first: height, last, reason: reasonOf(error), isOpen: !isGone(error) });
      }
      return leavesOut;
    }
  };

  /** Fills gaps that can still be filled, the oldest first: it is pruned next. */
  const fillGaps = async (signal: AbortSignal): Promise<void> => {
    if (rest > 0) {
      rest -= 1;
      return;
    }
    for (let filled = 0n; filled < fillsPerRound && !signal.aborted; filled += 1n) {
      const gap = store.gaps().find(({ isOpen }) => isOpen);
      if (gap === undefined) return;
      try {
        const { entries, blockMs } = await readBlock(gap.first, false, signal);
        store.fill(gap.first, entries, blockMs);
        own.backfilledBlocks.inc({ reason: 'gap' });
      } catch (error) {
        if (!isGone(error)) {
          rest = roundsOfRest;
          return;
        }
        store.close({ first: gap.first, last: lastGone(gap, error), reason: reasonOf(error) });
      }
    }
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const agreed = pool.head();
    if (agreed === undefined) return;
    const head = agreed.height;
    own.polls.inc({ job: 'ledger' });
    let position = store.position();
    if (position === undefined || position > head) {
      position = head - 1n;
      store.begin(position);
      followedFrom = undefined;
    }
    followedFrom ??= position + 1n;
    store.starts.watch(watchedList(config), position + 1n);
    if (head - position > maxBacklog) {
      skip({ first: position + 1n, last: head - maxBacklog, reason: 'not read for too long', isOpen: true });
      position = head - maxBacklog;
    }
    const last = head - position > blocksPerRound ? position + blocksPerRound : head;
    let reached = true;
    for (let next = position + 1n; next <= last && reached; next = (store.position() ?? next) + 1n) {
      reached = await step(next, head, signal);
      if (signal.aborted) break;
    }
    store.settle(store.position() === head ? agreed.timeMs : undefined);
    if (reached && last === head) await fillGaps(signal);
    if (signal.aborted) return;
    isCurrent = reached && last === head;
    onRound();
    for (const [job, only] of news) wake(job, only);
    news.clear();
  };

  return {
    view: {
      isKept,
      position: () => store.position(),
      followed() {
        const to = store.position();
        return followedFrom === undefined || to === undefined ? undefined : { from: followedFrom, to };
      },
      isCurrent: () => isCurrent,
      lapse: (node, at) => store.lapse(node, wholeMs(at)),
      recentLapses: () => store.recentLapses(),
      removedLinks: () => store.removedLinks(),
      newestStatus: (node) => statuses.get(node),
      recentEnds: () => store.recentEnds(),
      lostToLapses: (node) => store.lostToLapses(node),
      totals: store.totals,
    },
    job: isKept ? { name: 'ledger', everyMs: config.poll.ledger, run } : undefined,
  };
};

interface ReadBlock {
  readonly entries: readonly Entry[];
  readonly blockMs: number | undefined;
  readonly touched: Touched;
  /** Watched nodes whose prices or addresses changed in the block. */
  readonly nodes: readonly string[];
}

/** Addresses of all subjects with stored events. */
export const watchedList = ({ watch }: Pick<Config, 'watch'>): readonly string[] =>
  [...watch.nodes, ...watch.providers, ...watch.accounts].map(({ address }) => address);

/** Whether an address is watched. */
export const watchedAddresses = (config: Pick<Config, 'watch'>): ((address: string) => boolean) => {
  const all = new Set(watchedList(config));
  return (address) => all.has(address);
};

/** At least one endpoint did not report that it lacks the block: it may be available later. */
class OpenError extends Error {
  override readonly name = 'OpenError';
}

/**
 * Queries the endpoints one after another. @throws the refusal of a block that no endpoint has; otherwise the first
 * failure after which the block may still be available
 */
const askAll = async <M extends 'block_results' | 'header'>(
  pool: TrustedPool,
  method: M,
  height: bigint,
  signal: AbortSignal,
): Promise<RpcResult<M>> => {
  const sources = pool.endpoints.filter(({ has }) => has.rpc);
  const usable = new Set(pool.usable());
  let gone: Error | undefined;
  let open: Error | undefined;
  for (const source of sources.filter((one) => usable.has(one))) {
    try {
      return await source.rpc(method, { height }, { signal });
    } catch (error) {
      if (isGone(error)) gone ??= error;
      else open ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  // An endpoint that is not used now may have the block.
  if (open === undefined && sources.some((one) => !usable.has(one))) {
    open = gone === undefined ? new HubError(noneUsable) : new OpenError(errorText(gone), { cause: gone });
  }
  throw open ?? gone ?? new HubError(noneUsable);
};

const noneUsable = { code: 'unavailable', message: 'no endpoint with a consensus RPC is usable' } as const;

const reasonOf = (error: unknown): string => failureText(error).slice(0, 100);

/** Last height, from `first` on, to which a refusal applies: it may contain the lowest available block. */
const lastGone = ({ first, last }: Pick<LedgerGap, 'first' | 'last'>, error: unknown): bigint => {
  const lowest = error instanceof HubError ? error.lowestHeight : undefined;
  if (lowest === undefined || lowest <= first) return first;
  return lowest - 1n < last ? lowest - 1n : last;
};

const isGone = (error: unknown): error is HubError =>
  error instanceof HubError && (error.code === 'height_not_retained' || error.code === 'height_never_existed');
