import { createHash } from 'node:crypto';
import type { KnownSeries } from './known-series.js';
import type { Dashboard, Panel, PanelRow } from './panel.js';
import { panelJson } from './panel-json.js';
import { scopeOf, variablesOf } from './variables.js';

/** Dashboard schema version that Grafana 11 writes; later versions migrate it on import. */
const schemaVersion = 39;
const gridWidth = 24;
const heights = { stat: 4, bargauge: 8, timeseries: 8, 'state-timeline': 8, table: 8 } as const;

/** Fixed uid, so that links to a dashboard work in every Grafana and after a change of title. */
export const uidOf = ({ name }: Pick<Dashboard, 'name'>): string => `hubwatch-${name}`;

/** Returns a dashboard in Grafana's import format. The result depends only on the declaration. */
export function dashboardJson(dashboard: Dashboard, known: KnownSeries, docsUrl: string): object {
  const { name, title, about, subjects, from, refresh, rows } = dashboard;
  const scope = scopeOf(subjects);
  return {
    ...{ id: null, uid: uidOf(dashboard), title: `hubwatch / ${title}`, description: about, tags: ['hubwatch'] },
    ...{ schemaVersion, version: 1, editable: true, graphTooltip: 1, timezone: 'browser', weekStart: '' },
    ...{ refresh, time: { from, to: 'now' }, timepicker: {}, fiscalYearStartMonth: 0, liveNow: false },
    annotations: { list: [] },
    links: [
      {
        ...{ title: 'hubwatch', type: 'dashboards', tags: ['hubwatch'], asDropdown: true, icon: 'external link' },
        ...{ includeVars: true, keepTime: false, targetBlank: false, tooltip: 'Other dashboards of hubwatch', url: '' },
      },
      {
        ...{ title: 'About this dashboard', type: 'link', tags: [], asDropdown: false, icon: 'doc' },
        ...{
          includeVars: false,
          keepTime: false,
          targetBlank: true,
          tooltip: about,
          url: `\${docs}/grafana.md#${name}`,
        },
      },
    ],
    templating: { list: variablesOf(subjects, docsUrl) },
    panels: placed(rows, (panel) => panelJson(panel, known, scope)),
  };
}

/** Places panels from left to right below the heading of their row. The id of each depends only on its title. */
function placed(rows: readonly PanelRow[], json: (panel: Panel) => object): readonly object[] {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: members } of rows) {
    const gridPos = { x: 0, y, w: gridWidth, h: 1 };
    panels.push({ id: idOf(`row ${title}`), type: 'row', title, collapsed: false, gridPos, panels: [] });
    y += 1;
    let x = 0;
    let tallest = 0;
    for (const panel of members) {
      const h = panel.height ?? heights[panel.kind];
      if (x + panel.width > gridWidth) {
        y += tallest;
        x = 0;
        tallest = 0;
      }
      panels.push({ id: idOf(panel.title), ...json(panel), gridPos: { x, y, w: panel.width, h } });
      x += panel.width;
      tallest = Math.max(tallest, h);
    }
    y += tallest;
  }
  return panels;
}

/** Links to a panel contain its id, so the id must not change when other panels are added. */
function idOf(title: string): number {
  return createHash('sha256').update(title).digest().readUInt32BE() % 1_000_000;
}
