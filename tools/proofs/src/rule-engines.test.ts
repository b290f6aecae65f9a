import { expect, test } from 'vitest';
import { ruleEngines } from './rule-engines.js';
import { findPromtool } from './rule-engines/promtool.js';

test.skipIf(findPromtool() === undefined)(
  'rule-engines: the daemon and Prometheus fire alike over random histories (needs promtool: apt-get install prometheus)',
  async () => {
    const { passed, total, counterExample, figures } = await ruleEngines.run({
      seed: 7,
      runs: 60,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([60, 60]);
    expect(figures?.['verdicts firing']).toBeGreaterThan(1_000);
  },
);
