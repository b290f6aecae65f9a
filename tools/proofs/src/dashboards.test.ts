import { expect, it } from 'vitest';
import { dashboards } from './dashboards.js';
import { findProgram, programHint } from './programs/find-program.js';

it.skipIf(findProgram('prometheus') === undefined)(
  `dashboards: Prometheus answers every query ${programHint('prometheus')}`,
  async () => {
    const { passed, total, counterExample, figures } = await dashboards.run({ seed: 1, log: () => undefined });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(total).toBeGreaterThan(2_000);
    // The simulated chain fills nearly all panels. The limit prevents that panels are declared as possibly empty to pass.
    expect(figures?.['empty on the played chain']).toBeLessThan(40);
  },
);
