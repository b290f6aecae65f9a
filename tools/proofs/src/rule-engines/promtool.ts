import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { exprOf, type PrometheusAlert } from '@hubwatch/daemon/parts';
import type { History } from './history.js';
import { looks } from './history.js';
import { labelsOfSubject, subjectOf } from './subjects.js';
import { config } from './world.js';

/** Number of histories per promtool test. */
const perTest = 50;

/** Expected and actual firing subjects of a rule in Prometheus. */
export interface Difference {
  readonly alert: string;
  readonly at: string;
  readonly expected: readonly string[];
  readonly got: readonly string[];
}

/** Path of promtool; `undefined` if it is not installed. */
export const findPromtool = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'promtool'))
    .find((file) => existsSync(file));

/** Evaluates the series of histories with promtool, and returns the decisions that differ from the daemon's. */
export async function differences(
  promtool: string,
  alerts: readonly PrometheusAlert[],
  histories: readonly History[],
): Promise<readonly Difference[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-rule-engines-'));
  try {
    writeFileSync(
      join(folder, 'rules.yml'),
      JSON.stringify({ groups: [{ name: 'conditions', rules: alerts.map(conditionOf) }] }),
    );
    writeFileSync(join(folder, 'test.yml'), JSON.stringify(testsOf(alerts, histories)));
    const output = await run(promtool, ['test', 'rules', 'test.yml'], folder);
    return differencesIn(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An alert's condition without its hold, reduced to the label of the subject. */
const conditionOf = (alert: PrometheusAlert) => {
  const named = labelsOfSubject(alert.name).reduce(
    (expr, label) => `label_replace(${expr}, "subject", "$1", "${label}", "(.+)")`,
    exprOf(alert, config, 0),
  );
  const dropped = alert.labels.length === 0 ? '' : `max without (${alert.labels.join(', ')}) `;
  return { alert: alert.name, expr: `${dropped}(${named})` };
};

const testsOf = (alerts: readonly PrometheusAlert[], histories: readonly History[]) => ({
  rule_files: ['rules.yml'],
  evaluation_interval: '1m',
  tests: Array.from({ length: Math.ceil(histories.length / perTest) }, (_, test) => {
    const first = test * perTest;
    const some = histories.slice(first, first + perTest);
    return {
      interval: '1m',
      input_series: some.flatMap(({ series }, index) =>
        [...series].map(([name, values]) => ({ series: withInstance(name, first + index), values: notation(values) })),
      ),
      alert_rule_test: Array.from({ length: looks }, (_look, at) =>
        alerts.map(({ name }) => ({
          eval_time: `${at}m`,
          alertname: name,
          exp_alerts: some.flatMap(({ firing }, index) =>
            (firing[at]?.get(name) ?? []).map((subject) => ({
              exp_labels: { instance: String(first + index), job: 'proof', ...subjectLabel(name, subject) },
            })),
          ),
        })),
      ).flat(),
    };
  }),
});

const subjectLabel = (alert: string, subject: string): { readonly subject?: string } => {
  const label = subjectOf(alert, subject);
  return label === undefined ? {} : { subject: label };
};

const withInstance = (series: string, history: number): string => {
  const [, name = '', labels = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(series) ?? [];
  // Prometheus renames an exported label `job` in this way.
  const own = labels.replace(/(^|,)job="/, '$1exported_job="');
  return `${name}{${own === '' ? '' : `${own},`}job="proof",instance="${history}"}`;
};

/** Formats values in promtool's notation: equal values are combined, and the end of a series is marked as stale. */
const notation = (values: readonly (number | undefined)[]): string => {
  const words = values.map((value, at) => {
    if (value !== undefined) return plain(value);
    return at > 0 && values[at - 1] !== undefined ? 'stale' : '_';
  });
  const runs: { word: string; count: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.count += 1;
    else runs.push({ word, count: 1 });
  }
  return runs
    .map(({ word, count }) =>
      word === '_' ? `_x${count}` : count === 1 || word === 'stale' ? word : `${word}x${count - 1}`,
    )
    .join(' ');
};

/** Formats a number without an exponent, which the notation does not support. */
const plain = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 9 }) : 'NaN';

const run = (program: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((done, fail) => {
    execFile(program, [...args], { cwd, maxBuffer: 512 * 1024 * 1024 }, (error, out, err) => {
      const text = out + err;
      if (error === null || text.includes('alertname: ')) done(text);
      else fail(new Error(`promtool: ${text.slice(0, 2_000)}`));
    });
  });

/** Parses the failures in promtool's output. */
const differencesIn = (output: string): readonly Difference[] =>
  output
    .split(/^ +alertname: /m)
    .slice(1)
    .map((text) => {
      const [, alert = '', at = ''] = /^(\w+), time: (\w+)/.exec(text) ?? [];
      const [before = '', after = ''] = text.split('got:[');
      return { alert, at, expected: alertsIn(before), got: alertsIn(after) };
    });

const alertsIn = (text: string): readonly string[] =>
  [...text.matchAll(/Labels:\{([^\n]*)\}/g)].map(([, labels = '']) => {
    const of = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
    return `${of('instance')} ${of('subject')}`.trim();
  });
