import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';

/** A panel in a shipped dashboard file. */
export interface ShownPanel {
  /** Such as `hubwatch-overview: Critical alerts`. */
  readonly name: string;
  readonly type: string;
  /** The description states that the panel may be empty. */
  readonly mayBeEmpty: boolean;
  readonly queries: readonly ShownQuery[];
  /** Labels that identify a row of a table. */
  readonly rowLabels: readonly string[];
}

export interface ShownQuery {
  readonly refId: string;
  readonly expr: string;
  readonly legend: string;
  /** Queried over a range of time; otherwise only the last value. */
  readonly isOverTime: boolean;
}

/** A template variable with options from Prometheus. */
export interface ShownVariable {
  /** Such as `hubwatch-overview: job`. */
  readonly name: string;
  readonly query: string;
  readonly regex: string;
}

/** The parts of a dashboard file that determine its queries. */
interface DashboardFile {
  readonly uid: string;
  readonly panels: readonly PanelFile[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: string | { readonly query: string };
      readonly regex?: string;
    }[];
  };
}

interface PanelFile {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
    readonly range: boolean;
  }[];
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: { readonly indexByName?: Readonly<Record<string, number>> };
  }[];
}

const folder = join(workspace, 'deploy/grafana/dashboards');

const files = (): readonly DashboardFile[] =>
  readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile);

/** Every panel with queries in the shipped dashboards. */
export function shownPanels(): readonly ShownPanel[] {
  return files().flatMap(({ uid, panels }) =>
    panels.flatMap(({ type, title, description = '', targets = [], transformations = [] }) => {
      const columns = transformations.flatMap(({ options }) => Object.keys(options.indexByName ?? {}));
      const queries = targets.map(({ refId, expr, legendFormat, range }) => ({
        ...{ refId, expr, legend: legendFormat, isOverTime: range },
      }));
      return queries.length === 0
        ? []
        : {
            ...{ name: `${uid}: ${title}`, type, queries },
            mayBeEmpty: description.includes('May be empty: '),
            rowLabels: columns.filter((column) => !column.startsWith('Value')),
          };
    }),
  );
}

/** Every variable with a query in the shipped dashboards. */
export function shownVariables(): readonly ShownVariable[] {
  return files().flatMap(({ uid, templating }) =>
    templating.list.flatMap(({ name, type, query, regex = '' }) =>
      type !== 'query' || typeof query === 'string' ? [] : [{ name: `${uid}: ${name}`, query: query.query, regex }],
    ),
  );
}

/** Replaces variables with values, as Grafana does before it sends a query. */
export function withValues(expr: string, values: Readonly<Record<string, string>>): string {
  return expr.replace(/\$(\w+)/g, (text, name: string) => values[name] ?? text);
}
