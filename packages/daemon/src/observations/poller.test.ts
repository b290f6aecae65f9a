import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint, statusResult } from '../../test/fake-endpoint.js';
import { testParts } from '../../test/parts.js';
import type { Check, Target } from '../checks/check.js';
import { gauge, sample } from '../checks/family.js';
import { endpointStatus } from '../checks/endpoint/endpoint-status.js';
import { createObservations } from './observations.js';
import { pollJob } from './poller.js';
import { missingReadings } from './readiness.js';
import { sinceStall } from './since-stall.js';

const family = gauge('hub_toy', ['target'], 'A toy');

test('poller: a throw in metrics is a failed poll of that target only, and leaves no old sample', async () => {
  const parts = testParts();
  let broken = false;
  const check: Check<Target, number> = {
    name: 'toy',
    families: [family],
    everyMs: () => 1_000,
    lanes: 1,
    targets: () => [{ key: 'a' }, { key: 'b' }],
    collect: () => Promise.resolve(7),
    metrics({ key }, value) {
      if (broken && key === 'a') throw new Error('what is this');
      return [sample(family, [key], value)];
    },
  };
  const observations = createObservations([check], parts.config);
  let told = 0;
  const job = pollJob(check, { ...parts, observations }, () => {
    told += 1;
  });
  const seen = () => observations.snapshots().flatMap(({ samples }) => samples.map(({ labels }) => labels[0]));
  await job.run(parts.signal);
  expect(seen()).toEqual(['a', 'b']);
  broken = true;
  await job.run(parts.signal);
  expect(seen()).toEqual(['b']);
  expect(observations.outcome(check, 'a')).toMatchObject({
    state: 'failed',
    reason: 'decode',
    text: 'no metrics of this reading: what is this',
  });
  expect((await parts.own.pollFailures.get()).values).toMatchObject([
    { value: 1, labels: { job: 'toy', reason: 'decode' } },
  ]);
  expect(told).toBe(2);
  broken = false;
  await job.run(parts.signal);
  expect(seen()).toEqual(['a', 'b']);
});

test('poller: 24 dead endpoints of 40 delay neither the start nor the reads, and are tried once per poll', async () => {
  const codes = ['unavailable', 'refused', 'http', 'hangs'] as const;
  let end: (error: Error) => void = () => undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  let asked = 0;
  const fakes = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const fake = fakeEndpoint(['rpc', 'abci']);
      const code = index < 24 ? codes[index % codes.length] : undefined;
      const answer = () => {
        asked += 1;
        if (code === undefined) return statusResult(100n, 1_800_000_000_000);
        return code === 'hangs' ? hung : new HubError({ code, message: code, transport: 'rpc' });
      };
      fake.rpc['status'] = answer;
      return [`e${index}`, fake];
    }),
  );
  const parts = testParts(fakes);
  const observations = createObservations([endpointStatus], parts.config);
  const job = pollJob(endpointStatus, { ...parts, observations }, () => undefined);
  const round = job.run(parts.signal);
  await parts.pool.firstHead;
  expect(parts.pool.head()?.height).toBe(100n);
  await expect.poll(() => missingReadings(parts.config, observations)).toBe('');
  await expect.poll(() => parts.pool.usable().length).toBe(16);
  end(new HubError({ code: 'timeout', message: 'no answer', transport: 'rpc' }));
  await round;
  expect(asked).toBe(40);
  expect(parts.pool.usable()).toHaveLength(16);
  expect((await parts.own.pollFailures.get()).values).toEqual([]);
});

