import { type ExportedAlert, yamlFile } from '@hubwatch/daemon/declarations';
import { annotationText } from './annotation-text.js';
import { chainCases } from './chain-cases.js';
import { daemonCases } from './daemon-cases.js';
import { endpointCases } from './endpoint-cases.js';
import { moneyCases } from './money-cases.js';
import { nodeCases } from './node-cases.js';
import type { RuleCase, Series, Values } from './rule-case.js';

/** All test cases of exported alerts. */
export const ruleCases: readonly RuleCase[] = [
  ...endpointCases,
  ...chainCases,
  ...nodeCases,
  ...moneyCases,
  ...daemonCases,
];

/** Labels that Prometheus adds when it scrapes a daemon. */
type Scrape = Readonly<Record<string, string>>;

/** Daemons whose series make an alert fire, and others whose series do not, under two job names. */
const daemons = [
  { scrape: { job: 'hubwatch', instance: '127.0.0.1:9190' }, isFiring: true },
  { scrape: { job: 'hubwatch', instance: 'quiet.example.org:9190' }, isFiring: false },
  { scrape: { job: 'dvpn-monitors', instance: 'one.example.org:9190' }, isFiring: true },
  { scrape: { job: 'dvpn-monitors', instance: 'two.example.org:9190' }, isFiring: false },
] as const satisfies readonly { readonly scrape: Scrape; readonly isFiring: boolean }[];

/** A case together with its alert. */
interface Prepared {
  readonly one: RuleCase;
  readonly alert: ExportedAlert;
  /** Minutes between two samples and evaluations. */
  readonly minutes: number;
}

/**
 * Input of `promtool test rules`: file name → text. Each case must fire for exactly the daemons with firing series. All tests
 * in a file use one evaluation interval, which is longer for alerts with a long hold.
 */
export function ruleTestFiles(alerts: readonly ExportedAlert[], docsUrl: string): ReadonlyMap<string, string> {
  const prepared = ruleCases.map((one) => prepare(one, alerts));
  const intervals = [...new Set(prepared.map(({ minutes }) => minutes))].toSorted((a, b) => a - b);
  return new Map(
    intervals.map((minutes) => {
      const tests = prepared.filter((each) => each.minutes === minutes).flatMap((each) => testsOf(each, docsUrl));
      const content = { rule_files: ['rules.yml'], evaluation_interval: `${minutes}m`, tests };
      return [`rules-${minutes}m.test.yml`, yamlFile(note, content)];
    }),
  );
}

/** Minimum hold for which a longer interval is sufficient. */
const longHoldMs = 600_000;

function prepare(one: RuleCase, alerts: readonly ExportedAlert[]): Prepared {
  const alert = alertOf(one, alerts);
  const isLong = alert.forMs >= longHoldMs && one.atMinutes === undefined;
  return { one, alert, minutes: one.everyMinutes ?? (isLong ? 5 : 1) };
}

function alertOf(one: RuleCase, alerts: readonly ExportedAlert[]): ExportedAlert {
  const found = alerts.find(({ name }) => name === one.alert);
  if (found === undefined) throw new Error(`${one.alert} is no exported alert`);
  return found;
}

const note = [
  'Tests of rules.yml, written by "npm run docs" from tools/e2e/src/rule-tests.',
  'Run them with: promtool test rules *.test.yml',
];

function testsOf(prepared: Prepared, docsUrl: string): readonly object[] {
  const { one, alert, minutes } = prepared;
  const title = one.about === undefined ? one.alert : `${one.alert} (${one.about})`;
  const test = (name: string, of: readonly (typeof daemons)[number][], labels: readonly Scrape[]) => {
    const { at, isHeld } = timesOf(prepared);
    const check = (evalMinutes: number, alerts: readonly object[]) => ({
      eval_time: `${evalMinutes}m`,
      alertname: one.alert,
      exp_alerts: alerts,
    });
    return {
      name,
      interval: `${minutes}m`,
      input_series: of.flatMap(({ scrape, isFiring }) =>
        inputs(isFiring ? one.fires : { ...one.fires, ...one.quiet }, scrape, at),
      ),
      alert_rule_test: [
        ...(isHeld ? [check(at - 3 * minutes, [])] : []),
        check(
          at,
          labels.map((scrape) => expected(one, alert, scrape, docsUrl)),
        ),
      ],
    };
  };
  const firing = daemons.filter(({ isFiring }) => isFiring);
  if (alert.isGlobal !== true)
    return [
      test(
        title,
        daemons,
        firing.map(({ scrape }) => scrape),
      ),
    ];
  const isAlways = Object.keys(one.quiet).length === 0;
  return [test(title, firing, [{}]), test(`${title}, with another daemon`, daemons, isAlways ? [{}] : [])];
}

/**
 * Times at which a case is checked, and whether it is also checked before its hold passed. The condition is true from the
 * start.
 */
function timesOf({ one, alert, minutes }: Prepared): { readonly at: number; readonly isHeld: boolean } {
  const holdMinutes = Math.ceil(alert.forMs / 60_000);
  if (one.atMinutes !== undefined) return { at: one.atMinutes, isHeld: false };
  return { at: holdMinutes + 2 * minutes, isHeld: holdMinutes > 0 };
}

function expected(one: RuleCase, alert: ExportedAlert, scrape: Scrape, docsUrl: string) {
  const { name, severity, summary, description } = alert;
  const labels = { ...scrape, ...one.labels };
  const facts = { labels, value: one.value };
  return {
    exp_labels: { severity, ...labels },
    exp_annotations: {
      summary: annotationText(summary, facts),
      description: annotationText(description, facts),
      runbook_url: `${docsUrl}/alerts.md#${name.toLowerCase()}`,
    },
  };
}

function inputs(series: Series, scrape: Scrape, minutes: number): readonly object[] {
  return Object.entries(series).map(([text, values]) => ({
    series: withLabels(text, scrape),
    values: notation(values, minutes),
  }));
}

/** Adds scrape labels to `name{a="b"}`. */
function withLabels(text: string, scrape: Scrape): string {
  const [, name = '', labels = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(text) ?? [];
  const added = Object.entries(scrape).map(([label, value]) => `${label}="${value}"`);
  return `${name}{${[labels, ...added].filter((one) => one !== '').join(',')}}`;
}

const notation = (values: Values, minutes: number): string =>
  typeof values === 'number' ? `${values}x${minutes + 1}` : values;
