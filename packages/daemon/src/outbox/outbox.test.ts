import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { recordingLogger, temporaryStore } from '../../test/parts.js';
import type { Notice } from '../alerts/alert.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { Journal } from '../store/journal.js';
import type { Store } from '../store/store.js';
import type { Attempt, Channel, Delivery } from './channel.js';
import { DeliveryError } from './delivery-error.js';
import { Outbox, type OutboxParts } from './outbox.js';
import { createOutboxStore } from './outbox-store.js';
import { startSender } from './sender.js';

const notice = (stream: string, kind: Notice['kind'] = 'firing', title = `${kind} ${stream}`): Notice => ({
  kind,
  stream,
  members: [{ subject: stream, title, isFiring: kind === 'firing' }],
  rule: 'R',
  severity: 'warning',
  title,
  text: '',
  atMs: 1_800_000_000_000,
});

const putInto = (outbox: Outbox, journal: Journal, ...notices: Notice[]): void => {
  const batch = outbox.prepare(notices);
  journal.write(() => outbox.write(batch));
  outbox.add(batch);
};

const outboxOn = (store: Store, channels: OutboxParts['channels']) => {
  const journal = new Journal(store, (error) => expect(error).toBeUndefined());
  const outbox = new Outbox({ store: createOutboxStore(store), journal, channels });
  return { outbox, put: (...notices: Notice[]) => putInto(outbox, journal, ...notices) };
};

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
};

const hours = 3_600_000;

/** A channel that accepts a notice unless `answer` throws. */
const senderOn = (
  answer: (delivery: Delivery, attempt: Attempt) => void = () => undefined,
  recipients: readonly string[] = [''],
) => {
  const store = temporaryStore();
  const clock = fakeClock();
  const own = createOwnMetrics();
  const { logger, lines } = recordingLogger();
  const accepted: Delivery[] = [];
  const attempts: Attempt[] = [];
  const channel: Channel = {
    name: 'c',
    recipients,
    async send(attempt) {
      attempts.push(attempt);
      answer(attempt.delivery, attempt);
      accepted.push(attempt.delivery);
    },
    close: () => undefined,
  };
  const journal = new Journal(store, () => undefined);
  const outbox = new Outbox({ store: createOutboxStore(store), journal, channels: [channel] });
  const start = () =>
    startSender(channel, {
      outbox,
      clock,
      own,
      failures: createFailureLog(logger),
      logger,
      giveUpAfterMs: 24 * hours,
    });
  const put = (...notices: Notice[]) => notices.forEach((one) => putInto(outbox, journal, one));
  const pass = async (ms: number, stepMs = 1_000): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await settle();
    }
  };
  const metric = (name: string) => own.registry.getSingleMetricAsString(`hubwatch_${name}`);
  return { store, outbox, journal, clock, own, lines, accepted, attempts, start, put, pass, metric };
};

const down = new DeliveryError('down', { reason: 'unreachable', scope: 'channel' });

test('outbox: one row per channel, each with its own id, and one thread per alert and channel', () => {
  const { outbox, put } = outboxOn(
    temporaryStore(),
    ['c', 'd'].map((name) => ({ name, recipients: [''] })),
  );
  put(notice('a'));
  put(notice('a', 'recovered'));
  const [first] = outbox.due('c');
  expect(outbox.due('c')).toHaveLength(1);
  expect(first?.delivery.threadId).toBe(first?.delivery.id);
  expect(outbox.due('d')[0]?.delivery.id).not.toBe(first?.delivery.id);
  outbox.delivered({ seq: first?.seq ?? 0 }, 0);
  const [second] = outbox.due('c');
  expect(second?.delivery).toMatchObject({ kind: 'recovered', threadId: first?.delivery.id });
  expect(second?.delivery.id).not.toBe(first?.delivery.id);
});

const group = (kind: Notice['kind'], over: string, firing = ''): Notice => ({
  ...notice(`group ${over}${firing}`, kind),
  members: [
    ...[...over].map((subject) => ({ subject, title: subject, isFiring: kind === 'firing' })),
    ...[...firing].map((subject) => ({ subject, title: subject, isFiring: true })),
  ],
});

