import { describe, expect, test } from 'vitest';
import { alerts, chainMetrics, grafanaFiles, ownMetrics, runtimeMetrics } from '../declarations.js';
import { dashboardJson, uidOf } from './dashboard-json.js';
import { dashboards } from './index.js';
import { knownSeries, metricOf } from './known-series.js';
import type { Dashboard } from './panel.js';
import { seriesOf } from './panel-json.js';
import { scopeQuery, selectorsOf } from './selectors.js';
import { notShown } from './not-shown.js';
import { units } from './units.js';

const declared = [...chainMetrics(), ...ownMetrics()];
const metrics = [...declared, ...runtimeMetrics()];
const known = knownSeries(metrics);
const panels = dashboards.flatMap((dashboard) =>
  dashboard.rows.flatMap((row) =>
    row.panels.map((panel) => ({ dashboard, panel, name: `${dashboard.name}: ${panel.title}` })),
  ),
);
const queries = panels.flatMap((shown) => shown.panel.queries.map((query) => ({ ...query, ...shown })));

/** Labels that an expression uses outside selectors: in `by`, `on`, `group_left` and similar clauses. */
const groupedLabels = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').flatMap((label) => (label.trim() === '' ? [] : [label.trim()])),
  );
const legendLabels = (legend = ''): readonly string[] =>
  [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);

/** Undeclared metrics and labels in a query. */
function undeclaredIn({ expr, legend, panel }: (typeof queries)[number]): readonly string[] {
  const selectors = selectorsOf(expr, known);
  const labels = new Set(selectors.flatMap(({ name }) => [...(known.get(name) ?? [])]));
  const rows = panel.kind === 'table' ? Object.keys(panel.rows) : [];
  const named = [...groupedLabels(expr), ...legendLabels(legend), ...rows].filter((label) => !labels.has(label));
  const matched = selectors.flatMap(({ name, matchers }) =>
    [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)]
      .map(([, label = '']) => label)
      .filter((label) => known.get(name)?.has(label) !== true),
  );
  return [...named, ...matched, ...(selectors.length === 0 ? ['no metric'] : [])];
}

