import { expect, it } from 'vitest';
import { dashboards } from './dashboards.js';
import { findProgram, programHint } from './programs/find-program.js';

it.skipIf(findProgram('prometheus') === undefined)(
  `dashboards: every query is answered by Prometheus ${programHint('prometheus')}`,
  async () => {
    const { passed, total, counterExample, figures } = await dashboards.run({ seed: 1, log: () => undefined });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(total).toBeGreaterThan(2_000);
    // The played chain shows nearly everything: a panel that says that it may be empty is no way around that.
    expect(figures?.['empty on the played chain']).toBeLessThan(40);
  },
);