test.each<[string, readonly Notice[], readonly string[]]>([
  ['trouble and its end are both sent', [notice('a'), notice('a', 'recovered')], ['firing a', 'recovered a']],
  [
    'an end is overtaken by newer trouble, of another stretch too',
    [notice('a'), notice('a', 'recovered'), { ...notice('a', 'firing', 'again'), stream: 'other' }],
    ['again'],
  ],
  [
    'of long flapping the last trouble and its end are left',
    Array.from({ length: 40 }, (_, index) => notice('a', index % 2 === 0 ? 'firing' : 'recovered', `${index}`)),
    ['38', '39'],
  ],
  ['other subjects are not overtaken', [notice('a', 'recovered'), notice('b')], ['recovered a', 'firing b']],
  [
    'the end of a group is sent while one of its members has no newer notice',
    [group('recovered', 'ab'), notice('a')],
    ['recovered group ab', 'firing a'],
  ],
  [
    'the end of a group is overtaken when all of its members fire again',
    [group('recovered', 'ab', 'c'), notice('a'), notice('b')],
    ['firing a', 'firing b'],
  ],
  [
    'what still fires in the end of a group does not take the place of its own notice',
    [notice('c'), group('recovered', 'ab', 'c')],
    ['firing c', 'recovered group abc'],
  ],
])('outbox: %s', (_case, notices, sent) => {
  const store = temporaryStore();
  const channels = [{ name: 'c', recipients: [''] }];
  const sentBy = (outbox: Outbox): Delivery[] => {
    const all: Delivery[] = [];
    for (let due = outbox.due('c'); due.length > 0; due = outbox.due('c'))
      for (const waiting of due) {
        all.push(waiting.delivery);
        outbox.delivered(waiting, 0);
      }
    return all;
  };
  const { put } = outboxOn(store, channels);
  for (const one of notices) put(one);
  const overtaken = notices.length - sent.length;
  expect(store.all("SELECT seq FROM outbox WHERE state = 'overtaken'")).toHaveLength(overtaken);
  // Another process finds the same rows.
  const deliveries = sentBy(outboxOn(store, channels).outbox);
  expect(deliveries.map(({ title }) => title)).toEqual(sent);
  expect(deliveries.reduce((sum, { replaces = 0 }) => sum + replaces, 0)).toBe(overtaken);
});

test('outbox: a group and each of its members keep one order', () => {
  const { outbox, put } = outboxOn(temporaryStore(), [{ name: 'c', recipients: ['x'] }]);
  put(notice('a'), group('recovered', 'ab'), notice('b'), notice('d'));
  expect(outbox.due('c').map(({ delivery }) => delivery.title)).toEqual(['firing a', 'firing d']);
  outbox.delivered(outbox.due('c')[0] ?? { seq: 0 }, 0);
  const [first] = outbox.due('c');
  expect(first?.delivery.title).toBe('recovered group ab');
  expect(first?.delivery.members).toEqual([
    { subject: 'a', title: 'a', isFiring: false },
    { subject: 'b', title: 'b', isFiring: false, isOvertaken: true },
  ]);
});

test('sender: sends waiting notices at the start, then new ones, in order for each alert', async () => {
  const { accepted, start, put, outbox } = senderOn();
  put(notice('a'), notice('b'), notice('a', 'recovered'));
  const sender = start();
  await settle();
  put(notice('c'));
  sender.wake();
  await settle();
  expect(accepted.map(({ title }) => title)).toEqual(['firing a', 'firing b', 'recovered a', 'firing c']);
  expect(outbox.queue('c')).toEqual({ entries: 0, oldestMs: undefined });
  await sender.stop();
});

test('sender: an unavailable channel is retried with growing pauses up to 30 s, then everything is sent at once', async () => {
  let isDown = true;
  const { accepted, start, put, pass, attempts, metric } = senderOn(() => {
    if (isDown) throw down;
  });
  put(...Array.from({ length: 20 }, (_, index) => notice(`a${index}`)));
  const sender = start();
  await settle();
  expect(attempts).toHaveLength(1);
  await pass(6 * hours);
  expect(attempts.length).toBeGreaterThan(6 * 120 - 10);
  expect(attempts.length).toBeLessThan(6 * 120 + 10);
  expect(await metric('notification_queue_entries')).toContain('{channel="c"} 20');
  expect(await metric('notification_oldest_pending_timestamp_seconds')).toContain('{channel="c"} 1800000000');
  isDown = false;
  await pass(30_000);
  expect(accepted).toHaveLength(20);
  await sender.stop();
});

