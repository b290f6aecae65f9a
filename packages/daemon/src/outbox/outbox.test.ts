import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { silentLogger, temporaryStore } from '../../test/parts.js';
import type { Alert, Notice } from '../alerts/alert.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { type Channel, type Delivery, DeliveryError } from './channel.js';
import { createOutboxStore } from './outbox-store.js';
import { startSender } from './sender.js';

const notice = (alert: string, kind: Notice['kind'] = 'firing', title = `${kind} ${alert}`): Notice => ({
  kind,
  alert: { id: alert, rule: 'R', severity: 'warning' } as Alert,
  title,
  text: '',
  atMs: 1_000,
});

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
};

/** A channel that accepts what `answer` does not throw on. */
const senderOn = (answer: (delivery: Delivery) => void = () => undefined) => {
  const store = temporaryStore();
  const outbox = createOutboxStore(store);
  const clock = fakeClock();
  const own = createOwnMetrics();
  const accepted: Delivery[] = [];
  let attempts = 0;
  const channel: Channel = {
    name: 'c',
    async send(delivery) {
      attempts += 1;
      answer(delivery);
      accepted.push(delivery);
    },
    close: () => undefined,
  };
  const start = () => startSender(channel, { outbox, clock, own, failures: createFailureLog(silentLogger) });
  const put = (...notices: Notice[]) => notices.forEach((one) => outbox.enqueue(one, ['c']));
  return { store, outbox, clock, own, accepted, start, put, attempts: () => attempts };
};

const refused = new DeliveryError('down', { reason: 'refused', retry: 'again', concernsChannel: true });

test('outbox: one row for each channel, its own id, one thread for each alert and channel', () => {
  const { outbox } = senderOn();
  outbox.enqueue(notice('a'), ['c', 'd']);
  outbox.enqueue(notice('a', 'recovered'), ['c', 'd']);
  const [first] = outbox.due('c');
  expect(outbox.due('c')).toHaveLength(1);
  expect(first?.threadId).toBe(first?.id);
  expect(outbox.due('d')[0]?.id).not.toBe(first?.id);
  outbox.delivered(first?.id ?? '', 0);
  const [second] = outbox.due('c');
  expect(second).toMatchObject({ kind: 'recovered', threadId: first?.id });
  expect(second?.id).not.toBe(first?.id);
});

test('sender: delivers what waits at the start, then what comes, in order for each alert', async () => {
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

test('sender: a channel that is down is tried at growing pauses of at most 30 s, then everything goes out at once', async () => {
  let isDown = true;
  const { accepted, start, put, clock, attempts, own } = senderOn(() => {
    if (isDown) throw refused;
  });
  put(...Array.from({ length: 20 }, (_, index) => notice(`a${index}`)));
  const sender = start();
  await settle();
  expect(attempts()).toBe(1);
  for (let second = 0; second < 6 * 3_600; second += 1) {
    clock.advance(1_000);
    await settle();
  }
  expect(attempts()).toBeLessThan(6 * 120 + 10);
  expect(await own.registry.getSingleMetricAsString('hubwatch_notification_queue_entries')).toContain(
    '{channel="c"} 20',
  );
  expect(
    await own.registry.getSingleMetricAsString('hubwatch_notification_oldest_pending_timestamp_seconds'),
  ).toContain('{channel="c"} 1');
  isDown = false;
  clock.advance(30_000);
  await settle();
  expect(accepted).toHaveLength(20);
  await sender.stop();
});

test('sender: a notice that is refused for good is given up and does not hold up the next of its alert', async () => {
  const { accepted, start, put, own } = senderOn(({ kind }) => {
    if (kind === 'firing')
      throw new DeliveryError('no', { reason: 'rejected', retry: 'never', concernsChannel: false });
  });
  put(notice('a'), notice('a', 'recovered'));
  const sender = start();
  await settle();
  expect(accepted.map(({ title }) => title)).toEqual(['recovered a']);
  expect(await own.registry.getSingleMetricAsString('hubwatch_notifications_dead_total')).toContain('{channel="c"} 1');
  await sender.stop();
});

test('sender: one alert whose notice is refused for now does not hold up the others, and keeps its order', async () => {
  let isRefused = true;
  const { accepted, start, put, clock } = senderOn(({ title }) => {
    if (isRefused && title === 'firing a') {
      throw new DeliveryError('later', { reason: 'temporary', retry: 'again', concernsChannel: false });
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

test('sender: after a restart the same notice goes out under the same id', async () => {
  const ids: string[] = [];
  const { start, put } = senderOn(({ id }) => {
    ids.push(id);
    if (ids.length === 1) throw refused;
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

test('sender: a notice that was accepted is not sent again while the store cannot write it down', async () => {
  const { accepted, start, put, clock, outbox } = senderOn();
  put(notice('a'));
  const working = { ...outbox };
  let refusals = 3;
  outbox.delivered = (...row) => {
    refusals -= 1;
    if (refusals >= 0) throw new Error('database or disk is full');
    working.delivered(...row);
  };
  const sender = start();
  for (let second = 0; second < 30; second += 1) {
    await settle();
    clock.advance(1_000);
  }
  await settle();
  expect(accepted).toHaveLength(1);
  expect(outbox.queue('c').entries).toBe(0);
  await sender.stop();
});

test('sender: a store that cannot be read for a while ends neither the sender nor the notice', async () => {
  const { accepted, start, put, clock, outbox } = senderOn();
  const working = { ...outbox };
  outbox.queue = () => {
    throw new Error('database is locked');
  };
  const sender = start();
  await settle();
  put(notice('a'));
  expect(() => sender.wake()).not.toThrow();
  await settle();
  clock.advance(1_000);
  await settle();
  outbox.queue = (channel) => working.queue(channel);
  expect(accepted).toHaveLength(1);
  await sender.stop();
});