test('poller: a requested round reads only the named targets; the timetable skips readings that are still valid', async () => {
  const parts = testParts();
  const read: string[] = [];
  let value = 0;
  const check: Check<Target, number> = {
    name: 'toy',
    families: [family],
    everyMs: () => 30_000,
    lanes: 1,
    targets: () => ['a', 'b', 'c'].map((key) => ({ key })),
    collect({ key }) {
      read.push(key);
      return key === 'c' && value === 0 ? Promise.reject(new Error('no')) : Promise.resolve(value);
    },
    metrics: ({ key }, reading) => [sample(family, [key], reading)],
    isStillGood: (_reading, taken, now) => now.clockMs - taken.clockMs < 120_000,
  };
  const observations = createObservations([check], parts.config);
  const job = pollJob(check, { ...parts, observations }, () => undefined);
  await job.run(parts.signal, { isTimetable: true });
  expect(read.splice(0)).toEqual(['a', 'b', 'c']);
  value = 1;
  await job.run(parts.signal, { only: new Set(['b', 'strange']) });
  expect(read.splice(0)).toEqual(['b']);
  // Failed targets are read again; valid readings are kept.
  parts.clock.advance(30_000);
  await job.run(parts.signal, { isTimetable: true });
  expect(read.splice(0)).toEqual(['c']);
  expect(observations.snapshots().flatMap(({ samples }) => samples.map((one) => one.value))).toEqual([0, 1, 1]);
  await job.run(parts.signal);
  expect(read.splice(0)).toEqual(['a', 'b', 'c']);
  parts.clock.advance(120_000);
  await job.run(parts.signal, { isTimetable: true });
  expect(read.splice(0)).toEqual(['a', 'b', 'c']);
});

test('poller: timeouts while this process stalled are unknown, counted, and do not indicate that the endpoint is down', async () => {
  const timeout = new HubError({ code: 'timeout', message: 'no answer', transport: 'rpc' });
  const fake = fakeEndpoint(['rpc', 'abci']);
  fake.rpc['status'] = () => statusResult(100n, 1_800_000_000_000);
  const parts = testParts({ own: fake });
  const observations = createObservations([endpointStatus], parts.config);
  let lostMs = 0;
  const job = pollJob(endpointStatus, { ...parts, observations, awake: { lostMs: () => lostMs } }, () => undefined);
  await job.run(parts.signal);
  expect(parts.pool.head()?.height).toBe(100n);
  fake.rpc['status'] = timeout;
  lostMs = 4_000;
  await job.run(parts.signal);
  expect(observations.outcome(endpointStatus, 'own')).toMatchObject({ state: 'failed', reason: 'starved' });
  expect(observations.snapshots().flatMap(({ samples }) => samples.map(({ family: { name } }) => name))).not.toContain(
    'hub_endpoint_up',
  );
  expect(parts.pool.head()?.height).toBe(100n);
  expect((await parts.own.starvedRounds.get()).values).toMatchObject([{ value: 1, labels: { job: 'endpoints' } }]);
  expect((await parts.own.pollFailures.get()).values).toEqual([]);
  // Without a stall the same timeouts are attributed to the endpoint.
  lostMs = 100;
  await job.run(parts.signal);
  expect(observations.outcome(endpointStatus, 'own')).toMatchObject({
    state: 'known',
    reading: { rpc: { state: 'no_answer', reason: 'timeout' } },
  });
  expect(parts.pool.head()).toBeUndefined();
});

test('since stall: a reading from before a long stall is unknown until it is read again', () => {
  const moment = (monotonicMs: number | undefined) => ({ head: undefined, clockMs: 0, monotonicMs });
  const parts = testParts();
  const observations = createObservations([endpointStatus], parts.config);
  const check: Check<Target, number> = {
    name: 'toy',
    families: [],
    everyMs: () => 1,
    targets: () => [],
    collect: () => Promise.resolve(1),
    metrics: () => [],
  };
  observations.record(check, { key: 'a' }, { state: 'known', reading: 1, moment: moment(1_000) });
  observations.record(check, { key: 'b' }, { state: 'known', reading: 1, moment: moment(9_000) });
  const states = (lastStallMs: number | undefined) =>
    ['a', 'b', 'c'].map(
      (key) => sinceStall(observations, { lastStallMs: () => lastStallMs }).outcome(check, key)?.state,
    );
  expect(states(undefined)).toEqual(['known', 'known', undefined]);
  expect(states(5_000)).toEqual(['failed', 'known', undefined]);
});