test.each(['content', 'too_large'] as const)(
  'sender: a text that is refused (%s) is sent once more in short form, then given up with a log entry, and delays nothing',
  async (reason) => {
    const { accepted, attempts, start, put, metric, lines } = senderOn(({ kind }) => {
      if (kind === 'firing') throw new DeliveryError('no', { reason, scope: 'notice' });
    });
    put(notice('a'), notice('a', 'recovered'));
    const sender = start();
    await settle();
    expect(attempts.map(({ delivery, isShort }) => [delivery.title, isShort])).toEqual([
      ['firing a', false],
      ['firing a', true],
      ['recovered a', false],
    ]);
    expect(accepted.map(({ title }) => title)).toEqual(['recovered a']);
    expect(await metric('notifications_dead_total')).toContain('{channel="c"} 1');
    expect(await metric('notification_failures_total')).toContain(`{channel="c",reason="${reason}"} 2`);
    expect(lines).toMatchObject([{ msg: 'notice given up', channel: 'c', rule: 'R', title: 'firing a' }]);
    expect(sender.failing()).toBeUndefined();
    await sender.stop();
  },
);

test('sender: an accepted short form completes the notice', async () => {
  const { accepted, start, put, metric } = senderOn((_delivery, { isShort }) => {
    if (!isShort) throw new DeliveryError('too big', { reason: 'too_large', scope: 'notice' });
  });
  put(notice('a'));
  const sender = start();
  await settle();
  expect(accepted).toHaveLength(1);
  expect(await metric('notifications_dead_total')).not.toContain('channel="c"');
  await sender.stop();
});

test('sender: one of two recipients refused: the other gets every notice once, and the refused one gets all after it is accepted again', async () => {
  let isRefused = true;
  const { attempts, start, put, pass, outbox } = senderOn(
    (_delivery, { recipient }) => {
      if (isRefused && recipient === 'b') throw new DeliveryError('no', { reason: 'recipient', scope: 'recipient' });
    },
    ['a', 'b'],
  );
  put(notice('x'), notice('x', 'recovered'), notice('y'));
  const sender = start();
  await settle();
  const got = (whom: string) =>
    attempts.filter(({ recipient }) => recipient === whom).map(({ delivery }) => delivery.title);
  expect(got('a').toSorted()).toEqual(['firing x', 'firing y', 'recovered x']);
  expect(outbox.queue('c').entries).toBe(3);
  expect(sender.failing()).toMatchObject({ reason: 'recipient', recipients: 1, of: 2 });
  await pass(hours);
  expect(got('b').length).toBeLessThan(20);
  isRefused = false;
  attempts.length = 0;
  await pass(0.5 * hours);
  expect(got('a')).toEqual([]);
  expect(got('b').toSorted()).toEqual(['firing x', 'firing y', 'recovered x']);
  expect(got('b').indexOf('firing x')).toBeLessThan(got('b').indexOf('recovered x'));
  expect(sender.failing()).toBeUndefined();
  await sender.stop();
});

test('sender: a refused login is retried with growing pauses for a day, reported at its start and end, and loses nothing', async () => {
  let isRefused = true;
  const { attempts, accepted, start, put, pass, metric, lines } = senderOn(() => {
    if (isRefused) throw new DeliveryError('535 no', { reason: 'auth', scope: 'channel' });
  });
  put(notice('a'), notice('b'));
  const sender = start();
  await settle();
  expect(sender.failing()).toEqual({ reason: 'auth', sinceMs: 1_800_000_000_000, recipients: 1, of: 1 });
  expect(await metric('notification_channel_failing')).toContain('{channel="c"} 1');
  await pass(23 * hours, 10_000);
  expect(attempts.length).toBeLessThan(23 * 4 + 15);
  expect(lines.map(({ msg }) => msg)).toEqual(['failing']);
  isRefused = false;
  await pass(0.5 * hours, 10_000);
  expect(accepted).toHaveLength(2);
  expect(lines.map(({ msg }) => msg)).toEqual(['failing', 'recovered']);
  expect(await metric('notification_channel_failing')).toContain('{channel="c"} 0');
  await sender.stop();
});

