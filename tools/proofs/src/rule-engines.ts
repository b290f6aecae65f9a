import { config } from './rule-engines/world.js';
import { type History, liveThrough } from './rule-engines/history.js';
import { differences, findPromtool } from './rule-engines/promtool.js';
import { comparedRules } from './rule-engines/subjects.js';
import { exprOf, promqlTokens, ruleAlerts, rules } from '@hubwatch/daemon/parts';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Proves that the daemon and Prometheus decide alike for every rule that declares a PromQL condition. */
export const ruleEngines: Proof = {
  name: 'rule-engines',
  about:
    'over random histories, the rules of the daemon and their PromQL fire for the same subjects at the same times; the series are those that the daemon exposes of the same observations',
  defaultRuns: 1_000,
  run: prove,
};

async function prove({ seed, runs = 1_000, log }: ProofOptions): Promise<ProofOutcome> {
  const promtool = findPromtool();
  if (promtool === undefined) throw new Error('promtool is missing: apt-get install prometheus');
  const all = ruleAlerts(config);
  const alerts = all.filter(({ name }) => comparedRules.includes(name));
  const leftOut = all.flatMap(({ name }) => (comparedRules.includes(name) ? [] : name));
  const judged = rules.filter(({ name }) => comparedRules.includes(name));
  const used = new Set(alerts.flatMap((alert) => promqlTokens(exprOf(alert, config, 0)).map(({ text }) => text)));
  const histories: History[] = [];
  for (let run = 0; run < runs; run += 1)
    histories.push(await liveThrough(new RandomSource(seed + run * 7_919), judged, (name) => used.has(name)));
  const found = await differences(promtool, alerts, histories);
  const wrong = new Set<string>();
  const problems = found.map(({ alert, at, expected, got }) => {
    const only = (some: readonly string[], others: readonly string[]) => some.filter((one) => !others.includes(one));
    const [daemon, prometheus] = [only(expected, got), only(got, expected)];
    for (const one of [...daemon, ...prometheus]) wrong.add(one.split(' ')[0] ?? '');
    return `${alert} after ${at}: only the daemon: ${daemon.join(', ') || 'none'}; only Prometheus: ${prometheus.join(', ') || 'none'} (history and subject)`;
  });
  for (const problem of problems.slice(0, 20)) log(problem);
  return {
    passed: runs - wrong.size,
    total: runs,
    counterExample: problems[0],
    figures: { ...figuresOf(histories), 'rules with PromQL, not compared': leftOut.join(', ') },
  };
}

/** Number of verdicts by state, and the rules that never fired. */
const figuresOf = (histories: readonly History[]): Readonly<Record<string, number | string>> => {
  const count = (state: string, rule = ''): number =>
    histories
      .flatMap(({ verdicts }) => [...verdicts])
      .reduce((sum, [key, times]) => (key.endsWith(` ${state}`) && key.startsWith(rule) ? sum + times : sum), 0);
  const silent = comparedRules.filter((rule) => count('firing', `${rule} `) === 0);
  return {
    rules: comparedRules.length,
    'verdicts firing': count('firing'),
    'verdicts ok': count('ok'),
    'verdicts unknown': count('unknown'),
    'rules that never fired': silent.length === 0 ? 0 : silent.join(', '),
  };
};
