import type { Alert } from '../alerts/alert.js';
import type { AlertBook } from '../alerts/alert-book.js';
import { type Clock, joinSignals, pause } from '@hubwatch/client';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { createChannelHealth } from './channel-health.js';
import { DeliveryError } from './delivery-error.js';
import type { Sender } from './sender.js';

/** Alerts as they stand now. */
export interface AlertsNow {
  /** Those that fire and that people were told of. */
  readonly firing: readonly Alert[];
  /** Those that ended a short time ago and do not fire anew. */
  readonly ended: readonly Alert[];
  readonly nowMs: number;
}

/**
 * A service that is shown what fires, again and again, instead of being sent notices one by one: it keeps no queue, and what
 * was missed is made good with the next look.
 */
export interface Mirror {
  readonly name: string;
  /** Addresses that are shown the same, each on its own. */
  readonly recipients: readonly string[];
  readonly everyMs: number;
  /** @throws DeliveryError */
  show(alerts: AlertsNow, recipient: string): Promise<void>;
}

export interface MirrorParts {
  readonly alerts: Pick<AlertBook, 'active' | 'ended'>;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
}

/** How long the end of an alert is shown, so that one lost request does not leave it firing. */
const endedMs = 15 * 60_000;
const endedShown = 1_000;
const retryMs = 10_000;
/** Time a stop gives the request that is under way. */
const lastAttemptMs = 1_000;

export const startMirror = (mirror: Mirror, { alerts, clock, own, failures }: MirrorParts): Sender => {
  const labels = { channel: mirror.name };
  const stopping = new AbortController();
  const health = createChannelHealth(mirror, { clock, own, failures });
  let waking = new AbortController();

  const now = (): AlertsNow => {
    const nowMs = clock.nowMs();
    const firing = alerts.active().filter(({ state, notified }) => state === 'firing' && notified);
    const names = new Set(firing.map(nameOf));
    const ended = new Map<string, Alert>();
    // Newest first: of several stretches of one subject the last one counts.
    for (const alert of alerts.ended(endedShown)) {
      const name = nameOf(alert);
      const isRecent = alert.notified && alert.endedClockMs !== undefined && nowMs - alert.endedClockMs <= endedMs;
      if (isRecent && !names.has(name) && !ended.has(name)) ended.set(name, alert);
    }
    return { firing, ended: [...ended.values()], nowMs };
  };

  const showTo = async (recipient: string, what: AlertsNow): Promise<boolean> => {
    own.notifications.inc(labels);
    const started = clock.monotonicMs();
    try {
      await mirror.show(what, recipient);
      health.accepted(recipient);
      return true;
    } catch (error) {
      const failure =
        error instanceof DeliveryError
          ? error
          : new DeliveryError(String(error), { reason: 'other', scope: 'recipient', cause: error });
      own.notificationFailures.inc({ ...labels, reason: failure.reason });
      health.failed(recipient, failure);
      return false;
    } finally {
      own.notificationDuration.observe(labels, (clock.monotonicMs() - started) / 1_000);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      let pauseMs = mirror.everyMs;
      try {
        const what = now();
        if (what.firing.length + what.ended.length > 0) {
          const shown = await Promise.all(mirror.recipients.map((recipient) => showTo(recipient, what)));
          if (shown.includes(false)) pauseMs = Math.min(retryMs, mirror.everyMs);
        }
        failures.worked(`outbox ${mirror.name}`);
      } catch (error) {
        failures.failed(`outbox ${mirror.name}`, String(error));
      }
      const woken = joinSignals([stopping.signal, waking.signal]);
      await pause(clock, pauseMs, woken.signal);
      woken.clear();
    }
  };
  const ended = loop();

  return {
    channel: mirror.name,
    wake: () => waking.abort(),
    failing: () => health.failing,
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([ended, pause(clock, lastAttemptMs, patience.signal)]);
      patience.abort();
    },
  };
};

const nameOf = ({ rule, subject }: Alert): string => JSON.stringify([rule, subject]);
