import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chainMetrics, type MetricDeclaration, ownMetrics, runtimeMetrics } from '@hubwatch/daemon/declarations';
import type { ShownPanel } from './shown-queries.js';

/** A /metrics page with every declared metric, including those that the simulated chain never produces. */
export interface FullPage {
  /** Address as `host:port`. */
  readonly target: string;
  close(): Promise<void>;
}

/** Serves a page with every metric, once for each label value that panels select and once with a value that none selects. */
export async function serveFullPage(panels: readonly ShownPanel[]): Promise<FullPage> {
  const selected = selectedValues(panels);
  let scrapes = 0;
  const server = createServer((_request, response) => {
    scrapes++;
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(pageOf(selected, scrapes));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Label values that the matchers in panels name, by label. */
function selectedValues(panels: readonly ShownPanel[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { queries } of panels)
    for (const { expr } of queries)
      for (const [, label = '', text = ''] of expr.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"$]+)"/g))
        found.set(label, new Set([...(found.get(label) ?? []), ...text.split('|')]));
  return found;
}

function pageOf(selected: ReadonlyMap<string, ReadonlySet<string>>, scrapes: number): string {
  const metrics = [...chainMetrics(), ...ownMetrics(), ...runtimeMetrics()];
  const lines = metrics.flatMap((metric) =>
    combinations(metric.labels, selected).flatMap((labels) => samplesOf(metric, labels, scrapes)),
  );
  return `${lines.join('\n')}\n`;
}

function combinations(labels: readonly string[], selected: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  return labels.reduce<string[][]>(
    (all, label) =>
      all.flatMap((pairs) =>
        [...(selected.get(label) ?? []), 'other'].map((value) => [...pairs, `${label}="${value}"`]),
      ),
    [[]],
  );
}

function samplesOf({ name, type }: MetricDeclaration, labels: readonly string[], scrapes: number): string[] {
  const line = (suffix: string, more: readonly string[], value: number): string =>
    `${name}${suffix}{${[...labels, ...more].join(',')}} ${value}`;
  if (type === 'histogram')
    return [
      line('_bucket', ['le="1"'], scrapes),
      line('_bucket', ['le="+Inf"'], scrapes),
      line('_sum', [], scrapes),
      line('_count', [], scrapes),
    ];
  const value = type === 'counter' ? scrapes : /_timestamp_seconds$/.test(name) ? Date.now() / 1_000 : 1;
  return [line('', [], value)];
}
