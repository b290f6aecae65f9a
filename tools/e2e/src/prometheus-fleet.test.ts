import { resolve } from 'node:path';
import { type Prometheus, startPrometheus } from '@hubwatch/proofs/programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { findProgram, programHint } from './programs.js';

const program = findProgram('prometheus');
const rulesFile = resolve(import.meta.dirname, '../../../deploy/prometheus/rules.yml');

interface EvaluatedRule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
  readonly lastEvaluation: string;
}

interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
}

describe.skipIf(program === undefined)(`rules: a real Prometheus with two daemons ${programHint('prometheus')}`, () => {
  let chains: readonly MonitoredChain[];
  let server: Prometheus;

  beforeAll(async () => {
    const options = { chain: 'chain', from: 901_880, watchesAll: true } as const;
    chains = await Promise.all([monitorChain(options), monitorChain({ ...options, watch: ['node1'] })]);
    const hosts = chains.map(({ app }) => new URL(app.address()).host);
    server = await startPrometheus([{ job: 'dvpn-fleet', targets: hosts }], [rulesFile]);
    for (const chain of chains) await chain.moveTo(901_904);
  }, 60_000);

  afterAll(async () => {
    await server.close();
    for (const chain of chains) await chain.close();
  });

  const activeAlerts = async (name: string): Promise<readonly FiringAlert[]> => {
    const { alerts } = (await server.get('/api/v1/alerts')) as { alerts: readonly FiringAlert[] };
    return alerts.filter(({ labels, state }) => labels['alertname'] === name && state === 'firing');
  };

  it('rules: every rule is evaluated without an error', async () => {
    const all = await eventually('both daemons are scraped and every rule is evaluated', async () => {
      // Prometheus refuses connections until it has started.
      const [seen] = await server.query('count(hub_head_height)').catch(() => []);
      if (seen?.value !== 2) return undefined;
      const { groups } = (await server.get('/api/v1/rules')) as { groups: { rules: EvaluatedRule[] }[] };
      const evaluated = groups.flatMap(({ rules }) => rules);
      return evaluated.length > 0 && evaluated.every(({ health }) => health !== 'unknown') ? evaluated : undefined;
    });
    expect(all.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(all.length).toBeGreaterThan(80);
    expect(await activeAlerts('HubwatchWatchdog')).toHaveLength(1);
  });

  it('rules: a lapsed node fires for the daemon that watches it, with texts and a link', async () => {
    for (const chain of chains) await chain.moveTo(901_925);
    const found = await eventually('the lapse fires', async () => {
      const alerts = await activeAlerts('HubNodeInactive');
      return alerts.length > 0 ? alerts : undefined;
    });
    const [first] = chains.map(({ app }) => new URL(app.address()).host);
    for (const { labels } of found)
      expect(labels).toEqual({
        alertname: 'HubNodeInactive',
        severity: 'critical',
        job: 'dvpn-fleet',
        // The other daemon watches a different node.
        instance: first,
        node: expect.stringMatching(/^sentnode1/) as string,
        since: expect.stringMatching(/^\d+/) as string,
      });
    expect(found[0]?.annotations['summary']).toMatch(/^sentnode1\w+: inactive since 20\d\d-/);
    expect(found[0]?.annotations['runbook_url']).toMatch(/^https:\/\/.+\/docs\/alerts\.md#hubnodeinactive$/);
  });
});
