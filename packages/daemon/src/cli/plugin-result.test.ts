import { expect, test } from 'vitest';
import { testConfig } from '../../test/parts.js';
import type { RuleDeclaration, Severity, Verdict } from '../checks/verdict.js';
import { rules } from '../rules/index.js';
import type { SingleRound } from './one-round.js';
import { type Asked, pluginFailure, pluginResult, stateRules } from './plugin-result.js';

const verdict = (subject: string, state: Verdict['state'], more: Partial<Verdict> = {}): Verdict => ({
  ...{ subject, term: '', state, title: `${subject}: ${state}`, text: '' },
  ...more,
});

type Judged = SingleRound['judged'][number];
const judged = (
  name: string,
  severity: Severity,
  verdicts: readonly Verdict[],
  inhibitedBy?: RuleDeclaration['inhibitedBy'],
): Judged => ({
  rule: { name, severity, forMs: 0, time: 'clock', evaluate: () => [], ...(inhibitedBy && { inhibitedBy }) },
  verdicts,
});

const headMs = 1_800_000_000_000;

const roundOf = (all: readonly Judged[], more: Partial<SingleRound> = {}): SingleRound => ({
  judged: all,
  failed: [],
  requests: 40,
  view: {
    config: testConfig(),
    observations: { outcome: () => undefined },
    head: { height: 100n, timeMs: headMs },
    clockMs: headMs + 7_000,
  } as never,
  ...more,
});

const everything: Asked = { rules: [], subjects: [] };
const stateOf = (round: SingleRound, asked = everything) => pluginResult(round, asked, false).state;

test('plugin result: a healthy round is OK, with performance data in plugin format', () => {
  const { state, text } = pluginResult(
    roundOf([judged('A', 'critical', [verdict('x', 'ok'), verdict('y', 'ok')])]),
    everything,
    false,
  );
  expect(state).toBe('ok');
  expect(text).toBe(
    "HUBWATCH OK - 2 verdicts well, block 100 | firing=0 unknown=0 ok=2 'not read'=0 requests=40 height=100 'block age'=7s\n",
  );
});

test.each<[Severity, string]>([
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'ok'],
])('plugin result: an alert firing at %s is %s', (severity, state) => {
  const round = roundOf([judged('A', severity, [verdict('x', 'firing')])]);
  expect(stateOf(round)).toBe(state);
  expect(pluginResult(round, everything, false).text).toContain(`HUBWATCH ${state.toUpperCase()} - x: firing |`);
});

test('plugin result: the worst verdict decides and is named first, more than three are counted', () => {
  const round = roundOf([
    judged(
      'A',
      'warning',
      ['a', 'b', 'c'].map((subject) => verdict(subject, 'firing')),
    ),
    judged('B', 'critical', [verdict('d', 'firing')]),
  ]);
  expect(pluginResult(round, everything, false).text).toMatch(
    /^HUBWATCH CRITICAL - d: firing; a: firing; b: firing; and 1 more \|/,
  );
});

test.each(stateRules)('plugin result: %s exists, and if it cannot decide, the target is unknown', (name) => {
  expect(rules.map((rule) => rule.name)).toContain(name);
  const round = roundOf([judged(name, 'warning', [verdict('x', 'unknown'), verdict('y', 'ok')])]);
  expect(stateOf(round)).toBe('unknown');
  expect(stateOf(round, { rules: [], subjects: ['x'] })).toBe('unknown');
  expect(stateOf(round, { rules: [], subjects: ['y'] })).toBe('ok');
});

test('plugin result: without a verdict nothing is OK', () => {
  expect(stateOf(roundOf([]))).toBe('unknown');
  const round = roundOf([judged('A', 'warning', [verdict('x', 'ok')])]);
  expect(pluginResult(round, { rules: [], subjects: ['z'] }, false).text).toContain('UNKNOWN - no rule judges z |');
  expect(stateOf({ ...round, judged: [...round.judged, { ...judged('B', 'info', []), verdicts: undefined }] })).toBe(
    'unknown',
  );
  const partial = { ...round, judged: round.judged.map((one) => ({ ...one, isPartial: true })) };
  expect([stateOf(partial), stateOf(partial, { rules: ['A'], subjects: [] })]).toEqual(['ok', 'unknown']);
});