describe('dashboards: declarations', () => {
  test.each(dashboards)('dashboards: $name: all metrics and labels in queries are declared', ({ name }) => {
    const own = queries.filter(({ dashboard }) => dashboard.name === name);
    expect(own.length).toBeGreaterThan(10);
    const problems = own.flatMap((query) => undeclaredIn(query).map((label) => `${query.name}: ${label}`));
    expect(problems).toEqual([]);
  });

  test.each(dashboards)(
    'dashboards: $name: every panel has a question, and the rules that it names exist',
    ({ name }) => {
      const rules = new Set(alerts().map((rule) => rule.name));
      for (const { panel } of panels.filter(({ dashboard }) => dashboard.name === name)) {
        expect(panel.question, panel.title).toMatch(/^\p{Lu}.{20,}[?.]$/u);
        expect(Object.keys(units), panel.title).toContain(panel.unit);
        expect(
          (panel.alerts ?? []).filter((rule) => !rules.has(rule)),
          panel.title,
        ).toEqual([]);
        if (panel.emptyBecause !== undefined) expect(panel.emptyBecause, panel.title).toMatch(/^\p{Ll}.{10,}\.$/u);
      }
    },
  );

  test('dashboards: every declared metric is shown, or listed with the reason why not', () => {
    const shown = new Set(panels.flatMap(({ panel }) => seriesOf(panel, known).map((name) => metricOf(name, metrics))));
    const missing = declared.filter(({ name }) => !shown.has(name) && !Object.hasOwn(notShown, name));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(Object.keys(notShown).filter((name) => shown.has(name))).toEqual([]);
    expect(Object.keys(notShown).filter((name) => !declared.some((metric) => metric.name === name))).toEqual([]);
  });

  test('dashboards: names, uids and panel titles are unique', () => {
    const uids = dashboards.map(uidOf);
    expect(new Set(uids).size).toBe(uids.length);
    for (const uid of uids) expect(uid).toMatch(/^[a-z-]{8,40}$/);
    // The link in a dashboard leads to the heading with its title in docs/grafana.md.
    for (const { name, title } of dashboards) expect(title.toLowerCase().replaceAll(' ', '-')).toBe(name);
    const names = panels.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

interface PanelFile {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly links?: readonly { readonly url: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

interface DashboardFile {
  readonly id: null;
  readonly schemaVersion: number;
  readonly timezone: string;
  readonly tags: readonly string[];
  readonly panels: readonly PanelFile[];
}

describe.each([...grafanaFiles('https://docs.example.org')])('dashboards: %s', (_name, text) => {
  const file = JSON.parse(text) as DashboardFile;
  const shown = file.panels.filter(({ type }) => type !== 'row');

  test('dashboards: the file uses the Grafana 11 format and contains no instance-specific id', () => {
    expect(file).toMatchObject({ id: null, timezone: 'browser', tags: ['hubwatch'] });
    expect(file.schemaVersion).toBeGreaterThanOrEqual(39);
  });

  test('dashboards: every panel has a unit, a description, a link and the selected data source', () => {
    expect(shown.length).toBeGreaterThan(3);
    for (const { title, description, links, fieldConfig, datasource } of shown) {
      expect(fieldConfig?.defaults.unit, title).toBeTruthy();
      expect(description, title).toContain('Metrics: ');
      expect(
        links?.some(({ url }) => url === '${docs}/metrics.md'),
        title,
      ).toBe(true);
      expect(datasource?.uid, title).toBe('${datasource}');
    }
  });

  test('dashboards: panel ids are unique, and panels do not overlap', () => {
    expect(new Set(file.panels.map(({ id }) => id)).size).toBe(file.panels.length);
    const cells = file.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_none, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });
});

test('dashboards: a panel keeps its id when panels before it are added or removed', () => {
  const idsOf = (dashboard: Dashboard): ReadonlyMap<string, number> => {
    const { panels } = dashboardJson(dashboard, known, '') as DashboardFile;
    return new Map(panels.map(({ title, id }) => [title, id]));
  };
  for (const dashboard of dashboards) {
    const all = idsOf(dashboard);
    const later = idsOf({ ...dashboard, rows: dashboard.rows.slice(1) });
    expect(later.size).toBeLessThan(all.size);
    for (const [title, id] of later) expect(id, title).toBe(all.get(title));
  }
});

describe('dashboards: selectors', () => {
  test.each([
    ['hub_head_height', 'hub_head_height{job=~"$job",instance=~"$instance"}'],
    [
      'max(hub_node_leases{node!=""}[5m]) + on (node) up',
      'max(hub_node_leases{job=~"$job",instance=~"$instance",node=~"$node",node!=""}[5m]) + on (node) up{job=~"$job",instance=~"$instance"}',
    ],
    [
      'label_replace(hub_nodes, "hub_nodes", "hub_nodes{x}", "status", "}")',
      'label_replace(hub_nodes{job=~"$job",instance=~"$instance"}, "hub_nodes", "hub_nodes{x}", "status", "}")',
    ],
    [
      'rate(hubwatch_polls_total{exported_job="}"}[$__rate_interval])',
      'rate(hubwatch_polls_total{job=~"$job",instance=~"$instance",exported_job="}"}[$__rate_interval])',
    ],
    [
      'sum by (le) (hub_block_interval_seconds_bucket)',
      'sum by (le) (hub_block_interval_seconds_bucket{job=~"$job",instance=~"$instance"})',
    ],
  ])('dashboards: %s gets the matchers for the variables', (expr, scoped) => {
    expect(scopeQuery(expr, known, ['job', 'instance', 'node'])).toBe(scoped);
  });

  test.each(['hub_no_such_metric', 'sum(hubwatch_polls)', 'hub_block_interval_seconds', 'other{a="b"}'])(
    'dashboards: %s is rejected because no series has this name',
    (expr) => {
      expect(() => selectorsOf(expr, known)).toThrow(`no declared series: `);
    },
  );
});
