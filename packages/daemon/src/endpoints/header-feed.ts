import { backoffMs, type Clock, HubError, pause } from '@hubwatch/client';
import type { NewBlockHeaderEvent, WebSocketClient } from '@hubwatch/client/websocket';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { wholeMs } from '../whole-ms.js';
import type { Endpoint } from './endpoint.js';
import { type FailureReason, failureReason, failureText } from './failure.js';
import type { TrustedPool } from './pool.js';

/** A connection without a header for this long is mute if the head of its node advanced meanwhile. */
const muteMs = 30_000;
const backoff = { firstMs: 500, mostMs: 60_000 };
/** Maximum number of consecutive headers of old blocks before a connection is closed. */
const mostRepeats = 1_000;

type Ended = FailureReason | 'mute' | 'closed';

/** Maps the end of a connection to a failure reason. */
const failureOf = (ended: Ended): FailureReason =>
  ended === 'mute' ? 'timeout' : ended === 'closed' ? 'refused' : ended;

/** Reads the signal again on each call, because it can change during an `await`. */
const isOver = (signal: AbortSignal): boolean => signal.aborted;

export interface HeaderFeed {
  stop(): Promise<void>;
}

export interface HeaderFeedParts {
  readonly pool: Pick<TrustedPool, 'push' | 'told' | 'setListening'>;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Called when a header of a new block arrives. */
  readonly onBlock: () => void;
  /** Called after a reconnect. Blocks may have been missed during the interruption. */
  readonly onReturn: () => void;
  readonly random?: (() => number) | undefined;
}

/**
 * Listens for new blocks on an endpoint's websocket. Headers only trigger reads: all stored data is read by height, so a
 * lost, late or repeated header changes nothing. Polling continues while the websocket is down. Returns `undefined` if the
 * endpoint has no websocket.
 */
export const startHeaderFeed = (
  { name: endpoint, openWebSocket }: Pick<Endpoint, 'name' | 'openWebSocket'>,
  { pool, clock, own, failures, onBlock, onReturn, random = Math.random }: HeaderFeedParts,
): HeaderFeed | undefined => {
  if (openWebSocket === undefined) return undefined;
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  const log = `websocket of ${endpoint}`;
  let client: WebSocketClient | undefined;
  let fails = 0;
  /** Consecutive connections without a header, although the endpoint responded to other requests. */
  let inVain = 0;
  let wasConnected = false;
  own.websocketConnected.set({ endpoint }, 0);

  /** Reads one connection until it ends. Resolves to the reason of the end. */
  const listen = async (): Promise<{ readonly reason: Ended; readonly text: string; readonly waitMs?: number }> => {
    let newest: bigint | undefined;
    const seen = { mute: false };
    const watch = new AbortController();
    try {
      client = await openWebSocket(stopping.signal);
      const headers = await client.subscribe('NewBlockHeader');
      own.websocketConnected.set({ endpoint }, 1);
      pool.setListening(endpoint, { isOn: true });
      failures.worked(log);
      if (wasConnected) onReturn();
      wasConnected = true;
      void untilMute(watch.signal, () => newest).then((mute) => {
        seen.mute = mute;
        if (mute) void client?.close();
      });
      let repeats = 0;
      for await (const header of headers) {
        inVain = -1;
        if (take(header, newest)) {
          newest = header.height;
          repeats = 0;
          fails = 0;
        } else {
          own.websocketDropped.inc({ endpoint, reason: 'duplicate' });
          if (++repeats > mostRepeats) {
            return { reason: 'limit', text: `${repeats} headers in a row repeat old blocks` };
          }
        }
      }
      return seen.mute
        ? { reason: 'mute', text: 'it says nothing while the chain goes on' }
        : { reason: 'closed', text: 'the connection was closed' };
    } catch (error) {
      if (error instanceof HubError && error.code === 'decode')
        own.websocketDropped.inc({ endpoint, reason: 'undecodable' });
      if (error instanceof HubError && error.code === 'limit')
        own.websocketDropped.inc({ endpoint, reason: 'queue_full' });
      const waitMs = error instanceof HubError ? (error.raw.retryAfterMs ?? 0) : 0;
      return { reason: failureReason(error), text: failureText(error), waitMs };
    } finally {
      watch.abort();
      own.websocketConnected.set({ endpoint }, 0);
      const last = client;
      client = undefined;
      const closed = last?.close();
      // A peer that does not answer the close frame must not delay the shutdown.
      if (!isStopped()) await closed;
    }
  };

  /** Processes a header. Returns `false` if its height is not above `newest`. */
  const take = ({ height, header }: NewBlockHeaderEvent, newest: bigint | undefined): boolean => {
    own.websocketEvents.inc({ endpoint, type: 'NewBlockHeader' });
    own.websocketLastMessage.set({ endpoint }, clock.nowMs() / 1_000);
    if (newest !== undefined && height <= newest) return false;
    if (header.time !== undefined) {
      pool.push(endpoint, { height, timeMs: wholeMs(header.time), chainId: header.chainId });
    }
    onBlock();
    return true;
  };

  /** Resolves to `true` if no header arrived for `muteMs` although the head advanced, to `false` when `signal` aborts. */
  const untilMute = async (signal: AbortSignal, newest: () => bigint | undefined): Promise<boolean> => {
    let before = newest();
    while (!isOver(signal)) {
      const headBefore = pool.told(endpoint)?.height;
      await pause(clock, muteMs, signal);
      const head = pool.told(endpoint)?.height;
      const wentOn = head !== undefined && headBefore !== undefined && head > headBefore + 1n;
      if (!isOver(signal) && wentOn && newest() === before) return true;
      before = newest();
    }
    return false;
  };

  const loop = async (): Promise<void> => {
    while (!isStopped()) {
      const { reason, text, waitMs = 0 } = await listen();
      if (isStopped()) return;
      failures.failed(log, `${text}; new blocks are looked for at the usual intervals meanwhile`, reason);
      own.websocketReconnects.inc({ endpoint, reason });
      // The websocket counts as down only if it fails while the node answers other requests. Otherwise it just reconnects.
      inVain = pool.told(endpoint) === undefined ? 0 : inVain + 1;
      pool.setListening(endpoint, { isOn: false, reason: failureOf(reason), text, failures: inVain });
      fails += 1;
      await pause(clock, Math.max(waitMs, backoffMs(fails, backoff, random)), stopping.signal);
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      void client?.close();
      await ended;
    },
  };
};
