import { type Clock, HubError } from '@hubwatch/client';
import { msOf } from '../checks/times.js';
import { blockTime } from '../endpoints/block-time.js';
import type { Endpoint, QueryTransport } from '../endpoints/endpoint.js';
import { type FailureReason, failureReason, failureText } from '../endpoints/failure.js';
import { type BlockHead, tipBlocks } from '../endpoints/head.js';
import type { NodePace } from './node-pace.js';
import { pacedTransport } from './paced-transport.js';
import { type ListCount, readList } from './read-list.js';
import type { ListSweep, SweepMoment } from './sweep.js';

/** Binary transports before text, and transports that serve every list before those that do not. */
const kinds = ['grpc', 'abci', 'rest'] as const satisfies readonly QueryTransport[];

/** Why all lists have to be read again from another endpoint or height. */
export type RestartReason = 'height_pruned' | 'endpoint_lost';

export interface RoundParts {
  readonly sweeps: readonly ListSweep[];
  readonly endpoint: Endpoint;
  /** Agreed head at the start of the round. */
  readonly head: BlockHead;
  readonly pace: NodePace;
  readonly pageSize: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onPage: (collection: string) => void;
  readonly onPause: (ms: number) => void;
  readonly onCounted: (sweep: ListSweep, count: ListCount, durationMs: number) => void;
  /** Called for a list that cannot be counted for a reason that affects only this list. The other lists continue. */
  readonly onFailed: (sweep: ListSweep, reason: FailureReason, text: string) => void;
}

/** How a round ended early. */
export interface LostRound {
  readonly sweep: ListSweep;
  readonly restart: RestartReason;
  readonly error: HubError;
}

/**
 * Reads every list at the height of the first response. `undefined` if all lists were read; otherwise the loss that
 * also prevents reading the remaining lists.
 */
export const sweepRound = async (parts: RoundParts): Promise<LostRound | undefined> => {
  const { endpoint, head, pace, clock, signal } = parts;
  const kind = kinds.find((one) => endpoint.has[one]);
  if (kind === undefined) throw new Error(`endpoint ${endpoint.name} has no way to ask for state`);
  let height: bigint | undefined;
  const moments = new Map<bigint, SweepMoment>([[head.height, { chainMs: head.timeMs }]]);
  const momentOf = async (at: bigint): Promise<SweepMoment> => {
    const moment = moments.get(at) ?? { chainMs: await timeOf(endpoint, at, signal) };
    moments.set(at, moment);
    return moment;
  };
  for (const sweep of parts.sweeps) {
    const transport = pacedTransport(endpoint, kind, {
      pace,
      clock,
      signal,
      onPage: () => parts.onPage(sweep.collection),
      onPause: parts.onPause,
    });
    const started = clock.monotonicMs();
    const pageSize = Math.max(1, Math.round(parts.pageSize * pace.pageShare()));
    try {
      const count = await readList(transport, sweep, momentOf, { height, pageSize, signal });
      if (count.height + tipBlocks < head.height) throw oldState(endpoint.name, count.height, head.height);
      height = count.height;
      parts.onCounted(sweep, count, clock.monotonicMs() - started);
    } catch (error) {
      if (signal.aborted) return undefined;
      const restart = restartReason(error);
      if (restart !== undefined) return { sweep, restart, error: error as HubError };
      parts.onFailed(sweep, failureReason(error), failureText(error));
    }
  }
  pace.gotThrough();
  return undefined;
};

const timeOf = async (endpoint: Endpoint, height: bigint, signal: AbortSignal): Promise<number> => {
  const time = await blockTime(endpoint, height, signal);
  if (time !== undefined) return msOf(time);
  throw new HubError({ code: 'decode', message: `${endpoint.name}: the block of ${height} has no time` });
};

/** An endpoint that has the latest blocks may still respond from an old state. */
const oldState = (endpoint: string, height: bigint, head: bigint): HubError =>
  new HubError({
    code: 'unavailable',
    message: `${endpoint} answers from the state of ${height} while the head is ${head}`,
  });

const restartReason = (error: unknown): RestartReason | undefined => {
  if (!(error instanceof HubError)) return undefined;
  if (error.code === 'height_not_retained' || error.code === 'height_never_existed') return 'height_pruned';
  // A different node behind the same name may not have reached the height yet.
  return error.retryable || error.code === 'height_in_future' ? 'endpoint_lost' : undefined;
};