test('sender: a notice that fails for too long is given up with a log entry, except the last one about an alert', async () => {
  let isRefused = true;
  const { accepted, start, put, pass, metric, lines, outbox, clock } = senderOn(() => {
    if (isRefused) throw new DeliveryError('535 no', { reason: 'auth', scope: 'channel' });
  });
  put(notice('a'), notice('a', 'recovered'));
  const sender = start();
  await settle();
  await pass(24.5 * hours, 10_000);
  expect(outbox.queue('c').entries).toBe(1);
  expect(outbox.givenUp('c', clock.nowMs() - hours)).toBe(1);
  expect(await metric('notifications_dead_total')).toContain('{channel="c"} 1');
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'notice given up', title: 'firing a', failure: 'auth: 535 no' }),
  );
  await pass(24 * hours, 60_000);
  isRefused = false;
  await pass(0.5 * hours, 10_000);
  expect(accepted.map(({ title }) => title)).toEqual(['recovered a']);
  await sender.stop();
});

test('sender: the last notice about an alert is retried in short form after its text was refused, until a later one follows', async () => {
  const { accepted, attempts, start, put, pass } = senderOn(({ title }) => {
    if (title !== 'again') throw new DeliveryError('no', { reason: 'content', scope: 'notice' });
  });
  put(notice('a', 'recovered'));
  const sender = start();
  await settle();
  await pass(2 * hours, 10_000);
  expect(attempts.map(({ isShort }) => isShort).slice(0, 4)).toEqual([false, true, true, true]);
  expect(attempts.length).toBeLessThan(20);
  put(notice('a', 'firing', 'again'));
  sender.wake();
  await settle();
  expect(accepted.map(({ title }) => title)).toEqual(['again']);
  await sender.stop();
});

test('sender: a notice that fails while others are accepted is replaced by a later one about the same alert', async () => {
  const { accepted, start, put, pass } = senderOn(({ title }) => {
    if (title === 'firing a') throw new DeliveryError('550', { reason: 'sender', scope: 'recipient' });
  });
  put(notice('a'), notice('a', 'recovered'));
  const sender = start();
  for (let at = 0; at < 5; at += 1) {
    put(notice(`b${at}`));
    sender.wake();
    await pass(0.5 * hours, 10_000);
  }
  expect(accepted.map(({ title }) => title)).toContain('recovered a');
  await sender.stop();
});

test('sender: after an outage the oldest notices are sent first', async () => {
  let isDown = true;
  const { accepted, start, put, pass } = senderOn(() => {
    if (isDown) throw down;
  });
  const sender = start();
  for (let at = 0; at < 20; at += 1) {
    put(notice(`a${at}`));
    sender.wake();
    await pass(60_000);
  }
  isDown = false;
  await pass(60_000);
  expect(accepted.map(({ title }) => title)).toEqual(Array.from({ length: 20 }, (_, at) => `firing a${at}`));
  await sender.stop();
});

test('sender: a notice that waited during a long stop of the daemon is tried before it is given up', async () => {
  const { accepted, start, put, clock } = senderOn();
  put(notice('a'));
  clock.advance(48 * hours);
  const sender = start();
  await settle();
  expect(accepted).toHaveLength(1);
  await sender.stop();
});

test('sender: one notice that always fails with a channel error does not prevent the others from being sent', async () => {
  const { accepted, start, put, pass } = senderOn(({ title }) => {
    if (title === 'firing a') throw new DeliveryError('550', { reason: 'sender', scope: 'recipient' });
  });
  put(notice('a'), notice('b'), notice('d'));
  const sender = start();
  await pass(60_000);
  expect(accepted.map(({ title }) => title)).toEqual(['firing b', 'firing d']);
  await sender.stop();
});

test('sender: the pause that the server requests is observed', async () => {
  let isBusy = true;
  const { attempts, start, put, pass } = senderOn(() => {
    if (isBusy) throw new DeliveryError('429', { reason: 'rate_limited', scope: 'channel', waitMs: 90_000 });
  });
  put(notice('a'));
  const sender = start();
  await settle();
  await pass(89_000);
  expect(attempts).toHaveLength(1);
  isBusy = false;
  await pass(2_000);
  expect(attempts).toHaveLength(2);
  await sender.stop();
});

test('outbox: rows from before recipients were stored go to all of them; rows without a configured recipient are given up', () => {
  const store = temporaryStore();
  const { put } = outboxOn(store, [{ name: 'c', recipients: [''] }]);
  put(notice('a'), notice('a', 'recovered'));
  outboxOn(store, [
    { name: 'c', recipients: ['gone'] },
    { name: 'other', recipients: [''] },
  ]).put(notice('a'));
  const { outbox } = outboxOn(store, [{ name: 'c', recipients: ['x', 'y'] }]);
  expect(outbox.reconcile(5)).toBe(2);
  const first = outbox.due('c');
  expect(first.map(({ recipient, delivery }) => [recipient, delivery.kind])).toEqual([
    ['x', 'firing'],
    ['y', 'firing'],
  ]);
  for (const row of first) outbox.delivered(row, 0);
  expect(outbox.due('c').map(({ delivery }) => delivery.kind)).toEqual(['recovered', 'recovered']);
  expect(store.all("SELECT last_failure FROM outbox WHERE state = 'dead'")).toHaveLength(2);
});

