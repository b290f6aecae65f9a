import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileText, unreadable } from '../../test/deliveries.js';
import { fakeClock } from '../../test/fake-clock.js';
import { type HttpService, startHttpService } from '../../test/http-service.js';
import { silentLogger, temporaryFolder, temporaryStore, testConfig } from '../../test/parts.js';
import { createAlertBook } from '../alerts/alert-book.js';
import { createAlertStore } from '../alerts/alert-store.js';
import type { Verdict } from '../checks/verdict.js';
import { createFailureLog } from '../log.js';
import { startMirror } from '../outbox/mirror-sender.js';
import { createOwnMetrics } from '../own-metrics.js';
import type { Rule } from '../rules/rule.js';
import { configuredChannels, configuredMirrors } from './index.js';

interface PostedAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

const start = 1_800_000_000_000;
const second = 1_000;
const minute = 60 * second;
const rule: Rule = { name: 'R', severity: 'warning', forMs: 0, time: 'chain', evaluate: () => [] };

const verdict = (subject: string, state: Verdict['state'], more: Partial<Verdict> = {}): Verdict => ({
  subject,
  term: '',
  state,
  title: `${subject}: ${state}`,
  text: 'why',
  ...more,
});

const posted = ({ requests }: HttpService): PostedAlert[] => JSON.parse(requests.at(-1)?.body ?? '[]') as PostedAlert[];

const configOf = (facts: object) =>
  testConfig(
    ['own'],
    `notifiers: ${JSON.stringify(facts)}\nalerts: {external_url: "http://monitor:9190", monitor: here}`,
  );

/** An alert book with a rule in chain time that lags by one hour, mirrored to the given services. */
const mirrored = (services: readonly HttpService[], more: object = {}) => {
  const store = temporaryStore();
  const clock = fakeClock(start);
  const own = createOwnMetrics();
  const alertStore = createAlertStore(store);
  const book = () =>
    createAlertBook({
      alertStore,
      commit: (changes) => alertStore.write(changes),
      settings: { group: { above: 100, waitMs: 0 }, flap: { above: 100, windowMs: 1, settleMs: 0 } },
      quietAt: () => () => undefined,
      start: { clockMs: clock.nowMs(), steadyMs: clock.monotonicMs() },
      own,
      logger: silentLogger,
    });
  let alerts = book();
  const [mirror] = configuredMirrors(configOf({ alertmanager: { urls: services.map(({ url }) => url), ...more } }));
  if (mirror === undefined) throw new Error('no mirror');
  const parts = {
    alerts: { active: () => alerts.active(), ended: (limit: number) => alerts.ended(limit) },
    clock,
    own,
  };
  let sender = startMirror(mirror, { ...parts, failures: createFailureLog(silentLogger) });
  return {
    clock,
    own,
    failing: () => sender.failing(),
    stop: () => sender.stop(),
    async restart() {
      await sender.stop();
      alerts = book();
      sender = startMirror(mirror, { ...parts, failures: createFailureLog(silentLogger) });
    },
    judge: (...verdicts: Verdict[]): void => {
      alerts.apply([{ rule, verdicts }], {
        chainMs: clock.nowMs() - 60 * minute,
        clockMs: clock.nowMs(),
        steadyMs: clock.monotonicMs(),
      });
      sender.wake();
    },
    requests: async (count: number): Promise<void> => {
      for (const service of services) await expect.poll(() => service.requests.length).toBe(count);
      // The responses were processed, and the next update is scheduled.
      await expect.poll(() => clock.pending()).toBe(1);
    },
  };
};

test('alertmanager: firing alerts are sent with stable labels, again every minute, and end when they are over', async () => {
  const service = await startHttpService();
  const { judge, clock, requests, stop } = mirrored([service], { labels: { fleet: 'eu' } });
  judge(verdict('a', 'firing'), verdict('b', 'ok'));
  await requests(1);
  expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/api/v2/alerts' });
  const first = {
    labels: { network: 'hub-test', fleet: 'eu', alertname: 'R', severity: 'warning', subject: 'a' },
    annotations: { summary: 'a: firing', description: 'why', monitor: 'here' },
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + 4 * minute).toISOString(),
    generatorURL: 'http://monitor:9190',
  };
  expect(posted(service)).toEqual([first]);

  clock.advance(minute);
  await requests(2);
  expect(posted(service)).toEqual([{ ...first, endsAt: new Date(start + 5 * minute).toISOString() }]);

  clock.advance(second);
  judge(verdict('a', 'ok'));
  await requests(3);
  expect(posted(service)).toMatchObject([
    { labels: first.labels, endsAt: new Date(start + 61 * second).toISOString() },
  ]);
  clock.advance(14 * minute);
  await requests(4);
  clock.advance(2 * minute);
  // The end is no longer sent: the next request is about another alert.
  judge(verdict('b', 'firing'));
  await requests(5);
  expect(posted(service).map(({ labels }) => labels['subject'])).toEqual(['b']);
  await stop();
});

test('alertmanager: an alert that started again is sent as firing only', async () => {
  const service = await startHttpService();
  const { judge, clock, requests, stop } = mirrored([service]);
  judge(verdict('a', 'firing', { term: '1' }));
  await requests(1);
  clock.advance(second);
  judge(verdict('a', 'firing', { term: '2' }));
  await requests(2);
  expect(posted(service).map(({ labels, startsAt }) => [labels['subject'], startsAt])).toEqual([
    ['a', new Date(start + second).toISOString()],
  ]);
  await stop();
});

