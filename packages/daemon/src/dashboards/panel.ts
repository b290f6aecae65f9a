import type { Unit } from './units.js';

/** Colours of Grafana's classic palette, used to rate a value. */
export type Colour = 'green' | 'blue' | 'yellow' | 'orange' | 'red' | 'text';

/** A colour, used for values from this threshold on. */
export interface Threshold {
  readonly from: number;
  readonly colour: Colour;
}

/** Text and colour for a number that represents a state. */
export interface StateText {
  readonly value: number;
  readonly text: string;
  readonly colour: Colour;
}

/** One PromQL expression of a panel. */
export interface Query {
  /** PromQL without the matchers for the template variables, which are added to every selector. */
  readonly expr: string;
  /** Legend format, with labels in double braces. */
  readonly legend?: string;
}

/** A query that fills one column of a table. */
export interface Column extends Query {
  readonly title: string;
  readonly unit?: Unit;
  readonly colours?: Colours;
  readonly states?: readonly StateText[];
}

export interface Colours {
  /** Colour below the first threshold. */
  readonly base: Colour;
  readonly thresholds: readonly Threshold[];
}

interface PanelFacts {
  readonly title: string;
  /** Question that the panel answers and the meaning of its values; shown as the description. */
  readonly question: string;
  readonly unit: Unit;
  /** Width in columns of the grid, which has 24. */
  readonly width: number;
  /** Height in rows of the grid; by default 8 for graphs and 4 for single numbers. */
  readonly height?: number;
  readonly colours?: Colours;
  readonly states?: readonly StateText[];
  /** Rules of docs/alerts.md that evaluate the values of the panel. */
  readonly alerts?: readonly string[];
  /** When the panel is empty without a fault; absent if it always has a value. */
  readonly emptyBecause?: string;
  /** Time range that overrides the one of the dashboard, such as `now/d` for the current day. */
  readonly timeFrom?: string;
}

/** Last values, as large numbers. */
export interface StatPanel extends PanelFacts {
  readonly kind: 'stat';
  readonly queries: readonly Query[];
}

/** Last values of several series, as bars for comparison. */
export interface BarGaugePanel extends PanelFacts {
  readonly kind: 'bargauge';
  readonly queries: readonly Query[];
}

/** Values over time. */
export interface TimeseriesPanel extends PanelFacts {
  readonly kind: 'timeseries';
  readonly queries: readonly Query[];
  /** Draws stacked bars, one for each step of this length. */
  readonly barsEvery?: string;
  /** Stacks the series. */
  readonly isStacked?: boolean;
}

/** States over time: each series is a number with a text in `states`. */
export interface StateTimelinePanel extends PanelFacts {
  readonly kind: 'state-timeline';
  readonly queries: readonly Query[];
}

/** One row for each combination of labels, with the last value of each query. */
export interface TablePanel extends PanelFacts {
  readonly kind: 'table';
  /** Labels that identify a row, in column order: label → title. */
  readonly rows: Readonly<Record<string, string>>;
  readonly queries: readonly Column[];
  /** Title of the column that the rows are sorted by. */
  readonly sortBy?: { readonly column: string; readonly descending?: boolean };
}

export type Panel = StatPanel | BarGaugePanel | TimeseriesPanel | StateTimelinePanel | TablePanel;

/** Panels under one heading. */
export interface PanelRow {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A selection that a dashboard offers, in addition to job and instance. */
export type VariableSubject = 'node' | 'provider' | 'account' | 'endpoint';

export interface Dashboard {
  /** Name of the file and part of the uid. */
  readonly name: string;
  readonly title: string;
  /** Audience and purpose, in one or two sentences. */
  readonly about: string;
  readonly subjects: readonly VariableSubject[];
  /** Start of the default time range, such as `now-24h`. */
  readonly from: string;
  readonly refresh: string;
  readonly rows: readonly PanelRow[];
}
