import type { KnownSeries } from './known-series.js';
import type { Colours, Column, Panel, Query, StateText, TablePanel, TimeseriesPanel } from './panel.js';
import { scopeQuery, selectorsOf } from './selectors.js';
import { units } from './units.js';
import { datasource } from './variables.js';

/** A panel in Grafana's format, without its position. `scope` lists the variables that filter its queries. */
export function panelJson(panel: Panel, known: KnownSeries, scope: readonly string[]): object {
  const { kind, title, timeFrom } = panel;
  return {
    ...{ type: kind, title, description: descriptionOf(panel, known), links: linksOf(panel), datasource },
    ...(timeFrom === undefined ? {} : { timeFrom, hideTimeOverride: false }),
    targets: panel.queries.map((query, index) => targetOf(panel, query, index, scopeQuery(query.expr, known, scope))),
    fieldConfig: { defaults: defaultsOf(panel), overrides: panel.kind === 'table' ? columnOverrides(panel) : [] },
    options: optionsOf(panel),
    ...(panel.kind === 'table' ? { transformations: tableTransformations(panel) } : {}),
  };
}

/** Metrics of a panel, in the order of its queries. */
export const seriesOf = ({ queries }: Panel, known: KnownSeries): readonly string[] => [
  ...new Set(queries.flatMap(({ expr }) => selectorsOf(expr, known).map(({ name }) => name))),
];

function descriptionOf(panel: Panel, known: KnownSeries): string {
  const { question, alerts = [], emptyBecause } = panel;
  return [
    question,
    ...(emptyBecause === undefined ? [] : [`May be empty: ${emptyBecause}`]),
    ...(alerts.length === 0 ? [] : [`Alerts: ${alerts.join(', ')}.`]),
    `Metrics: ${seriesOf(panel, known).join(', ')}.`,
  ].join('\n\n');
}

function linksOf({ alerts = [] }: Panel): readonly object[] {
  const metrics = { title: 'Metrics', url: '${docs}/metrics.md', targetBlank: true };
  return alerts.length === 0
    ? [metrics]
    : [{ title: 'Alerts and what to do', url: '${docs}/alerts.md', targetBlank: true }, metrics];
}

function targetOf(panel: Panel, query: Query, index: number, expr: string): object {
  const refId = refIdOf(index);
  const isOverTime = panel.kind === 'timeseries' || panel.kind === 'state-timeline';
  const every = panel.kind === 'timeseries' ? panel.barsEvery : undefined;
  return {
    ...{ refId, datasource, editorMode: 'code', expr, legendFormat: query.legend ?? '__auto' },
    ...{ range: isOverTime, instant: !isOverTime, format: panel.kind === 'table' ? 'table' : 'time_series' },
    ...(every === undefined ? {} : { interval: every }),
  };
}

const refIdOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

function defaultsOf(panel: Panel): object {
  const { unit, colours, states = [] } = panel;
  const isByThreshold = colours !== undefined && panel.kind !== 'timeseries';
  return {
    unit: units[unit],
    color: { mode: isByThreshold || states.length > 0 ? 'thresholds' : 'palette-classic' },
    thresholds: thresholdsOf(colours),
    mappings: mappingsOf(states),
    custom: customOf(panel),
  };
}

const thresholdsOf = ({ base, thresholds }: Colours = { base: 'blue', thresholds: [] }): object => ({
  mode: 'absolute',
  steps: [{ color: base, value: null }, ...thresholds.map(({ from, colour }) => ({ color: colour, value: from }))],
});

function mappingsOf(states: readonly StateText[]): readonly object[] {
  if (states.length === 0) return [];
  const options = states.map(({ value, text, colour }, index) => [value, { text, color: colour, index }] as const);
  return [{ type: 'value', options: Object.fromEntries(options) }];
}

