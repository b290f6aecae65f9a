// Run by kill.test.ts and killed at any time: writes alerts with their notices, and sends them.
import { createAlertBook } from '../src/alerts/alert-book.js';
import { createAlertStore } from '../src/alerts/alert-store.js';
import { systemClock } from '@hubwatch/client';
import { createFailureLog, createLogger } from '../src/log.js';
import { createEmailChannel } from '../src/notifiers/email.js';
import { createCommit } from '../src/outbox/commit.js';
import { Outbox } from '../src/outbox/outbox.js';
import { createOutboxStore } from '../src/outbox/outbox-store.js';
import { startSender } from '../src/outbox/sender.js';
import { createOwnMetrics } from '../src/own-metrics.js';
import { Journal } from '../src/store/journal.js';
import { openStore } from '../src/store/store.js';

const [path = '', port = '', subjects = ''] = process.argv.slice(2);
const store = openStore(path);
const own = createOwnMetrics();
const logger = createLogger('silent');
const alertStore = createAlertStore(store);
const journal = new Journal(store, (error) => {
  throw error;
});
const channel = createEmailChannel(
  { host: '127.0.0.1', port: Number(port), tls: 'none', from: 'w@example.org', to: ['o@example.org'] },
  { monitor: 'test', statusPage: undefined },
);
const outbox = new Outbox({ store: createOutboxStore(store), journal, channels: [channel] });
const alerts = createAlertBook({
  alertStore,
  commit: createCommit({ alertStore, outbox, journal }),
  settings: { group: { above: 1_000, waitMs: 0 }, flap: { above: 1_000, windowMs: 1, settleMs: 1 } },
  quietAt: () => () => undefined,
  start: { clockMs: Date.now(), steadyMs: performance.now() },
  own,
  logger,
});
const sender = startSender(channel, {
  outbox,
  clock: systemClock,
  own,
  failures: createFailureLog(logger),
  logger,
  giveUpAfterMs: 86_400_000,
});
const rule = { name: 'R', severity: 'warning', forMs: 0, time: 'clock', evaluate: () => [] } as const;

const round = (): void => {
  const known = new Set([...alerts.active(), ...alerts.ended(1_000)].map(({ subject }) => subject));
  const next = Array.from({ length: Number(subjects) }, (_, index) => `s${index}`).find(
    (subject) => !known.has(subject),
  );
  const firing = alerts.active().map(({ subject }) => subject);
  const verdict = (subject: string, state: 'ok' | 'firing') => ({ subject, term: '', state, title: subject, text: '' });
  const verdicts = [
    ...firing.map((subject) => verdict(subject, 'ok')),
    ...(next === undefined ? [] : [verdict(next, 'firing')]),
  ];
  alerts.apply([{ rule, verdicts }], { chainMs: undefined, clockMs: Date.now(), steadyMs: performance.now() });
  sender.wake();
  if (verdicts.length > 0) setTimeout(round, 5);
  else process.stdout.write('written\n');
};
round();
setInterval(() => undefined, 1_000);
