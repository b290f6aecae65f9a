import type { Prometheus } from '../programs/prometheus.js';
import { parseExposition, type Samples, seriesKey } from '../programs/exposition.js';

/** A page of metrics before and after the scrape that Prometheus is asked about. */
export interface Pages {
  readonly target: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  /** Series whose value did not move meanwhile, and is the same in Prometheus. */
  readonly equal: number;
  readonly wrong: readonly string[];
}

/** Compares what Prometheus has of these series with the page, where the page says the same before and after. */
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

/** Samples as Prometheus stores them: a label without a value is none. */
const samplesOf = (page: string): Samples =>
  new Map([...parseExposition(page)].map(([key, value]) => [key.replace(/\w+="",?|,\w+=""/g, ''), value]));

const keysOf = (name: string, page: Samples): string[] => [...page.keys()].filter((key) => key.startsWith(`${name}{`));

/** Key of a stored series on the page: without the labels of the target, and with a `job` of its own again. */
function keyOnPage(metric: Readonly<Record<string, string>>): string {
  const labels = Object.entries(metric).filter(([label]) => !['__name__', 'job', 'instance'].includes(label));
  return seriesKey(
    metric['__name__'] ?? '',
    Object.fromEntries(labels.map(([label, value]) => [label === 'exported_job' ? 'job' : label, value])),
  );
}