test('outbox: notices from before alerts were stored with them keep the order of their alert', () => {
  const store = temporaryStore();
  const facts = {
    id: 'i',
    threadId: 'i',
    kind: 'firing',
    rule: 'R',
    severity: 'warning',
    title: 'old',
    text: '',
    atMs: 1,
  };
  store.run(
    "INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, title, text) VALUES ('alert', 'R', 'a', '', 'firing', 'warning', 1, 'old', '')",
  );
  store.run(
    "INSERT INTO outbox (id, recipient, stream, thread_id, channel, notice, created_ms) VALUES ('i', '', 'alert', 'i', 'c', ?, 1)",
    JSON.stringify(facts),
  );
  const { outbox, put } = outboxOn(store, [{ name: 'c', recipients: [''] }]);
  put({ ...notice('a', 'recovered'), stream: 'other' });
  expect(outbox.due('c').map(({ delivery }) => delivery.title)).toEqual(['old']);
});

test('outbox: final notice of one alert, from before alerts were stored with notices: names it in its own text', () => {
  const store = temporaryStore();
  store.run(
    "INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, title, text) VALUES ('alert', 'R', 'a', '', 'resolved', 'warning', 1, 'a: down', '')",
  );
  const words = { id: 'i', threadId: 'i', kind: 'recovered', rule: 'R', severity: 'warning', text: '', atMs: 1 };
  store.run(
    "INSERT INTO outbox (id, recipient, stream, thread_id, channel, notice, created_ms) VALUES ('i', '', 'alert', 'i', 'c', ?, 1)",
    JSON.stringify({ ...words, title: 'a: up again' }),
  );
  const { outbox } = outboxOn(store, [{ name: 'c', recipients: [''] }]);
  expect(outbox.due('c').map(({ delivery }) => delivery.members)).toEqual([
    [{ subject: 'a', title: 'a: up again', isFiring: false }],
  ]);
});

test('sender: a notice that is refused temporarily does not delay other alerts, and keeps its order', async () => {
  let isRefused = true;
  const { accepted, start, put, clock } = senderOn(({ title }) => {
    if (isRefused && title === 'firing a') {
      throw new DeliveryError('later', { reason: 'temporary', scope: 'notice' });
    }
  });
  put(notice('a'), notice('a', 'recovered'), notice('b'));
  const sender = start();
  await settle();
  expect(accepted.map(({ title }) => title)).toEqual(['firing b']);
  isRefused = false;
  clock.advance(1_000);
  await settle();
  expect(accepted.map(({ title }) => title)).toEqual(['firing b', 'firing a', 'recovered a']);
  await sender.stop();
});

test('sender: after a restart the same notice is sent with the same id', async () => {
  const ids: string[] = [];
  const { start, put } = senderOn(({ id }) => {
    ids.push(id);
    if (ids.length === 1) throw down;
  });
  put(notice('a'));
  const first = start();
  await settle();
  await first.stop();
  const second = start();
  await settle();
  await second.stop();
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
});

test('sender: while the store cannot write, notices are sent once, and are written later', async () => {
  const { store, accepted, start, put, clock, outbox, journal } = senderOn();
  const transaction = store.transaction;
  let isFull = true;
  store.transaction = (work) => {
    if (isFull) throw new Error('database or disk is full');
    return transaction(work);
  };
  put(notice('a'));
  const sender = start();
  await settle();
  expect(accepted).toHaveLength(1);
  expect(journal.waiting).toBe(2);
  isFull = false;
  put(notice('b'));
  sender.wake();
  await settle();
  clock.advance(1_000);
  await settle();
  expect(accepted).toHaveLength(2);
  expect([outbox.queue('c').entries, journal.waiting]).toEqual([0, 0]);
  expect(store.all('SELECT state FROM outbox ORDER BY seq').map(({ state }) => state)).toEqual([
    'delivered',
    'delivered',
  ]);
  await sender.stop();
});
