import { HubError } from '@hubwatch/client';
import type { RpcResult } from '@hubwatch/client/rpc';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import type { Config } from '../config/schema.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import type { EndpointPool } from '../endpoints/pool.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Job } from '../schedule/interval-job.js';
import { type Entry, hubEntries } from './hub-events.js';
import type { Lapse, LedgerStore } from './ledger-store.js';

/** Blocks read in one round; a backlog is worked off over several. */
const blocksPerRound = 120n;
/** Blocks that are read again after a time of not looking; what is older is recorded as a gap. */
const maxBacklog = 20_000n;
/** Rounds in which a block may fail, below the head, before it is left out as a gap. */
const patience = 5;

/** Events of the past as rules see them. */
export interface LedgerView {
  /** `false` when there is no consensus RPC to read from. */
  readonly isKept: boolean;
  /** Last height whose events are stored. */
  position(): bigint | undefined;
  /** Whether the last round got as far as it could. */
  isCurrent(): boolean;
  /**
   * What ended when the node went inactive at this block time. `undefined`: that block was not read. An
   * older lapse is never given for a newer one.
   */
  lapse(node: string, at: Timestamp): Lapse | undefined;
}

export interface Ledger {
  readonly view: LedgerView;
  readonly job: Job | undefined;
}

export interface LedgerParts {
  readonly pool: EndpointPool;
  readonly store: LedgerStore;
  readonly config: Config;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
}

/** Reads the results of every block since the last round and keeps the events of watched nodes, without gaps by height. */
export const createLedger = ({ pool, store, config, own, failures }: LedgerParts, onRound: () => void): Ledger => {
  const watched = new Set(config.watch.nodes.map(({ address }) => address));
  const isKept = watched.size > 0 && pool.endpoints.some(({ has }) => has.rpc);
  let isCurrent = true;
  let stuckAt: { height: bigint; rounds: number } | undefined;

  const ask = async <M extends 'block_results' | 'header'>(
    method: M,
    height: bigint,
    signal: AbortSignal,
  ): Promise<RpcResult<M>> => {
    let first: unknown = new HubError({ code: 'unavailable', message: 'no endpoint with a consensus RPC is usable' });
    let isFirst = true;
    for (const source of pool.usable().filter(({ has }) => has.rpc)) {
      try {
        return await source.rpc(method, { height }, { signal });
      } catch (error) {
        // A failure that says "gone" is the better reason: the others may only be slow.
        if (isFirst || isGone(error)) first = error;
        isFirst = false;
      }
    }
    throw first;
  };

  const roundsStuckAt = (height: bigint): number => (stuckAt?.height === height ? stuckAt.rounds : 0);

  /** Time of a block in which a node went inactive: it tells later which of its lapses the block belongs to. */
  const blockTime = async (
    height: bigint,
    entries: readonly Entry[],
    signal: AbortSignal,
  ): Promise<number | undefined> => {
    if (!entries.some(({ kind }) => kind === 'node_inactive')) return undefined;
    try {
      const { header } = await ask('header', height, signal);
      return header?.time === undefined ? undefined : wholeMs(header.time);
    } catch (error) {
      // The events are worth keeping without their time, but not before it was tried again.
      if (!signal.aborted && (isGone(error) || roundsStuckAt(height) + 1 >= patience)) return undefined;
      throw error;
    }
  };

  /** Reads one block; `false` when the round has to end here. */
  const step = async (height: bigint, head: bigint, signal: AbortSignal): Promise<boolean> => {
    try {
      const block = hubEntries(await ask('block_results', height, signal));
      const entries = block.filter(({ node }) => watched.has(node));
      store.add(height, entries, await blockTime(height, entries, signal));
      failures.worked('ledger');
      stuckAt = undefined;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      own.pollFailures.inc({ job: 'ledger', reason: failureReason(error) });
      failures.failed('ledger', failureText(error), failureReason(error));
      stuckAt = { height, rounds: roundsStuckAt(height) + 1 };
      const givesUp = height < head && (isGone(error) || stuckAt.rounds >= patience);
      if (givesUp) store.skip(height, height, failureText(error).slice(0, 100));
      return givesUp;
    }
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const head = pool.head()?.height;
    if (head === undefined) return;
    own.polls.inc({ job: 'ledger' });
    let position = store.position();
    if (position === undefined || position > head) {
      position = head - 1n;
      store.begin(position);
    }
    if (head - position > maxBacklog) {
      store.skip(position + 1n, head - maxBacklog, 'not looked at for too long');
      position = head - maxBacklog;
    }
    const last = head - position > blocksPerRound ? position + blocksPerRound : head;
    let reached = true;
    for (let height = position + 1n; height <= last && reached; height += 1n) {
      reached = await step(height, head, signal);
      if (signal.aborted) break;
    }
    store.settle();
    if (signal.aborted) return;
    isCurrent = reached;
    own.unprocessedBlocks.set(Number(head - (store.position() ?? head)));
    onRound();
  };

  return {
    view: {
      isKept,
      position: () => store.position(),
      isCurrent: () => isCurrent,
      lapse: (node, at) => store.lapse(node, wholeMs(at)),
    },
    job: isKept ? { name: 'ledger', everyMs: config.poll.ledger, run } : undefined,
  };
};

/** No two blocks share a millisecond, and a number does not hold the nanoseconds of a date. */
const wholeMs = ({ seconds, nanos }: Timestamp): number => Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);

const isGone = (error: unknown): boolean =>
  error instanceof HubError && (error.code === 'height_not_retained' || error.code === 'height_never_existed');
