import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, parseConfig, startApp } from '@hubwatch/daemon';
import type { Benchmark } from './benchmark.js';
import { addressOf, chainId, scriptedNetwork, startMs, watchedNodes } from './evaluation-network.js';
import { SimulatedClock } from './steady/simulated-clock.js';

/** Cold start: every subject is read for the first time. */
const warmUpMs = 300_000;
const measuredMs = 600_000;
const target = { percentOfCore: 2, stallSeconds: 0.02 };
/** Between one alert per hundred nodes and one per ten. */
const [leastAlerts, mostAlerts] = [watchedNodes / 100, watchedNodes / 10];

/** Time from observations to alerts, with two thousand watched nodes. */
export const evaluation: Benchmark = {
  name: 'evaluation',
  about:
    'share of a core that the daemon spends on its rules with 2,000 watched nodes at the default intervals, and pieces of a round of more than 20 ms',
  async run({ log }) {
    const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
    const clock = new SimulatedClock(startMs);
    const config = parseConfig(
      JSON.stringify({
        network: { chain_id: chainId },
        endpoints: [{ name: 'own', role: 'own', grpc: '127.0.0.1:1', rpc: 'http://127.0.0.1:1', websocket: false }],
        watch: { nodes: Array.from({ length: watchedNodes }, (_, index) => ({ address: addressOf(index) })) },
        web: { listen: '127.0.0.1:0' },
        store: { path: join(folder, 'hubwatch.db') },
      }),
    );
    const app = await startApp(config, {
      clock,
      logger: createLogger('silent'),
      connectTo: () => scriptedNetwork({ nowMs: () => clock.nowMs(), during: (call) => clock.during(call) }),
    });
    try {
      await clock.runTo(warmUpMs);
      const before = await scrape(app.address());
      await clock.runTo(warmUpMs + measuredMs);
      const after = await scrape(app.address());
      const taken = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
      const seconds = taken(`${metric}_sum`);
      const pieces = taken(`${metric}_count`);
      const rounds = taken('hubwatch_rule_evaluations_total');
      const long = pieces - taken(`${metric}_bucket{le="${target.stallSeconds}"}`);
      const read = after.get(`hub_node_registered`) ?? 0;
      if (read < watchedNodes) throw new Error(`only ${read} of ${watchedNodes} nodes were read`);
      const percent = (100 * seconds) / (measuredMs / 1_000);
      const buckets = [...after.keys()].filter((name) => name.startsWith(`${metric}_bucket`));
      for (const name of buckets) log(`  ${name}: ${taken(name)} of ${pieces}`);
      const longest = buckets.find((name) => taken(name) === pieces) ?? '';
      const alerts = [...after].filter(([name]) => name.startsWith('hubwatch_alerts{'));
      const firing = alerts.reduce((sum, [, count]) => sum + count, 0);
      if (firing < leastAlerts || firing > mostAlerts)
        throw new Error(`${firing} alerts: the chain is not one on which a few nodes in a hundred are in trouble`);
      if (long > 0) log(`  ${long} of ${pieces} pieces of a round took more than ${target.stallSeconds} s`);
      return {
        figure: long > 0 ? Math.max(percent, target.percentOfCore * 1.01) : percent,
        target: target.percentOfCore,
        unit: '% of a core',
        figures: {
          'share of a core': `${percent.toFixed(2)} %`,
          rounds,
          'mean of a round': `${((1_000 * seconds) / rounds).toFixed(2)} ms`,
          'pieces over 20 ms': `${long} of ${pieces}`,
          'longest piece': `at most ${/le="([^"]+)"/.exec(longest)?.[1]} s`,
          'alerts at the end': alerts
            .map(([name, count]) => `${count} ${/alertname="(\w+)"/.exec(name)?.[1]}`)
            .join(', '),
          how: 'ten minutes of a simulated clock after five: the whole daemon runs, its endpoint is scripted, and its own histogram is read',
        },
      };
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const metric = 'hubwatch_rule_evaluation_duration_seconds';

/** Sums of samples by name; buckets and alerts keep their labels. */
async function scrape(address: string): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const line of (await (await fetch(`${address}/metrics`)).text()).split('\n')) {
    const [, name = '', labels = '', value] = /^([a-z_]+)(\{[^}]*\})? (\S+)$/.exec(line) ?? [];
    if (name === '') continue;
    const key = name.endsWith('_bucket') || name === 'hubwatch_alerts' ? `${name}${labels}` : name;
    sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
  return sums;
}
