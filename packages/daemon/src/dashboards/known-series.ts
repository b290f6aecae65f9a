/** Facts about a metric that queries depend on. */
export interface SeriesDeclaration {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** Labels by series name, as stored by Prometheus. */
export type KnownSeries = ReadonlyMap<string, ReadonlySet<string>>;

/** Series that Prometheus itself adds for each scrape. */
const ofPrometheus = ['up', 'scrape_duration_seconds', 'scrape_samples_scraped'];

const ofTarget = ['job', 'instance'];

/**
 * Series that result from scraping these metrics. Prometheus adds its own `job` to every series and renames an exported label
 * of that name to `exported_job`.
 */
export function knownSeries(metrics: readonly SeriesDeclaration[]): KnownSeries {
  const known = new Map(ofPrometheus.map((name) => [name, new Set(ofTarget)]));
  for (const { name, type, labels } of metrics) {
    const stored = new Set([...ofTarget, ...labels.map((label) => (label === 'job' ? 'exported_job' : label))]);
    if (type !== 'histogram') {
      known.set(name, stored);
      continue;
    }
    known.set(`${name}_sum`, stored).set(`${name}_count`, stored);
    known.set(`${name}_bucket`, new Set([...stored, 'le']));
  }
  return known;
}

/** Name of the declared metric that a series belongs to. */
export const metricOf = (series: string, metrics: readonly SeriesDeclaration[]): string | undefined =>
  metrics.find(({ name, type }) =>
    type === 'histogram' ? series.replace(/_(?:bucket|sum|count)$/, '') === name : series === name,
  )?.name;
