/** Samples on a /metrics page: `name{label="value",…}` with sorted labels → value. */
export type Samples = ReadonlyMap<string, number>;

/** Parses the Prometheus text format, independently of a real Prometheus, for tests that compare single values. */
export function parseExposition(text: string): Samples {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line);
    if (match === null) throw new SyntaxError(`not a sample: ${line}`);
    const [, name = '', labels = '', value = ''] = match;
    samples.set(seriesKey(name, readLabels(labels)), value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return samples;
}

/** Key of a series in {@link Samples}, regardless of the order of its labels. */
export function seriesKey(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',')}}`;
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, label = '', value = ''] of text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[label] = value.replace(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char));
  }
  return labels;
}