test('alertmanager: each member of a cluster gets the alerts; a failed one is retried after seconds and delays no other', async () => {
  const [one, two] = [await startHttpService(), await startHttpService()];
  two.answer = () => ({ status: 503, body: 'starting' });
  const { judge, clock, requests, failing, own, stop } = mirrored([one, two]);
  judge(verdict('a', 'firing'));
  await requests(1);
  await expect.poll(failing).toMatchObject({ reason: 'temporary', recipients: 1, of: 2 });
  two.answer = () => ({ status: 200 });
  clock.advance(10 * second);
  await requests(2);
  await expect.poll(failing).toBeUndefined();
  expect(posted(two)).toHaveLength(1);
  expect(await own.registry.getSingleMetricAsString('hubwatch_notification_failures_total')).toContain(
    '{channel="alertmanager",reason="temporary"} 1',
  );
  await stop();
});

test('alertmanager: after a restart firing alerts, and those that ended in between, are still sent', async () => {
  const service = await startHttpService();
  const scene = mirrored([service]);
  scene.judge(verdict('a', 'firing'), verdict('b', 'firing'));
  await scene.requests(1);
  service.answer = () => undefined;
  scene.clock.advance(second);
  scene.judge(verdict('a', 'ok'), verdict('b', 'firing'));
  await scene.requests(2);
  service.answer = () => ({ status: 200 });
  await scene.restart();
  await scene.requests(3);
  expect(posted(service).map(({ labels, endsAt }) => [labels['subject'], Date.parse(endsAt) > start + second])).toEqual(
    [
      ['b', true],
      ['a', false],
    ],
  );
  await scene.stop();
});

test('alertmanager: an alert that begins and ends during an outage is sent with its end after the outage', async () => {
  const service = await startHttpService(() => undefined);
  const { judge, clock, requests, failing, stop } = mirrored([service]);
  judge(verdict('a', 'firing'));
  await requests(1);
  clock.advance(minute);
  judge(verdict('a', 'ok'));
  await requests(2);
  clock.advance(20 * minute);
  await requests(3);
  expect(failing()).toBeDefined();
  service.answer = () => ({ status: 200 });
  clock.advance(10 * second);
  await requests(4);
  expect(posted(service)).toMatchObject([
    {
      labels: { subject: 'a' },
      startsAt: new Date(start).toISOString(),
      endsAt: new Date(start + minute).toISOString(),
    },
  ]);
  await expect.poll(failing).toBeUndefined();
  // It was accepted, and is not sent again.
  clock.advance(minute);
  judge(verdict('b', 'firing'));
  await requests(5);
  expect(posted(service).map(({ labels }) => labels['subject'])).toEqual(['b']);
  await stop();
});

test('alertmanager: the end of an alert is sent after a restart during the outage, but not one from days ago', async () => {
  const service = await startHttpService();
  const scene = mirrored([service]);
  scene.judge(verdict('old', 'firing'));
  await scene.requests(1);
  scene.judge(verdict('old', 'ok'));
  await scene.requests(2);
  scene.clock.advance(2 * 24 * 60 * minute);
  service.answer = () => undefined;
  scene.judge(verdict('a', 'firing'), verdict('old', 'ok'));
  await scene.requests(3);
  scene.judge(verdict('a', 'ok'), verdict('old', 'ok'));
  await scene.requests(4);
  scene.clock.advance(20 * minute);
  await scene.requests(5);
  await scene.restart();
  await scene.requests(6);
  service.answer = () => ({ status: 200 });
  scene.clock.advance(10 * second);
  await scene.requests(7);
  expect(posted(service).map(({ labels }) => labels['subject'])).toEqual(['a']);
  await scene.stop();
});

test('alertmanager: of two, the one that was unreachable gets the end that the other accepted before', async () => {
  const [one, two] = [await startHttpService(), await startHttpService(() => undefined)];
  const { judge, clock, requests, stop } = mirrored([one, two]);
  judge(verdict('a', 'firing'));
  await requests(1);
  judge(verdict('a', 'ok'));
  await requests(2);
  two.answer = () => ({ status: 200 });
  clock.advance(20 * minute);
  await expect.poll(() => two.requests.length).toBe(3);
  expect(posted(two)).toMatchObject([{ labels: { subject: 'a' }, endsAt: new Date(start).toISOString() }]);
  expect(one.requests).toHaveLength(2);
  await stop();
});

test('alertmanager: login and hostile text; no error contains a secret', async () => {
  const service = await startHttpService();
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 's3cret\n');
  const { judge, requests, stop } = mirrored([service], { user: 'u', password_file: file });
  judge(verdict('a', 'firing', { title: hostileText, text: hostileText.repeat(200) }));
  await requests(1);
  expect(service.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('u:s3cret').toString('base64')}`);
  const [alert] = posted(service);
  expect(`${alert?.annotations['summary']}${alert?.annotations['description']}`).not.toMatch(unreadable);
  expect(alert?.annotations['description']?.length).toBeLessThanOrEqual(4_000);
  await stop();
});

test('alertmanager: is the only route, unless configured otherwise', () => {
  const email = { host: 'h', from: 'a@b.c', to: 'd@e.f' };
  const urls = ['http://127.0.0.1:9093'];
  expect(configuredChannels(configOf({ email, alertmanager: { urls } }))).toEqual([]);
  expect(configuredChannels(configOf({ email, alertmanager: { urls, only_route: false } }))).toHaveLength(1);
});
