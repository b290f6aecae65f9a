import type { Prometheus, PrometheusSample } from '../programs/prometheus.js';
import { type ShownPanel, type ShownQuery, withValues } from './shown-queries.js';

/** Parameters for the queries of a panel. */
export interface Asking {
  readonly prometheus: Prometheus;
  /** Values of the variables. */
  readonly values: Readonly<Record<string, string>>;
  /** Time of evaluation, the same for all queries, so that they use the same scrapes. */
  readonly atMs: number;
  /** Every query must have a result, including those of panels that may be empty. */
  readonly isFull: boolean;
}

interface Answered {
  readonly query: ShownQuery;
  readonly samples: readonly PrometheusSample[];
}

/** Returns a sentence for each problem with a panel, and the names of its queries without a result. */
export async function judgePanel(panel: ShownPanel, asking: Asking): Promise<{ wrong: string[]; empty: string[] }> {
  const wrong: string[] = [];
  const empty: string[] = [];
  const answered: Answered[] = [];
  for (const query of panel.queries) {
    const name = `${panel.name}, ${query.refId}`;
    const text = withValues(query.expr, asking.values);
    try {
      const samples = (await answerOf(query, text, asking)).filter(({ value }) => Number.isFinite(value));
      if (samples.length === 0) empty.push(name);
      if (samples.length === 0 && (asking.isFull || !panel.mayBeEmpty)) wrong.push(`${name}: no result: ${text}`);
      const problem = samples.length === 0 ? undefined : problemOf(panel, query, samples);
      if (problem !== undefined) wrong.push(`${name}: ${problem}: ${text}`);
      answered.push({ query, samples });
    } catch (error) {
      wrong.push(`${name}: ${(error as Error).message}`);
    }
  }
  const twice = panel.type === 'table' ? undefined : nameOfTwo(answered);
  if (twice !== undefined) wrong.push(`${panel.name}: two series are called "${twice}"`);
  return { wrong, empty };
}

/** Queries the last values. A graph must have values over its range as well. */
async function answerOf(query: ShownQuery, text: string, { prometheus, atMs }: Asking) {
  const samples = await prometheus.query(text, atMs);
  if (!query.isOverTime || samples.length === 0) return samples;
  return (await prometheus.countOverTime(text, atMs)) === 0 ? [] : samples;
}

function problemOf(panel: ShownPanel, query: ShownQuery, samples: readonly PrometheusSample[]): string | undefined {
  const labels = new Set(samples.flatMap(({ metric }) => Object.keys(metric)));
  if (panel.type === 'table') {
    // Queries with the same labels are merged into a row.
    const other = [...labels].filter((label) => !panel.rowLabels.includes(label));
    return other.length === 0 ? undefined : `has labels that identify no row: ${other.join(', ')}`;
  }
  const absent = labelsOf(query.legend).filter((label) => !labels.has(label));
  return absent.length === 0 ? undefined : `has no label ${absent.join(', ')} for its legend`;
}

const labelsOf = (legend: string): readonly string[] =>
  [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);

/** Returns a legend that two series of a panel share, so that they cannot be distinguished. */
function nameOfTwo(answered: readonly Answered[]): string | undefined {
  const names = answered.flatMap(({ query, samples }) =>
    samples.map(({ metric }) =>
      query.legend === '__auto'
        ? `${query.refId} ${JSON.stringify(metric)}`
        : query.legend.replace(/\{\{(\w+)\}\}/g, (_all, label: string) => metric[label] ?? ''),
    ),
  );
  return names.find((name, index) => names.indexOf(name) !== index);
}
