import { type BackoffOptions, backoffMs } from '../backoff.js';
import { type Clock, pause } from '../clock.js';
import { type ErrorCode, HubError } from '../error.js';
import type { EndpointPool } from '../pool/pool.js';
import type { RpcClient } from '../rpc/client.js';
import type { FollowEvent } from './follow-event.js';

/** Heights that no endpoint retains. */
export interface Gap {
  readonly kind: 'gap';
  /** First and last missing height. */
  readonly from: bigint;
  readonly to: bigint;
  /** Failure that the endpoints reported for the first height. */
  readonly cause: HubError;
}

export interface SureReader {
  readonly pool: EndpointPool<RpcClient>;
  readonly clients: readonly RpcClient[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoff: BackoffOptions;
  readonly timeoutMs: number | undefined;
  /** Milliseconds after which endpoints that do not respond no longer delay reporting a height as a gap. */
  readonly gapAfterMs: number;
  readonly head: () => bigint | undefined;
  readonly tell: (event: FollowEvent) => void;
}

/** Codes for which a retry does not help. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
  'invalid_argument',
  'height_never_existed',
  'not_served',
  'unimplemented',
  'cancelled',
]);

/**
 * Number of attempts for a missing record before it counts as lost: a node stores a block before it has executed it.
 */
const maxMissing = 8;

/**
 * Reads a height with retries until it succeeds, or reports a gap if no endpoint retains it.
 *
 * @throws HubError with a code for which a retry is useless; `cancelled` when the signal aborts
 */
export async function readSurely<T>(
  reader: SureReader,
  height: bigint,
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | Gap> {
  const { clock, backoff, random, tell } = reader;
  const startedMs = clock.monotonicMs();
  let missing = 0;
  for (let failures = 1; ; failures++) {
    try {
      return await read(signal);
    } catch (error) {
      if (!(error instanceof HubError) || hopeless.has(error.code)) throw error;
      const late = clock.monotonicMs() - startedMs >= reader.gapAfterMs;
      if (error.code === 'not_found') missing++;
      // Two blocks later, its results either exist or are lost.
      const lost = missing >= maxMissing && (reader.head() ?? 0n) > height + 1n;
      if (late || lost || error.code === 'height_not_retained') {
        const lowest = await lowestHeld(reader, late, signal);
        if (lowest !== undefined && lowest > height)
          return { kind: 'gap', from: height, to: lowest - 1n, cause: error };
        if (lost) return { kind: 'gap', from: height, to: height, cause: error };
      }
      const inMs = backoffMs(failures, backoff, random);
      tell({ kind: 'retry', height, code: error.code, inMs });
      await pause(clock, inMs, signal);
      if (signal.aborted)
        throw new HubError({ code: 'cancelled', message: `block ${height}: cancelled by the caller` });
    }
  }
}

/**
 * The lowest block height that any endpoint retains; `undefined` while one of them has not reported it.
 *
 * @param late whether endpoints that do not respond no longer count
 */
async function lowestHeld(
  { clients, timeoutMs }: SureReader,
  late: boolean,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const limits = { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const asked = await Promise.allSettled(clients.map((client) => client.call('status', {}, limits)));
  const known = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.syncInfo.earliestBlockHeight] : []));
  // Height 0 means that the node does not know it (an empty store).
  const bounds = known.filter((height) => height > 0n);
  if (bounds.length === 0 || (bounds.length < clients.length && !late)) return undefined;
  return bounds.reduce((least, height) => (height < least ? height : least));
}
