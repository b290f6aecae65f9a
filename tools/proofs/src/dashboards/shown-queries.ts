import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';

/** A query of a panel in a shipped file. */
export interface ShownQuery {
  /** `overview: Critical alerts, A` */
  readonly name: string;
  readonly expr: string;
  /** Asked over a range of time; the last value alone otherwise. */
  readonly isOverTime: boolean;
  /** The panel says that it may be empty. */
  readonly mayBeEmpty: boolean;
}

/** The parts of a dashboard file that decide what is asked. */
interface DashboardFile {
  readonly uid: string;
  readonly panels: readonly {
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly range: boolean }[];
  }[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly query: string | { readonly query: string };
      readonly regex?: string;
    }[];
  };
}

const folder = join(workspace, 'deploy/grafana/dashboards');

const files = (): readonly DashboardFile[] =>
  readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile);

/** Every query of the shipped dashboards. */
export function shownQueries(): readonly ShownQuery[] {
  return files().flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, description = '', targets = [] }) =>
      targets.map(({ refId, expr, range }) => ({
        ...{ name: `${uid}: ${title}, ${refId}`, expr, isOverTime: range },
        mayBeEmpty: description.includes('Empty while nothing is wrong: '),
      })),
    ),
  );
}

/** A template variable whose options Prometheus gives. */
export interface ShownVariable {
  readonly name: string;
  readonly query: string;
  readonly regex: string;
}

export function shownVariables(): readonly ShownVariable[] {
  return files().flatMap(({ uid, templating }) =>
    templating.list.flatMap(({ name, query, regex = '' }) =>
      typeof query === 'string' ? [] : [{ name: `${uid}: ${name}`, query: query.query, regex }],
    ),
  );
}

/** Puts values in place of variables, as Grafana does before it asks. */
export const withValues = (expr: string, values: Readonly<Record<string, string>>): string =>
  expr.replace(
    /\$(?:\{(\w+)\}|([a-zA-Z_]\w*))/g,
    (text, braced?: string, plain?: string) => values[braced ?? plain ?? ''] ?? text,
  );
