import type { Benchmark } from './benchmark.js';
import { type HourReport, hourMs, simulateHour } from './steady/simulated-hour.js';

const watchedNodes = 20;
/** Requests per second of the most economical known monitor: one websocket, and an occasional query of the node. */
const peer = 0.05;
const methodsShown = 16;

/** Requests that the daemon makes to a node, counted by a proxy in front of it. */
export const steadyLoad: Benchmark = {
  name: 'steady-load',
  about: 'requests a second to a node with 20 watched nodes at the default intervals, with and without the websocket',
  async run({ log }) {
    const polling = await simulateHour({ websocket: false });
    const listening = await simulateHour({ websocket: true });
    log(`  in an hour of ${polling.blocks} blocks, ${polling.nodes} nodes watched: without and with the websocket`);
    log('  by job:');
    for (const line of table(withUncounted(polling), withUncounted(listening))) log(line);
    log('  by method:');
    for (const line of table(polling.hour, listening.hour).slice(0, methodsShown)) log(line);
    return {
      figure: Math.max(perSecond(polling), perSecond(listening)),
      target: 2,
      unit: 'requests/s',
      figures: {
        'without the websocket': rate(polling),
        'with it': rate(listening),
        'most sparing monitor known, with a websocket': `${peer} requests/s: it looks at its own validator or node alone`,
        how: `an hour of a simulated clock after its first five minutes: timers jump, every request is really made and counted on its way; the recorded chain moves by the same clock, with empty blocks between the recorded ones, so that a block comes every six seconds. It has ${polling.nodes} nodes: requests that name one of them, or its account, are taken ${watchedNodes}/${polling.nodes} times`,
      },
    };
  },
};

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);
/** Additional requests for twenty nodes like those of the recording. */
const added = ({ aboutNodes, nodes }: HourReport): number => aboutNodes * (watchedNodes / nodes - 1);
const perSecond = (report: HourReport): number => (total(report.hour) + added(report)) / (hourMs / 1_000);

function rate(report: HourReport): string {
  const { hour, first, nodes, aboutNodes } = report;
  return `${perSecond(report).toFixed(3)} requests/s: ${total(hour)} counted with ${nodes} nodes, ${aboutNodes} of them about one of these (${total(first)} counted in the first five minutes)`;
}

/**
 * Requests by job, including those that the daemon does not attribute to a job: plain checks of certificates, pages and
 * reflection.
 */
function withUncounted({ hour, byJob }: HourReport): ReadonlyMap<string, number> {
  return new Map([...byJob, ['(plain looks)', total(hour) - total(byJob)]]);
}

/** Lines with two columns of counts in descending order. */
function table(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): readonly string[] {
  const most = (key: string): number => Math.max(left.get(key) ?? 0, right.get(key) ?? 0);
  return [...new Set([...left.keys(), ...right.keys()])]
    .toSorted((a, b) => most(b) - most(a))
    .map((key) => `    ${[left, right].map((of) => String(of.get(key) ?? 0).padStart(6)).join('')}  ${key}`);
}
