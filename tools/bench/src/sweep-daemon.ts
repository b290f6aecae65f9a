import type { Benchmark } from './benchmark.js';
import type { NetworkTold } from './sweep/daemon.js';
import { median } from './median.js';
import { line, outcomeOf } from './sweep/figures.js';
import { type BesideIdle, inTurns } from './sweep/programs.js';
import { bytesAt, committedAmount, counts, firstHeight, type Sums } from './sweep/world.js';

/** The daemon sweeps a network with a moving chain in a separate process, while all its other checks run. */
export const sweepDaemon: Benchmark = {
  name: 'sweep-daemon',
  about:
    'the daemon sweeps a million sessions, 100 000 leases and 10 000 nodes of a chain that moves, beside a loop of ts-proto and grpc-js',
  async run({ runs = 3, log }) {
    const reports = { daemon: [] as BesideIdle[], plain: [] as BesideIdle[] };
    const [first, committed] = [bytesAt(firstHeight), committedAmount()];
    /**
     * Number of heights after the first one, at which every session gains one byte. A fraction means that the sums do
     * not belong to a single height.
     */
    const heightOf = (bytes: string): number => Number(BigInt(bytes) - first) / counts.sessions;
    let mixed = 0;
    const waited: number[] = [];
    await inTurns({
      readers: ['daemon', 'plain'],
      runs,
      isMoving: true,
      onReport: (name, report) => {
        reports[name].push(report);
        log(`  ${name === 'daemon' ? 'ours' : name}: ${line(report)}`);
        if (name === 'plain') mixed += Number.isSafeInteger(heightOf((report.sums as Sums).bytes)) ? 0 : 1;
        else {
          const told = report.sums as NetworkTold;
          requireExact(told, heightOf, committed);
          waited.push(told.waitedSeconds);
        }
      },
    });
    return outcomeOf(reports.daemon, reports.plain, {
      'rested, as the server was slower than usual': `${median(waited).toFixed(2)} s`,
      'heights of the sums': `ours one, in ${runs} of ${runs} runs; the loop of ts-proto several, in ${mixed} of ${runs}`,
    });
  },
};

/** All counts must equal the content of the lists at the single height that the daemon reports. */
function requireExact(told: NetworkTold, heightOf: (bytes: string) => number, committed: bigint): void {
  const sumOf = (list: string, sum: string, label: string): string =>
    told.lists.find(({ name }) => name === list)?.sums?.[sum]?.[label] ?? '0';
  const heights = new Set(told.lists.map(({ height }) => Number(height) - firstHeight));
  heights.add(heightOf(sumOf('sessions', 'bytes', 'node download')));
  const found = {
    sessions: sumOf('sessions', 'sessions', 'node active'),
    leases: told.lists.find(({ name }) => name === 'leases')?.records,
    nodes: sumOf('nodes', 'nodes', 'active'),
    committed: sumOf('leases', 'committed', 'udvpn'),
    differences: told.deposits?.balances.map(({ difference }) => difference),
    heights: heights.size,
  };
  const right = {
    sessions: String(counts.sessions),
    leases: counts.leases,
    nodes: String(counts.nodes),
    committed: String(committed),
    differences: ['0'],
    heights: 1,
  };
  if (JSON.stringify(found) !== JSON.stringify(right))
    throw new Error(`the daemon counted ${JSON.stringify(found)} where ${JSON.stringify(right)} is right`);
}
