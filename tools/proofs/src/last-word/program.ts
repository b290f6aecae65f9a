// Killed at any moment by last-word: alert book, outbox and senders over states that its parent sends.
import {
  configuredChannels,
  createAlertBook,
  createAlertStore,
  createCommit,
  createEvaluation,
  createFailureLog,
  createLogger,
  createOutboxStore,
  createOwnMetrics,
  createSilenceStore,
  demoClock,
  Journal,
  notifyingSettings,
  openStore,
  Outbox,
  parseConfig,
  quietAt,
  type Rule,
  type RuleView,
  startSender,
} from '@hubwatch/daemon/parts';
import { readFileSync } from 'node:fs';
import type { Order, Seen } from './seen.js';

const [configFile = '', startMs = '', speed = ''] = process.argv.slice(2);
const config = parseConfig(readFileSync(configFile, 'utf8'));
const clock = demoClock({ startWallMs: Number(startMs), startChainMs: Number(startMs), speed: Number(speed) });
const fast = {
  nowMs: () => clock.nowMs(),
  monotonicMs: () => clock.monotonicMs() * Number(speed),
  setTimeout: (fn: () => void, ms: number) => clock.setTimeout(fn, ms / Number(speed)),
};
const own = createOwnMetrics();
const logger = createLogger('silent');
const store = openStore(config.store.path);
const channels = configuredChannels(config);
const journal = new Journal(store, (error) => void process.stderr.write(`${String(error)}\n`));
const outbox = new Outbox({ store: createOutboxStore(store), journal, channels });
outbox.reconcile(fast.nowMs());
const silences = createSilenceStore(store);
const alertStore = createAlertStore(store);
const alerts = createAlertBook({
  alertStore,
  commit: createCommit({ alertStore, outbox, journal }),
  settings: notifyingSettings(config),
  quietAt: (nowMs) => quietAt(silences, config, nowMs),
  start: { clockMs: fast.nowMs(), steadyMs: fast.monotonicMs() },
  own,
  logger,
});

let seen: readonly Seen[] = [];
const rule: Rule = {
  name: 'R',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  evaluate: () =>
    seen.map(({ subject, term, isFiring, version }) => {
      const state = isFiring ? 'firing' : 'ok';
      return { subject, term, state, title: `${subject}: ${state} v${version}`, text: '' };
    }),
};
const evaluation = createEvaluation({
  rules: [rule],
  view: () => ({ head: undefined, clockMs: fast.nowMs() }) as RuleView,
  alerts,
  clock: fast,
  own,
  failures: createFailureLog(logger),
  onNotices: () => senders.forEach((sender) => sender.wake()),
});
const senders = channels.map((channel) =>
  startSender(channel, {
    outbox,
    clock: fast,
    own,
    failures: createFailureLog(logger),
    logger,
    giveUpAfterMs: config.alerts.give_up_after,
  }),
);

process.on('message', (order: Order) => {
  if ('silence' in order) {
    const nowMs = fast.nowMs();
    const facts = { rule: undefined, subject: order.silence, fromMs: nowMs, untilMs: nowMs + 30 * 86_400_000 };
    silences.add({ ...facts, comment: 'work' });
    process.send?.('silenced');
  } else if ('rows' in order) {
    process.send?.(store.all('SELECT channel, recipient, state, notice FROM outbox ORDER BY seq'));
  } else {
    seen = order.seen;
    void evaluation.run().then(() => process.send?.('seen'));
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
