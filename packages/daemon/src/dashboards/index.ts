import { daemon } from './daemon.js';
import { dashboardJson } from './dashboard-json.js';
import { endpointOperator } from './endpoint-operator.js';
import { knownSeries, type SeriesDeclaration } from './known-series.js';
import { ledger } from './ledger.js';
import { nodeOperator } from './node-operator.js';
import { overview } from './overview.js';
import type { Dashboard } from './panel.js';
import { provider } from './provider.js';

export type { SeriesDeclaration } from './known-series.js';

/** All dashboards. A new dashboard needs one file and one line here. */
export const dashboards: readonly Dashboard[] = [overview, nodeOperator, provider, endpointOperator, ledger, daemon];

/** Files for import into Grafana: name → text. */
export function dashboardFiles(metrics: readonly SeriesDeclaration[], docsUrl: string): ReadonlyMap<string, string> {
  const known = knownSeries(metrics);
  return new Map(
    dashboards.map((dashboard) => [
      `${dashboard.name}.json`,
      `${JSON.stringify(dashboardJson(dashboard, known, docsUrl), undefined, 2)}\n`,
    ]),
  );
}
