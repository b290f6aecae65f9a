import { type Clock, pause } from '@hubwatch/client';
import type { FailureLog, Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { type Backoff, createBackoff } from './backoff.js';
import type { Channel } from './channel.js';
import { type ChannelHealth, createChannelHealth } from './channel-health.js';
import { DeliveryError, deliveryReasons } from './delivery-error.js';
import type { OutboxStore, Waiting } from './outbox-store.js';

/** Time a stop gives the attempt that is under way; a notice accepted later is sent once more, with the same id. */
const lastAttemptMs = 1_000;
/** Pause after a store that could not be read or written. */
const storePauseMs = 1_000;

/** Empties the outbox into one channel, outside the poll path. */
export interface Sender {
  readonly channel: string;
  /** There is something new to send. */
  wake(): void;
  /** What stands in the way of notices now. */
  failing(): ChannelHealth['failing'];
  stop(): Promise<void>;
}

export interface SenderParts {
  readonly outbox: OutboxStore;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  readonly logger: Logger;
  /** Age at which a notice that still fails is given up, milliseconds. */
  readonly giveUpAfterMs: number;
}

export const startSender = (channel: Channel, parts: SenderParts): Sender => {
  const { outbox, clock, own, failures, logger, giveUpAfterMs } = parts;
  const labels = { channel: channel.name };
  const stopping = new AbortController();
  const health = createChannelHealth(channel, { clock, own, failures });
  const backoffs = new Map<string, Backoff>();
  let wake: () => void = () => undefined;
  let woken = false;

  /** Accepted by the channel, not yet written down: a store that cannot write must not make a notice go out again. */
  const accepted = new Set<number>();

  const attempt = async (waiting: Waiting): Promise<void> => {
    if (!accepted.has(waiting.seq)) {
      const failure = await send(waiting);
      if (failure !== undefined) {
        settle(waiting, failure);
        return;
      }
      accepted.add(waiting.seq);
    }
    outbox.delivered(waiting.seq, clock.nowMs());
    accepted.delete(waiting.seq);
    gauge();
  };

  const send = async (waiting: Waiting): Promise<DeliveryError | undefined> => {
    own.notifications.inc(labels);
    const started = clock.monotonicMs();
    try {
      await channel.send(waiting);
      own.notificationDelay.observe(labels, Math.max(0, (clock.nowMs() - waiting.delivery.atMs) / 1_000));
      for (const key of keysOf(waiting)) backoffs.delete(key);
      health.accepted(waiting.recipient);
      return undefined;
    } catch (error) {
      const failure = error instanceof DeliveryError ? error : unexpected(error);
      own.notificationFailures.inc({ ...labels, reason: failure.reason });
      health.failed(waiting.recipient, failure);
      return failure;
    } finally {
      own.notificationDuration.observe(labels, (clock.monotonicMs() - started) / 1_000);
    }
  };

  /** Decides what becomes of a notice that was not accepted. */
  const settle = (waiting: Waiting, failure: DeliveryError): void => {
    const { longestPauseMs } = deliveryReasons[failure.reason];
    const text = `${failure.reason}: ${failure.message}`;
    const isTooOld = clock.nowMs() - waiting.delivery.atMs >= giveUpAfterMs;
    if (longestPauseMs === undefined && !waiting.isShort) {
      outbox.shorten(waiting.seq, text);
    } else if (longestPauseMs === undefined || isTooOld) {
      outbox.giveUp(waiting.seq, text, clock.nowMs());
      own.notificationsDead.inc(labels);
      const { rule, title } = waiting.delivery;
      logger.error({ ...labels, rule, title, failure: text }, 'notice given up');
    } else {
      const key = keyOf(waiting, failure.scope);
      const backoff = backoffs.get(key) ?? createBackoff();
      backoff.failed(clock.monotonicMs(), longestPauseMs, failure.waitMs);
      backoffs.set(key, backoff);
      outbox.failed(waiting.seq, text);
    }
    gauge();
  };

  const notBefore = (waiting: Waiting): number =>
    Math.max(0, ...keysOf(waiting).map((key) => backoffs.get(key)?.notBeforeMs ?? 0));

  /** Sends what may be sent until nothing is due. Answers when something has to be tried again. */
  const pass = async (): Promise<number | undefined> => {
    for (;;) {
      const due = outbox.due(channel.name);
      const ready = due.filter((waiting) => notBefore(waiting) <= clock.monotonicMs());
      if (ready.length === 0) return due.length === 0 ? undefined : Math.min(...due.map(notBefore));
      for (const waiting of ready) {
        if (stopping.signal.aborted) return undefined;
        // What failed a moment ago may concern this one too.
        if (notBefore(waiting) <= clock.monotonicMs()) await attempt(waiting);
      }
    }
  };

  const gauge = (): void => {
    try {
      const { entries, oldestMs } = outbox.queue(channel.name);
      own.notificationQueue.set(labels, entries);
      if (oldestMs === undefined) own.notificationOldest.remove(labels);
      else own.notificationOldest.set(labels, oldestMs / 1_000);
    } catch (error) {
      // The queue's length is for metrics alone: sending goes on, and the pass tells of a store that cannot be read.
      failures.failed(`outbox ${channel.name}`, String(error));
    }
  };

  const sleep = async (untilMs: number | undefined): Promise<void> => {
    if (woken || stopping.signal.aborted) return;
    const waking = new AbortController();
    const end = (): void => waking.abort();
    wake = end;
    stopping.signal.addEventListener('abort', end, { once: true });
    if (untilMs !== undefined) await pause(clock, Math.max(0, untilMs - clock.monotonicMs()), waking.signal);
    else await new Promise((resolve) => waking.signal.addEventListener('abort', resolve, { once: true }));
    stopping.signal.removeEventListener('abort', end);
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = false;
      gauge();
      let againMs: number | undefined;
      try {
        againMs = await pass();
        failures.worked(`outbox ${channel.name}`);
      } catch (error) {
        failures.failed(`outbox ${channel.name}`, String(error));
        await pause(clock, storePauseMs, stopping.signal);
        continue;
      }
      await sleep(againMs);
    }
  };
  const ended = loop();

  return {
    channel: channel.name,
    wake() {
      woken = true;
      wake();
      gauge();
    },
    failing: () => health.failing,
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([ended, pause(clock, lastAttemptMs, patience.signal)]);
      patience.abort();
      channel.close();
    },
  };
};

const keyOf = ({ recipient, seq }: Waiting, scope: DeliveryError['scope']): string =>
  scope === 'channel' ? 'channel' : scope === 'recipient' ? `recipient ${recipient}` : `notice ${seq}`;

const keysOf = (waiting: Waiting): readonly string[] =>
  (['channel', 'recipient', 'notice'] as const).map((scope) => keyOf(waiting, scope));

const unexpected = (error: unknown): DeliveryError =>
  new DeliveryError(error instanceof Error ? error.message : String(error), {
    reason: 'other',
    scope: 'notice',
    cause: error,
  });
