import type { Alert } from '../alerts/alert.js';
import type { AlertBook } from '../alerts/alert-book.js';
import { type Clock, joinSignals, pause } from '@hubwatch/client';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { createChannelHealth } from './channel-health.js';
import { DeliveryError } from './delivery-error.js';
import type { AlertsNow, Mirror } from './mirror.js';
import type { Sender } from './sender.js';

export interface MirrorParts {
  readonly alerts: Pick<AlertBook, 'active' | 'ended'>;
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
}

/** How long a resolved alert is still sent after it was accepted, so that a restarted receiver does not miss it. */
const endedMs = 15 * 60_000;
/** Maximum age of resolved alerts that are sent after a start, when it is unknown which of them were accepted. */
const endedBeforeStartMs = 86_400_000;
const endedShown = 1_000;
const retryMs = 10_000;
/** How long shutdown waits for the request in progress. */
const lastAttemptMs = 1_000;

export const startMirror = (mirror: Mirror, { alerts, clock, own, failures }: MirrorParts): Sender => {
  const labels = { channel: mirror.name };
  const stopping = new AbortController();
  const health = createChannelHealth(mirror, { clock, own, failures });
  const startMs = clock.nowMs();
  /** Ids of alerts whose resolution was accepted, by recipient. */
  const acceptedEnds = new Map<string, ReadonlySet<string>>();
  let waking = new AbortController();

  const now = (): AlertsNow => ({
    firing: alerts.active().filter(({ state, notified }) => state === 'firing' && notified),
    ended: alerts.ended(endedShown).filter(({ notified }) => notified),
    nowMs: clock.nowMs(),
  });

  const isOwed = (recipient: string, { id, endedClockMs }: Alert, nowMs: number): boolean => {
    if (endedClockMs === undefined || startMs - endedClockMs > endedBeforeStartMs) return false;
    return nowMs - endedClockMs <= endedMs || acceptedEnds.get(recipient)?.has(id) !== true;
  };

  /** Alerts to send to one recipient. */
  const partFor = (recipient: string, { firing, ended, nowMs }: AlertsNow): AlertsNow => {
    const names = new Set(firing.map(nameOf));
    const owed: Alert[] = [];
    // Newest first: among several occurrences for one subject, the last one counts.
    for (const alert of ended) {
      const name = nameOf(alert);
      if (!names.has(name) && isOwed(recipient, alert, nowMs)) owed.push(alert);
      names.add(name);
    }
    return { firing, ended: owed, nowMs };
  };

  /** Returns whether the recipient has accepted everything. */
  const update = async (recipient: string, all: AlertsNow): Promise<boolean> => {
    const part = partFor(recipient, all);
    if (part.firing.length + part.ended.length > 0 && !(await showTo(recipient, part))) return false;
    acceptedEnds.set(recipient, new Set(all.ended.map(({ id }) => id)));
    return true;
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
        const all = now();
        const shown = await Promise.all(mirror.recipients.map((recipient) => update(recipient, all)));
        if (shown.includes(false)) pauseMs = Math.min(retryMs, mirror.everyMs);
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