test('plugin result: an info alert does not hide an unknown state', () => {
  const known = judged('A', 'info', [verdict('x', 'firing')]);
  expect(stateOf(roundOf([known]))).toBe('ok');
  expect(stateOf(roundOf([known, judged('HubNodeInactive', 'critical', [verdict('x', 'unknown')])]))).toBe('unknown');
});

test('plugin result: undecided rules are unknown if a read failed, or if they were requested by name', () => {
  const round = roundOf([judged('A', 'warning', [verdict('x', 'unknown'), verdict('y', 'ok')])]);
  expect(stateOf(round)).toBe('ok');
  expect(pluginResult(round, everything, false).text).toContain('1 verdict well, 1 verdict not known after one round');
  expect(stateOf(round, { rules: ['A'], subjects: [] })).toBe('unknown');
  const failed = [{ job: 'nodes', target: 'x', text: 'no answer' }];
  expect(stateOf({ ...round, failed })).toBe('unknown');
  expect(pluginResult({ ...round, failed }, everything, false).text).toContain(
    'UNKNOWN - not read: nodes x: no answer |',
  );
  // The failure concerns a subject that was not requested.
  expect(stateOf({ ...round, failed }, { rules: [], subjects: ['y'] })).toBe('ok');
  const blind = { ...round, view: { ...round.view, head: undefined } };
  expect(stateOf(blind)).toBe('unknown');
  // A firing alert outranks an unknown state.
  expect(stateOf(roundOf([...round.judged, judged('B', 'warning', [verdict('z', 'firing')])], { failed }))).toBe(
    'warning',
  );
});

test('plugin result: only requested verdicts are reported, without those that another finding explains', () => {
  const round = roundOf([
    judged('Down', 'critical', [verdict('own', 'firing')]),
    judged('Late', 'warning', [verdict('sentnode1x', 'firing')], [{ rule: 'Down', equal: 'chain' }]),
    judged('Below', 'warning', [verdict('own', 'firing')], [{ rule: 'Down', equal: 'subject' }]),
  ]);
  expect(pluginResult(round, everything, false).text).toContain('firing=1 ');
  expect(stateOf(round, { rules: ['Late'], subjects: [] })).toBe('warning');
  // The finding that explains it was not requested.
  expect(stateOf(round, { rules: [], subjects: ['sentnode1x'] })).toBe('warning');
});

test('plugin result: untrusted text is one line, and cannot start performance data', () => {
  const title = 'evil\n| ok=1\u001b[2J';
  const { text } = pluginResult(
    roundOf([judged('A', 'warning', [verdict('x', 'firing', { title })])]),
    everything,
    false,
  );
  expect(text).toMatch(/^HUBWATCH WARNING - evil \/ ok=1 \[2J \| firing=1 [^\n|]*\n$/);
  expect(pluginFailure('a\nb')).toBe('HUBWATCH UNKNOWN - a b\n');
});

test('plugin result: --verbose lists the findings below the line', () => {
  const round = roundOf([judged('A', 'warning', [verdict('x', 'firing'), verdict('y', 'unknown')])], {
    failed: [{ job: 'nodes', target: 'y', text: 'no answer' }],
  });
  expect(pluginResult(round, everything, true).text.split('\n').slice(1)).toEqual([
    'A warning: x: firing',
    'A unknown: y: unknown',
    'not read: nodes y: no answer',
    '',
  ]);
});

test('plugin result: --verbose states how long the daemon would wait before it notifies', () => {
  const at = (forMs: number): Judged => {
    const { rule, verdicts } = judged(`R${forMs}`, 'warning', [verdict('x', 'firing'), verdict('y', 'unknown')]);
    return { rule: { ...rule, forMs }, verdicts };
  };
  expect(
    pluginResult(roundOf([at(0), at(300_000)]), everything, true)
      .text.split('\n')
      .slice(1),
  ).toEqual([
    'R0 warning: x: firing',
    'R300000 warning: x: firing (seen once; the daemon reports it after 5 min)',
    'R0 unknown: y: unknown',
    'R300000 unknown: y: unknown',
    '',
  ]);
});
