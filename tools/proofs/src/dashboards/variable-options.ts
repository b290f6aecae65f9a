import type { Prometheus } from '../programs/prometheus.js';
import { type ShownVariable, withValues } from './shown-queries.js';

/** Option of a variable: its displayed text, and its value in queries. */
export interface Option {
  readonly text: string;
  readonly value: string;
}

/** Queries the options of a variable as Grafana does. @throws Error with the message from Prometheus */
export async function optionsOf(
  { query, regex }: ShownVariable,
  prometheus: Prometheus,
  values: Readonly<Record<string, string>>,
): Promise<readonly Option[]> {
  const [, verb = '', inner = ''] = /^(\w+)\((.*)\)$/.exec(withValues(query, values)) ?? [];
  if (verb === 'label_values') {
    const [, selector = '', label = ''] = /^(.*),\s*(\w+)$/.exec(inner) ?? [];
    return (await prometheus.labelValues(label, selector)).map((value) => ({ text: value, value }));
  }
  if (verb !== 'query_result') throw new Error(`unknown query of a variable: ${query}`);
  const pattern = new RegExp(regex.slice(1, -1));
  return (await prometheus.query(inner)).flatMap(({ metric, value: sample }) => {
    const labels = Object.entries(metric).map(([label, value]) => `${label}="${value}"`);
    const found = pattern.exec(`{${labels.join(',')}} ${sample} ${Date.now()}`)?.groups;
    const value = found?.['value'];
    return value === undefined ? [] : [{ text: found?.['text'] ?? value, value }];
  });
}
