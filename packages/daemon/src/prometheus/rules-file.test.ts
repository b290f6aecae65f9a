import { expect, test } from 'vitest';
import { promqlNames } from '../../test/promql-names.js';
import { testConfig } from '../../test/parts.js';
import { chainFamilies } from '../metrics/families.js';
import { createOwnMetrics, describeSelf } from '../own-metrics.js';
import { rules } from '../rules/index.js';
import { allAlerts, defaultConfig, exprOf, ownAlerts, prometheusFiles, promqlTokens, recordings } from './index.js';

const config = defaultConfig();
const alerts = allAlerts(config).map((alert) => ({ ...alert, expr: exprOf(alert, config, 0) }));
const expressions: readonly (readonly [name: string, expr: string])[] = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...Object.entries(recordings),
];

/** Labels of every metric as stored by Prometheus, by name. */
const labelsOf = (): ReadonlyMap<string, readonly string[]> => {
  const own = createOwnMetrics();
  describeSelf(own, { version: '1', revision: 'r' }, {});
  const registered = own.registry.getMetricsAsArray() as unknown as { name: string; labelNames: readonly string[] }[];
  return new Map<string, readonly string[]>([
    ...chainFamilies().map(({ name, labels }) => [name, labels] as const),
    // Prometheus renames a metric label that has the name of a scrape label.
    ...registered.map(
      ({ name, labelNames }) => [name, labelNames.map((l) => (l === 'job' ? 'exported_job' : l))] as const,
    ),
    ...Object.keys(recordings).map((name) => [name, []] as const),
    ['up', []],
  ]);
};

const declared = labelsOf();

test('prometheus: every rule has a PromQL condition, or the reason why metrics cannot express it', () => {
  const without = rules.filter(({ prometheus }) => prometheus === undefined).map(({ name }) => name);
  expect(without, 'rules without the member `prometheus`').toEqual([]);
  const reasons = rules.flatMap(({ prometheus }) =>
    prometheus !== undefined && 'notInMetrics' in prometheus ? prometheus.notInMetrics : [],
  );
  expect(reasons.filter((reason) => !/^.{20,}\.$/.test(reason))).toEqual([]);
});

test.each(expressions)('prometheus: %s uses only declared metrics and their labels', (_name, expr) => {
  const { metrics, grouped, made } = promqlNames(promqlTokens(expr));
  const unknown = metrics.filter(({ name }) => !declared.has(name)).map(({ name }) => name);
  expect(unknown, 'undeclared metrics').toEqual([]);
  for (const { name, labels } of metrics)
    expect(
      labels.filter((label) => declared.get(name)?.includes(label) !== true),
      `labels of ${name}`,
    ).toEqual([]);
  const known = new Set([...metrics.flatMap(({ name }) => declared.get(name) ?? []), ...made]);
  expect(
    grouped.filter((label) => !known.has(label)),
    'labels of groupings',
  ).toEqual([]);
});

test('prometheus: finds the names in an expression', () => {
  const text = `max without (endpoint) (rate(a_total{b="c{",d=~"e"}[5m])) > 3e6 and ignoring (f) label_replace(g, "h", "$1", "i", "(.*)") offset 1h`;
  expect(promqlNames(promqlTokens(text))).toEqual({
    metrics: [
      { name: 'a_total', labels: ['b', 'd'] },
      { name: 'g', labels: [] },
    ],
    grouped: ['endpoint', 'f'],
    made: ['h'],
  });
  expect(() => promqlTokens('a ~ b')).toThrow('no PromQL at " ~ b"');
});

test('prometheus: alerts keep the scrape labels and never depend on a job name', () => {
  for (const [name, expr] of expressions) {
    const { metrics, grouped } = promqlNames(promqlTokens(expr));
    expect([name, [...metrics.flatMap(({ labels }) => labels), ...grouped]]).toEqual([
      name,
      expect.not.arrayContaining(['job']),
    ]);
    // Aggregating or matching by a list of labels would drop the scrape labels.
    expect([name, promqlTokens(expr).filter(({ text }) => text === 'by' || text === 'on')]).toEqual([name, []]);
  }
});

test('prometheus: alert texts use only labels of their results', () => {
  for (const { name, labels, summary, description, isGlobal } of alerts) {
    const used = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    const known = [...labels, ...(isGlobal === true ? [] : ['instance'])];
    expect([name, used.filter((label) => !known.includes(label))]).toEqual([name, []]);
    expect([name, summary]).toEqual([name, expect.stringMatching(/^(?!.*[\n]).{10,240}[^.]$/)]);
    expect([name, description]).toEqual([name, expect.stringMatching(/^(?!.*[\n]).{20,500}\.$/)]);
  }
});

test('prometheus: names are unique, and inhibitions refer to existing alerts', () => {
  const names = alerts.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const all = new Set([...rules, ...ownAlerts].map(({ name }) => name));
  const unknown = alerts.flatMap(({ inhibitedBy = [] }) => inhibitedBy.filter(({ rule }) => !all.has(rule)));
  expect(unknown).toEqual([]);
});

test('prometheus: thresholds, holds and disabled alerts follow the configuration', () => {
  const more = `
sweeps: {every: 2h}
poll: {leases: 90s}
alerts: {rules: {HubEndpointDown: {for: 90s}, HubNodesLapsed: {enabled: false}}}
web: {listen: "[::]:9555"}`;
  const files = prometheusFiles(testConfig(['own'], more), { docsUrl: 'https://docs.example.org', nowMs: 0 });
  const text = files.get('rules.yml') ?? '';
  expect(text).toContain('hubwatch_sweep_last_complete_timestamp_seconds > 21600');
  expect(text).toContain('hub_lease_next_payout_timestamp_seconds offset 90s');
  expect(text).toMatch(/alert: HubEndpointDown\n[^]*?for: 90s\n/);
  expect(text).not.toContain('alert: HubNodesLapsed');
  expect(text).toContain('runbook_url: https://docs.example.org/alerts.md#hubendpointdown');
  expect(files.get('alertmanager.yml')).not.toContain('HubNodesLapsed');
  expect(files.get('prometheus.yml')).toContain('- 127.0.0.1:9555');
});
