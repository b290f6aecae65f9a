// Program that last-word kills at arbitrary times: alert book, outbox and senders over states sent by its parent.
import {
  createAlerting,
  createFailureLog,
  createLogger,
  createOwnMetrics,
  demoClock,
  type FailureLog,
  openStore,
  parseConfig,
  type Rule,
  type RuleView,
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
const logger = createLogger('silent');
const store = openStore(config.store.path);
const failureLog = createFailureLog(logger);
const failures: FailureLog = {
  ...failureLog,
  failed(key, text, reason) {
    // Without rounds nothing is sent, so the parent must get the reason.
    if (key === 'rules') throw new Error(`the rules could not be evaluated: ${text}`);
    failureLog.failed(key, text, reason);
  },
};

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
const alerting = createAlerting({
  ...{
    config,
    clock: fast,
    awake: { nowMs: fast.monotonicMs, lastStallMs: () => undefined },
    store,
    rules: [rule],
    logger,
  },
  view: () => ({ head: undefined, clockMs: fast.nowMs(), ledger: { position: () => undefined } }) as RuleView,
  own: createOwnMetrics(),
  failures,
});
alerting.startSenders();

process.on('message', (order: Order) => {
  if ('silence' in order) {
    const nowMs = fast.nowMs();
    const facts = { rule: undefined, subject: order.silence, fromMs: nowMs, untilMs: nowMs + 30 * 86_400_000 };
    alerting.silences.add({ ...facts, comment: 'work' });
    process.send?.('silenced');
  } else {
    seen = order.seen;
    void alerting.evaluation.run().then(() => process.send?.('seen'));
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
