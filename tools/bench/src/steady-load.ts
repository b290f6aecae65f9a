import type { Benchmark } from './benchmark.js';
import { type HourReport, hourMs, simulateHour } from './steady/simulated-hour.js';

const watchedNodes = 20;
/** Requests a second of the most sparing monitor known: one websocket, and a look at the node now and then. */
const peer = 0.05;
const methodsShown = 16;
/** Blocks of an hour of the live network. The recorded ones are further apart; what a block costs is counted for each missing one. */
const blocksPerHour = 600;
const blockMethod = 'rpc block_results';

/** What the daemon asks of a node, counted by a proxy before it. */
export const steadyLoad: Benchmark = {
  name: 'steady-load',
  about: 'requests a second to a node with 20 watched nodes at the default intervals, with and without the websocket',
  async run({ log }) {
    const polling = await simulateHour({ watchedNodes, websocket: false });
    const listening = await simulateHour({ watchedNodes, websocket: true });
    log(`  by method, with the websocket, in an hour of ${listening.blocks} blocks:`);
    for (const [method, count] of [...listening.hour].toSorted(([, a], [, b]) => b - a).slice(0, methodsShown))
      log(`    ${String(count).padStart(6)}  ${method}`);
    return {
      figure: Math.max(perSecond(polling), perSecond(listening)),
      target: 2,
      unit: 'requests/s',
      figures: {
        'with the websocket': rate(listening),
        'without it': rate(polling),
        'most sparing monitor known, with a websocket': `${peer} requests/s: it looks at its own validator or node alone`,
        how: `an hour of a simulated clock after its first five minutes: timers jump, every request is really made and counted on its way; the recorded chain moves by the same clock, and as it makes fewer blocks than the live network's ${blocksPerHour} an hour, the reads of the missing ones are added`,
      },
    };
  },
};

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);
/** What the blocks would have cost that a live network has beyond the recorded ones. */
const added = ({ hour, blocks }: HourReport): number =>
  Math.max(0, blocksPerHour / blocks - 1) * (hour.get(blockMethod) ?? 0);
const perSecond = (report: HourReport): number => (total(report.hour) + added(report)) / (hourMs / 1_000);

function rate(report: HourReport): string {
  const more = Math.round(added(report));
  return `${perSecond(report).toFixed(3)} requests/s: ${total(report.hour)} counted and ${more} added (${total(report.first)} counted in the first five minutes)`;
}
