import type { Unit } from './units.js';

/** Colours of Grafana's classic palette that say how bad a value is. */
export type Colour = 'green' | 'blue' | 'yellow' | 'orange' | 'red' | 'text';

/** From this value on, a value has this colour. */
export interface Threshold {
  readonly from: number;
  readonly colour: Colour;
}

/** Text and colour of a number that stands for a state. */
export interface StateText {
  readonly value: number;
  readonly text: string;
  readonly colour: Colour;
}

/** One PromQL expression of a panel. */
export interface Query {
  /** PromQL without the matchers of the template variables: these are added to every selector. */
  readonly expr: string;
  /** Name of a series; labels in double braces. */
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
  /** Question that the panel answers, with what a value means; shown as its description. */
  readonly question: string;
  readonly unit: Unit;
  /** Columns of 24. */
  readonly width: number;
  /** Rows of the grid; 8 for graphs and 4 for single numbers by default. */
  readonly height?: number;
  readonly colours?: Colours;
  readonly states?: readonly StateText[];
  /** Rules of docs/alerts.md that judge what the panel shows. */
  readonly alerts?: readonly string[];
  /** When the panel is empty although nothing is wrong; absent if it always shows something. */
  readonly emptyBecause?: string;
  /** Time range of its own, such as `now/d` for the day so far. */
  readonly timeFrom?: string;
}

/** The last value, as large numbers. */
export interface StatPanel extends PanelFacts {
  readonly kind: 'stat';
  readonly queries: readonly Query[];
}

/** The last value of several series, as bars to compare. */
export interface BarGaugePanel extends PanelFacts {
  readonly kind: 'bargauge';
  readonly queries: readonly Query[];
}

/** Values over time. */
export interface TimeseriesPanel extends PanelFacts {
  readonly kind: 'timeseries';
  readonly queries: readonly Query[];
  /** Stacked bars, one for each step of this length. */
  readonly barsEvery?: string;
  /** Series on top of each other. */
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
  /** Labels that identify a row, in the order of the columns: label → title. */
  readonly rows: Readonly<Record<string, string>>;
  readonly queries: readonly Column[];
  /** Title of the column by which rows are sorted. */
  readonly sortBy?: { readonly column: string; readonly descending?: boolean };
}

export type Panel = StatPanel | BarGaugePanel | TimeseriesPanel | StateTimelinePanel | TablePanel;

/** Panels under one heading. */
export interface PanelRow {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** What the reader can narrow a dashboard to, in addition to job and instance. */
export type VariableSubject = 'node' | 'provider' | 'account' | 'endpoint';

export interface Dashboard {
  /** Name of its file, part of its uid. */
  readonly name: string;
  readonly title: string;
  /** For whom it is and what it answers, in one or two sentences. */
  readonly about: string;
  readonly subjects: readonly VariableSubject[];
  /** Beginning of the time range, such as `now-24h`. */
  readonly from: string;
  readonly refresh: string;
  readonly rows: readonly PanelRow[];
}
