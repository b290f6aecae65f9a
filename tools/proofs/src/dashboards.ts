import { shownQueries, withValues } from './dashboards/shown-queries.js';
import { startWatchedWorld, type WatchedWorld } from './dashboards/watched-world.js';
import { eventually } from './programs/eventually.js';
import { type Prometheus, startPrometheus } from './programs/prometheus.js';
import type { Proof, ProofOutcome } from './proof.js';

const values = {
  job: '.*',
  instance: '.*',
  node: '.*',
  provider: '.*',
  account: '.*',
  endpoint: '.*',
  __range: '600s',
  __rate_interval: '10s',
};

/** The shipped Grafana dashboards ask what a real Prometheus can answer from a real daemon. */
export const dashboards: Proof = {
  name: 'dashboards',
  about: 'every query of the Grafana dashboards is answered by a real Prometheus, with the values of /metrics',
  async run({ log }) {
    const world = await startWatchedWorld();
    try {
      const prometheus = await startPrometheus([{ job: 'hubwatch', targets: world.targets }]);
      try {
        await play(world, prometheus);
        return await judge(prometheus, log);
      } finally {
        await prometheus.close();
      }
    } finally {
      await world.close();
    }
  },
};

/** Lets things happen, each of which Prometheus sees. */
async function play(world: WatchedWorld, prometheus: Prometheus): Promise<void> {
  for (const step of [1, 60, 60, 1]) {
    await world.advance(step);
    await eventually('Prometheus knows the head', async () => {
      const heads = await prometheus.query('hub_head_height').catch(() => []);
      const isKnown = heads.length === world.targets.length && heads.every(({ value }) => value === world.height());
      return isKnown ? true : undefined;
    });
  }
}

async function judge(prometheus: Prometheus, log: (line: string) => void): Promise<ProofOutcome> {
  const queries = shownQueries();
  const wrong: string[] = [];
  for (const { name, expr, mayBeEmpty } of queries) {
    const text = withValues(expr, values);
    const problem = await prometheus.query(text).then(
      (samples) => (samples.length > 0 || mayBeEmpty ? undefined : 'no result'),
      (error: unknown) => (error as Error).message,
    );
    if (problem !== undefined) wrong.push(`${name}: ${problem}\n    ${text}`);
  }
  wrong.forEach((line) => log(`  ${line}`));
  return { passed: queries.length - wrong.length, total: queries.length, counterExample: wrong[0] };
}
