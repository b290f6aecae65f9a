import { HubError } from '@hubwatch/client';
import type { RpcResult } from '@hubwatch/client/rpc';
import type { Config } from '../config/schema.js';
import { failureReason, failureText } from '../endpoints/failure.js';
import type { EndpointPool } from '../endpoints/pool.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Job } from '../schedule/interval-job.js';
import { hubEntries } from './hub-events.js';
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
  lapse(node: string): Lapse | undefined;
  /** Whether a height was never read. */
  isMissing(height: bigint): boolean;
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
  const sources = pool.endpoints.filter(({ has }) => has.rpc);
  const isKept = watched.size > 0 && sources.length > 0;
  let isCurrent = true;
  let stuckAt: { height: bigint; rounds: number } | undefined;

  const blockResults = async (height: bigint, signal: AbortSignal): Promise<RpcResult<'block_results'>> => {
    let first: unknown;
    for (const source of sources) {
      try {
        return await source.rpc('block_results', { height }, { signal });
      } catch (error) {
        // A failure that says "gone" is the better reason: the others may only be slow.
        if (first === undefined || isGone(error)) first = error;
      }
    }
    throw first;
  };

  /** Reads one block; `false` when the round has to end here. */
  const step = async (height: bigint, head: bigint, signal: AbortSignal): Promise<boolean> => {
    try {
      const entries = hubEntries(await blockResults(height, signal));
      store.add(
        height,
        entries.filter(({ node }) => watched.has(node)),
      );
      failures.worked('ledger');
      stuckAt = undefined;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      own.pollFailures.inc({ job: 'ledger', reason: failureReason(error) });
      failures.failed('ledger', failureText(error));
      stuckAt = { height, rounds: stuckAt?.height === height ? stuckAt.rounds + 1 : 1 };
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
      lapse: (node) => store.lapse(node),
      isMissing: (height) => store.gaps().some(({ first, last }) => first <= height && height <= last),
    },
    job: isKept ? { name: 'ledger', everyMs: config.poll.ledger, run } : undefined,
  };
};

const isGone = (error: unknown): boolean =>
  error instanceof HubError && (error.code === 'height_not_retained' || error.code === 'height_never_existed');
