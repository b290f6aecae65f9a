import type { Clock } from '@hubwatch/client';
import { type AlertBook, createAlertBook } from './alerts/alert-book.js';
import { createAlertStore } from './alerts/alert-store.js';
import { createEvaluation, type Evaluation } from './alerts/evaluation.js';
import { notifyingSettings } from './alerts/notifying.js';
import { quietAt } from './alerts/quiet.js';
import { createSilenceStore, type SilenceStore } from './alerts/silences.js';
import { speedOf } from './clock.js';
import type { Config } from './config/schema.js';
import type { FailureLog, Logger } from './log.js';
import { configuredChannels, configuredMirrors } from './notifiers/index.js';
import { createCommit } from './outbox/commit.js';
import { startMirror } from './outbox/mirror-sender.js';
import { Outbox } from './outbox/outbox.js';
import { createOutboxStore } from './outbox/outbox-store.js';
import { type Sender, startSender } from './outbox/sender.js';
import type { OwnMetrics } from './own-metrics.js';
import type { Rule, RuleView } from './rules/rule.js';
import type { AwakeTime } from './schedule/awake-time.js';
import { Journal } from './store/journal.js';
import type { Store } from './store/store.js';

export interface AlertingParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly awake: Pick<AwakeTime, 'nowMs' | 'lastStallMs'>;
  readonly store: Store;
  readonly rules: readonly Rule[];
  readonly view: () => RuleView;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  readonly logger: Logger;
}

/** The stages from rules to recipients. */
export interface Alerting {
  readonly silences: SilenceStore;
  readonly alerts: AlertBook;
  readonly outbox: Outbox;
  readonly evaluation: Evaluation;
  /** The running senders. */
  readonly senders: readonly Sender[];
  /** Starts a sender for each channel and mirror; until then notices wait in the outbox. */
  startSenders(): void;
}

/** Builds alert book, outbox and senders on a store. Nothing is evaluated or sent yet. */
export const createAlerting = (parts: AlertingParts): Alerting => {
  const { config, clock, awake, store, rules, view, own, failures, logger } = parts;
  const speed = speedOf(clock);
  const channels = configuredChannels(config);
  const journal = new Journal(store, (error) => failures.failed('store', String(error)));
  const outbox = new Outbox({ store: createOutboxStore(store), journal, channels });
  const strays = outbox.reconcile(clock.nowMs());
  if (strays > 0)
    logger.warn({ notices: strays }, 'notices given up: their channel or recipient is no longer configured');
  const senders: Sender[] = [];
  const silences = createSilenceStore(store);
  const alertStore = createAlertStore(store);
  const alerts = createAlertBook({
    alertStore,
    commit: createCommit({ alertStore, outbox, journal }),
    settings: notifyingSettings(config),
    quietAt: (nowMs) => quietAt(silences, config, nowMs),
    start: { clockMs: clock.nowMs(), steadyMs: awake.nowMs() },
    own,
    logger,
  });
  const evaluation = createEvaluation({
    ...{ rules, view, alerts, clock, awake, speed, own, failures },
    onNotices: () => senders.forEach((sender) => sender.wake()),
  });
  return {
    ...{ silences, alerts, outbox, evaluation, senders },
    startSenders() {
      // Ages of notices use the time of day, which runs fast in a demo.
      const giveUpAfterMs = config.alerts.give_up_after * speed;
      for (const channel of channels)
        senders.push(startSender(channel, { outbox, clock, own, failures, logger, giveUpAfterMs }));
      for (const mirror of configuredMirrors(config))
        senders.push(startMirror(mirror, { alerts, clock, own, failures }));
    },
  };
};
