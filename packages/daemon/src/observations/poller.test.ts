import { expect, test } from 'vitest';
import { testParts } from '../../test/parts.js';
import type { Check, Target } from '../checks/check.js';
import { gauge, sample } from '../checks/family.js';
import { createObservations } from './observations.js';
import { pollJob } from './poller.js';

const family = gauge('hub_toy', ['target'], 'A toy');

test('poller: a throw in metrics is a failed poll of that target alone, and leaves no old sample', async () => {
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
