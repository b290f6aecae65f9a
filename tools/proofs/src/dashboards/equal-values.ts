import type { Prometheus } from '../programs/prometheus.js';
import { parseExposition, type Samples, seriesKey } from '../programs/exposition.js';

/** A /metrics page before and after the scrape that the comparison uses. */
export interface Pages {
  readonly target: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  /** Number of series with the same value on both pages and in Prometheus. */
  readonly equal: number;
  readonly wrong: readonly string[];
}

/** Compares series in Prometheus with the page, limited to values that are equal before and after. */
export async function compareValues(
  names: readonly string[],
  { target, before, after }: Pages,
  prometheus: Prometheus,
  atMs: number,
): Promise<Comparison> {
  const [early, late] = [samplesOf(before), samplesOf(after)];
  const wrong: string[] = [];
  let equal = 0;
  for (const name of names) {
    const stored = new Map(
      (await prometheus.query(`${name}{instance="${target}"}`, atMs)).map(({ metric, value }) => [
        keyOnPage(metric),
        value,
      ]),
    );
    for (const key of new Set([...stored.keys(), ...keysOf(name, early), ...keysOf(name, late)])) {
      const value = early.get(key);
      if (value !== late.get(key)) continue;
      if (value === stored.get(key)) equal++;
      else wrong.push(`${key} of ${target} is ${value} on the page and ${stored.get(key)} in Prometheus`);
    }
  }
  return { equal, wrong };
}

/** Samples as stored by Prometheus, which drops labels with an empty value. */
const samplesOf = (page: string): Samples =>
  new Map([...parseExposition(page)].map(([key, value]) => [key.replace(/\w+="",?|,\w+=""/g, ''), value]));

const keysOf = (name: string, page: Samples): string[] => [...page.keys()].filter((key) => key.startsWith(`${name}{`));

/** Key of a stored series on the page: without the target labels, and with `exported_job` renamed back to `job`. */
function keyOnPage(metric: Readonly<Record<string, string>>): string {
  const labels = Object.entries(metric).filter(([label]) => !['__name__', 'job', 'instance'].includes(label));
  return seriesKey(
    metric['__name__'] ?? '',
    Object.fromEntries(labels.map(([label, value]) => [label === 'exported_job' ? 'job' : label, value])),
  );
}
