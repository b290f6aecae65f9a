import { type Clock, pause } from '../clock.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { type Channel, type Delivery, DeliveryError } from './channel.js';
import type { OutboxStore } from './outbox-store.js';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Time a stop gives the attempt that is under way; a notice accepted later is sent once more, with the same id. */
const lastAttemptMs = 1_000;

/** Empties the outbox into one channel, outside the poll path. */
export interface Sender {
  /** There is something new to send. */
  wake(): void;
  stop(): Promise<void>;
}

export interface SenderParts {
  readonly outbox: OutboxStore;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
}

export const startSender = (channel: Channel, { outbox, clock, own, failures }: SenderParts): Sender => {
  const labels = { channel: channel.name };
  const stopping = new AbortController();
  let wake: () => void = () => undefined;
  let woken = false;

  /** Accepted by the channel, not yet written down: a store that cannot write must not make a notice go out again. */
  const accepted = new Set<string>();

  const attempt = async (delivery: Delivery): Promise<'done' | 'later' | 'channel down'> => {
    if (!accepted.has(delivery.id)) {
      const result = await send(delivery);
      if (result !== 'accepted') return result;
      accepted.add(delivery.id);
    }
    outbox.delivered(delivery.id, clock.nowMs());
    accepted.delete(delivery.id);
    gauge();
    return 'done';
  };

  const send = async (delivery: Delivery): Promise<'accepted' | 'done' | 'later' | 'channel down'> => {
    own.notifications.inc(labels);
    const started = clock.monotonicMs();
    try {
      await channel.send(delivery);
      own.notificationDelay.observe(labels, Math.max(0, (clock.nowMs() - delivery.atMs) / 1_000));
      failures.worked(`channel ${channel.name}`);
      return 'accepted';
    } catch (error) {
      const failure = error instanceof DeliveryError ? error : unexpected(error);
      own.notificationFailures.inc({ ...labels, reason: failure.reason });
      failures.failed(`channel ${channel.name}`, `${failure.reason}: ${failure.message}`, failure.reason);
      if (failure.retry === 'never') {
        outbox.giveUp(delivery.id, failure.message, clock.nowMs());
        own.notificationsDead.inc(labels);
        return 'done';
      }
      outbox.failed(delivery.id, failure.message);
      gauge();
      return failure.concernsChannel ? 'channel down' : 'later';
    } finally {
      own.notificationDuration.observe(labels, (clock.monotonicMs() - started) / 1_000);
    }
  };

  /** Sends what may be sent until nothing is due. `false` when something has to be tried again. */
  const pass = async (): Promise<boolean> => {
    for (let due = outbox.due(channel.name); due.length > 0; due = outbox.due(channel.name)) {
      let progress = false;
      for (const delivery of due) {
        if (stopping.signal.aborted) return true;
        const result = await attempt(delivery);
        if (result === 'channel down') return false;
        progress ||= result === 'done';
      }
      if (!progress) return false;
    }
    return true;
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

  const sleepUntilWoken = async (): Promise<void> => {
    if (woken || stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

  const loop = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      woken = false;
      gauge();
      let isEmpty = false;
      try {
        isEmpty = await pass();
        failures.worked(`outbox ${channel.name}`);
      } catch (error) {
        failures.failed(`outbox ${channel.name}`, String(error));
      }
      if (isEmpty) {
        pauseMs = firstPauseMs;
        await sleepUntilWoken();
      } else {
        await pause(clock, pauseMs, stopping.signal);
        pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      }
    }
  };
  const ended = loop();

  return {
    wake() {
      woken = true;
      wake();
      gauge();
    },
    async stop() {
      stopping.abort();
      await Promise.race([ended, pause(clock, lastAttemptMs)]);
      channel.close();
    },
  };
};

const unexpected = (error: unknown): DeliveryError =>
  new DeliveryError(error instanceof Error ? error.message : String(error), {
    reason: 'other',
    retry: 'again',
    concernsChannel: false,
    cause: error,
  });
