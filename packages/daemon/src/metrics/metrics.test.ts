import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricContract } from '../../test/metric-contract.js';
import { gauge, info, sample } from '../checks/family.js';
import { createOwnMetrics } from '../own-metrics.js';
import { expose } from './exposition.js';
import { chainFamilies } from './families.js';
import { metricsPage } from './page.js';
import { createLedgerTotals } from '../ledger/totals.js';

const height = gauge('hub_x_height', ['endpoint'], 'A height');
const facts = info('hub_x_info', ['endpoint', 'moniker'], 'Says \\ and\nmore');

test('exposition: one header per family, regardless of the snapshots that its series come from', () => {
  const { text } = expose(
    [height, facts],
    [
      { samples: [sample(height, ['a'], 1), sample(facts, ['a', 'm'], 1)] },
      { samples: [sample(height, ['b'], 1_795_828_567.2557306)] },
    ],
  );
  expect(text).toBe(
    [
      '# HELP hub_x_height A height',
      '# TYPE hub_x_height gauge',
      'hub_x_height{endpoint="a"} 1',
      'hub_x_height{endpoint="b"} 1795828567.2557306',
      '# HELP hub_x_info Says \\\\ and\\nmore',
      '# TYPE hub_x_info gauge',
      'hub_x_info{endpoint="a",moniker="m"} 1',
      '',
    ].join('\n'),
  );
});

test.each([
  ['quote and backslash', 'a"b\\', 'a\\"b\\\\'],
  ['line feed', 'a\nhub_fake 1', 'a\\nhub_fake 1'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['other letters', '日本 ❄ \u202e', '日本 ❄ \u202e'],
])('exposition: hostile label value: %s', (_case, value, written) => {
  const { text } = expose([facts], [{ samples: [sample(facts, ['e', value], 1)] }]);
  expect(text.split('\n')).toContain(`hub_x_info{endpoint="e",moniker="${written}"} 1`);
});

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [1e21, '1e+21'],
])('exposition: the number %s', (value, written) => {
  expect(expose([height], [{ samples: [sample(height, ['e'], value)] }]).text).toContain(`} ${written}\n`);
});

test('exposition: series beyond the limit are dropped and counted', () => {
  const samples = Array.from({ length: 10 }, (_, index) => sample(height, [String(index)], index));
  const { text, dropped, seriesByGroup } = expose([height], [{ samples }], 7);
  expect(text.split('\n').filter((line) => line.startsWith('hub_x'))).toHaveLength(7);
  expect(dropped).toBe(3);
  expect(seriesByGroup.get('hub_x')).toBe(7);
});

test('families: each is declared once; the daemon’s own metrics match the contract in type and labels', async () => {
  const names = chainFamilies().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const contract = new Map(metricContract.map(([name, type, kind, ...labels]) => [name, { type, kind, labels }]));
  const own = createOwnMetrics();
  for (const metric of await own.registry.getMetricsAsJSON()) {
    const agreed = contract.get(metric.name);
    // A histogram about the chain is stored with the daemon's own metrics: a snapshot contains single values.
    expect(agreed?.kind, metric.name).toBe(metric.name === 'hub_block_interval_seconds' ? 'counter' : 'self');
    expect(agreed?.type === 'info' ? 'gauge' : agreed?.type).toBe(String(metric.type));
    const { labelNames } = own.registry.getSingleMetric(metric.name) as unknown as { labelNames: string[] };
    expect(labelNames, metric.name).toEqual(agreed?.labels);
  }
});

/** An hour of a lease. */
const paid = [
  {
    kind: 'lease_paid',
    node: 'sentnode1x',
    provider: 'sentprov1x',
    account: '',
    record: '4',
    amount: '80',
    stakers: '20',
    denom: 'udvpn',
    detail: undefined,
    hours: undefined,
  },
] as const;

test('metrics page: exports only declared families, and queries no endpoint', async () => {
  const totals = createLedgerTotals();
  totals.add(paid);
  const page = metricsPage({
    transferred: () => [],
    families: [...chainFamilies(), height],
    observations: { snapshots: () => [{ samples: [sample(height, ['a'], 1)] }] },
    head: () => ({ height: 5n, timeMs: 1_500 }),
    sweeps: { samples: () => [sample(height, ['b'], 2)] },
    ledger: { totals, position: () => 3n },
    own: createOwnMetrics(),
    silences: () => 0,
    store: { bytes: () => 4_096 },
  });
  const text = await page();
  expect(text).toContain('hub_head_height 5\n');
  expect(text).toContain('hub_head_timestamp_seconds 1.5\n');
  expect(text).toContain('hub_node_received_amount_total{node="sentnode1x",denom="udvpn",source="lease"} 80\n');
  expect(text).toContain('hub_provider_paid_amount_total{provider="sentprov1x",denom="udvpn"} 100\n');
  expect(text).toContain('hub_x_height{endpoint="a"} 1\nhub_x_height{endpoint="b"} 2\n');
  expect(text).toContain('hubwatch_unprocessed_blocks 2\n');
  expect(text).toContain('hubwatch_store_bytes 4096\n');
  expect(text).toContain('hubwatch_series{family="hub_head"} 2\n');
});

test('metrics page: parts that throw are left out and counted, and the others are served', async () => {
  const own = createOwnMetrics();
  const fail = (): never => {
    throw new Error('database disk image is malformed');
  };
  Object.assign(own.ruleEvaluations, { collect: fail });
  const page = metricsPage({
    transferred: fail,
    families: [...chainFamilies(), height],
    observations: { snapshots: () => [{ samples: [sample(height, ['a'], 1)] }] },
    head: () => ({ height: 5n, timeMs: 1_500 }),
    sweeps: { samples: fail },
    ledger: { totals: createLedgerTotals(), position: fail },
    own,
    silences: fail,
    store: { bytes: fail },
  });
  await page();
  const text = await page();
  expect(text).toContain('hub_head_height 5\n');
  expect(text).toContain('hub_x_height{endpoint="a"} 1\n');
  expect(text).toContain('hubwatch_series_limit');
  for (const part of ['transferred', 'sweeps', 'position', 'silences', 'store', 'self'])
    expect(text, part).toMatch(new RegExp(`hubwatch_scrape_errors_total\\{part="${part}"\\} [12]\n`));
});

test('families: each that is not on the agreed list is in the decision about them, with its reason', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../docs/adr/0022-metrics-beyond-the-contract.md'),
    'utf8',
  );
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]*) \| [^|]{10,} \|$/gm)].map(([, name, labels]) => [
    name,
    labels,
  ]);
  const agreed = new Set(metricContract.map(([name]) => name));
  const added = chainFamilies().filter(({ name }) => !agreed.has(name));
  expect(rows.toSorted(), 'the table of docs/adr/0022').toEqual(
    added.map(({ name, labels }) => [name, labels.join(', ')]).toSorted(),
  );
});
