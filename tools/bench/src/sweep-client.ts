import type { Benchmark } from './benchmark.js';
import { line, outcomeOf } from './sweep/figures.js';
import { type BesideIdle, inTurns } from './sweep/programs.js';
import { expectedSums } from './sweep/world.js';

/** Reads three whole lists in one process from a server in another process. */
export const sweepClient: Benchmark = {
  name: 'sweep-client',
  about:
    'a million sessions, 100 000 leases and 10 000 nodes over gRPC on loopback, by pages(), beside a loop of ts-proto and grpc-js',
  async run({ runs = 3, log }) {
    const reports = { ours: [] as BesideIdle[], plain: [] as BesideIdle[] };
    const right = JSON.stringify(expectedSums());
    await inTurns({
      readers: ['ours', 'plain'],
      runs,
      isMoving: false,
      onReport: (name, report) => {
        const found = JSON.stringify(report.sums);
        if (found !== right) throw new Error(`sums ${found} where ${right} is right`);
        reports[name].push(report);
        log(`  ${name}: ${line(report)}`);
      },
    });
    return outcomeOf(reports.ours, reports.plain);
  },
};
