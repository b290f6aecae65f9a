import { expect, test } from 'vitest';
import { testConfig } from '../../test/parts.js';
import type { Check } from '../checks/check.js';
import { createObservations } from './observations.js';

const check: Check = {
  name: 'numbers',
  families: [],
  everyMs: () => 1_000,
  targets: () => [{ key: 'a' }, { key: 'b' }],
  collect: () => Promise.resolve(1),
  metrics: () => [],
};

test('observations: a snapshot of one time does not change when later outcomes are recorded', () => {
  const observations = createObservations([check], testConfig());
  const record = (key: string, reading: number): void => {
    observations.record(check, { key }, { state: 'known', reading, moment: { head: undefined, clockMs: 0 } });
  };
  const read = ({ outcome }: Pick<typeof observations, 'outcome'>) =>
    ['a', 'b'].map((key) => {
      const found = outcome(check, key);
      return found?.state === 'known' ? found.reading : undefined;
    });
  const before = observations.now();
  record('a', 1);
  const then = observations.now();
  record('a', 2);
  record('b', 3);
  record('a', 4);
  const later = observations.now();
  record('b', 5);
  expect([before, then, later, observations].map(read)).toEqual([
    [undefined, undefined],
    [1, undefined],
    [4, 3],
    [4, 5],
  ]);
});