function customOf(panel: Panel): object {
  switch (panel.kind) {
    case 'timeseries':
      return lineOf(panel);
    case 'state-timeline':
      return { fillOpacity: 75, lineWidth: 0 };
    case 'table':
      return { align: 'auto', cellOptions: { type: 'auto' }, filterable: true, inspect: false };
    case 'stat':
    case 'bargauge':
      return {};
  }
}

function lineOf({ barsEvery, isStacked = barsEvery !== undefined, colours }: TimeseriesPanel): object {
  return {
    ...{ drawStyle: barsEvery === undefined ? 'line' : 'bars', fillOpacity: barsEvery === undefined ? 10 : 80 },
    // After a failed poll the series is absent: the gap must remain visible.
    ...{ lineWidth: 1, showPoints: 'auto', pointSize: 4, spanNulls: false },
    stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
    thresholdsStyle: { mode: colours === undefined ? 'off' : 'dashed' },
  };
}

function optionsOf(panel: Panel): object {
  const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
  const legend = { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] };
  const tooltip = { mode: 'multi', sort: 'desc' };
  switch (panel.kind) {
    case 'stat':
      return {
        ...{ reduceOptions, orientation: 'auto', textMode: 'auto', justifyMode: 'auto', graphMode: 'none' },
        ...{ colorMode: panel.colours === undefined && panel.states === undefined ? 'none' : 'background' },
      };
    case 'bargauge':
      return { reduceOptions, orientation: 'horizontal', displayMode: 'basic', valueMode: 'color', showUnfilled: true };
    case 'timeseries':
      return { legend, tooltip };
    case 'state-timeline':
      return { ...{ legend, tooltip, alignValue: 'left', mergeValues: true, rowHeight: 0.9, showValue: 'auto' } };
    case 'table':
      return {
        ...{ cellHeight: 'sm', showHeader: true, footer: { show: false, reducer: ['sum'], fields: '' } },
        sortBy: panel.sortBy === undefined ? [] : [sortOf(panel.sortBy)],
      };
  }
}

const sortOf = ({
  column,
  descending = false,
}: {
  readonly column: string;
  readonly descending?: boolean;
}): object => ({
  displayName: column,
  desc: descending,
});

/** Name of the table field with the values of a query. */
const valueField = ({ queries }: TablePanel, index: number): string =>
  queries.length === 1 ? 'Value' : `Value #${refIdOf(index)}`;

/** Merges results into one row per combination of labels, then orders the columns as declared and sets their titles. */
function tableTransformations(panel: TablePanel): readonly object[] {
  const labels = Object.entries(panel.rows);
  const columns = [
    ...labels,
    ...panel.queries.map(({ title }, index): [string, string] => [valueField(panel, index), title]),
  ];
  return [
    { id: 'merge', options: {} },
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true },
        includeByName: {},
        indexByName: Object.fromEntries(columns.map(([field], index) => [field, index])),
        renameByName: Object.fromEntries(columns),
      },
    },
  ];
}

/** Sets unit and colours of each column; labels are shown as text. */
function columnOverrides({ queries, rows }: TablePanel): readonly object[] {
  return [
    ...Object.values(rows).map((title) => overrideOf(title, [{ id: 'unit', value: 'string' }])),
    ...queries.flatMap((column) => {
      const properties = propertiesOf(column);
      return properties.length === 0 ? [] : [overrideOf(column.title, properties)];
    }),
  ];
}

const overrideOf = (title: string, properties: readonly object[]): object => ({
  matcher: { id: 'byName', options: title },
  properties,
});

function propertiesOf({ unit, colours, states }: Column): readonly object[] {
  const isColoured = colours !== undefined || states !== undefined;
  return [
    ...(unit === undefined ? [] : [{ id: 'unit', value: units[unit] }]),
    ...(colours === undefined ? [] : [{ id: 'thresholds', value: thresholdsOf(colours) }]),
    ...(states === undefined ? [] : [{ id: 'mappings', value: mappingsOf(states) }]),
    ...(isColoured
      ? [
          { id: 'color', value: { mode: 'thresholds' } },
          { id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic' } },
        ]
      : []),
  ];
}
