import { type Clock, pause } from '@hubwatch/client';
import type { FailureLog, Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { Backoff } from './backoff.js';
import type { Channel } from './channel.js';
import { type ChannelHealth, createChannelHealth } from './channel-health.js';
import { DeliveryError, deliveryReasons } from './delivery-error.js';
import type { Outbox, Waiting } from './outbox.js';
import { SendingOrder } from './sending-order.js';

/** How long shutdown waits for the attempt in progress. A notice accepted later is sent again, with the same id. */
const lastAttemptMs = 1_000;
/** Maximum pause between attempts with a refused text that no later notice replaces. */
const refusedPauseMs = 3_600_000;
/** Pause after a failure of the store. */
const storePauseMs = 1_000;

/** Sends the notices of the outbox over one channel, independently of the polls. */
export interface Sender {
  readonly channel: string;
  /** Signals that new notices are waiting. */
  wake(): void;
  /** Problem that currently prevents deliveries. */
  failing(): ChannelHealth['failing'];
  stop(): Promise<void>;
}

export interface SenderParts {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  readonly logger: Logger;
  /** Age at which a notice that still fails is given up, in milliseconds. */
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

  const order = new SendingOrder();

  const attempt = async (waiting: Waiting): Promise<void> => {
    const failure = await send(waiting);
    if (failure === undefined) outbox.delivered(waiting, clock.nowMs());
    else settle(waiting, failure);
    gauge();
  };

  const send = async (waiting: Waiting): Promise<DeliveryError | undefined> => {
    own.notifications.inc(labels);
    const started = clock.monotonicMs();
    try {
      await channel.send(waiting);
      own.notificationDelay.observe(labels, Math.max(0, (clock.nowMs() - waiting.delivery.atMs) / 1_000));
      for (const key of keysOf(waiting)) backoffs.delete(key);
      order.accepted(waiting);
      health.accepted(waiting.recipient);
      return undefined;
    } catch (error) {
      const failure = error instanceof DeliveryError ? error : unexpected(error);
      own.notificationFailures.inc({ ...labels, reason: failure.reason });
      health.failed(waiting.recipient, failure);
      order.failed(waiting, failure);
      return failure;
    } finally {
      own.notificationDuration.observe(labels, (clock.monotonicMs() - started) / 1_000);
    }
  };

  /** Decides how to proceed with a notice that was not accepted. */
  const settle = (waiting: Waiting, failure: DeliveryError): void => {
    // A later notice replaced it while it was being sent.
    if (!outbox.isWaiting(waiting)) return;
    const { longestPauseMs } = deliveryReasons[failure.reason];
    const text = `${failure.reason}: ${failure.message}`;
    const isRefused = longestPauseMs === undefined;
    if (isRefused && !waiting.isShort) {
      outbox.failed(waiting, text, { isShort: true });
      return;
    }
    const isTooOld = clock.nowMs() - waiting.delivery.atMs >= giveUpAfterMs;
    const isFollowed = outbox.isFollowed(waiting);
    // The last notice about an alert is kept as long as it may be accepted: no other notice reports the current state.
    if ((isTooOld && (isRefused || isFollowed)) || (isFollowed && (isRefused || order.isAtFault(waiting)))) {
      outbox.giveUp(waiting, text, clock.nowMs());
      own.notificationsDead.inc(labels);
      const { rule, title } = waiting.delivery;
      logger.error({ ...labels, rule, title, failure: text }, 'notice given up');
      return;
    }
    const key = keyOf(waiting, isRefused ? 'notice' : failure.scope);
    const backoff = backoffs.get(key) ?? new Backoff();
    backoff.failed(clock.monotonicMs(), longestPauseMs ?? refusedPauseMs, failure.waitMs);
    backoffs.set(key, backoff);
    outbox.failed(waiting, text, { isRefused });
  };

  const notBefore = (waiting: Waiting): number =>
    Math.max(0, ...keysOf(waiting).map((key) => backoffs.get(key)?.notBeforeMs ?? 0));

  /** Sends notices until none is due. Returns when the next attempt is due. */
  const pass = async (): Promise<number | undefined> => {
    for (;;) {
      const due = order.sorted(outbox.due(channel.name));
      const ready = due.filter((waiting) => notBefore(waiting) <= clock.monotonicMs());
      if (ready.length === 0) return due.length === 0 ? undefined : Math.min(...due.map(notBefore));
      for (const waiting of ready) {
        if (stopping.signal.aborted) return undefined;
        // An earlier failure may concern this notice too, and a later notice may have replaced it.
        if (notBefore(waiting) <= clock.monotonicMs() && outbox.isWaiting(waiting)) await attempt(waiting);
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
      // The queue length is used for metrics only. Sending continues, and the pass reports a store that cannot be read.
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
        const isWritten = outbox.retryWrites();
        againMs = await pass();
        if (!isWritten) againMs = Math.min(againMs ?? Number.POSITIVE_INFINITY, clock.monotonicMs() + storePauseMs);
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
