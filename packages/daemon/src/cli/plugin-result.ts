import { inhibitionOf } from '../alerts/inhibition.js';
import { watchedNodes } from '../checks/node/watched-nodes.js';
import { msOf } from '../checks/times.js';
import type { Verdict } from '../checks/verdict.js';
import type { Rule } from '../rules/rule.js';
import { counted, oneLine, span } from '../words.js';
import type { SingleRound } from './one-round.js';

/** Exit codes of monitoring plugins, and the first word of the line. */
export const pluginStates = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;
export type PluginState = keyof typeof pluginStates;

export interface PluginResult {
  readonly state: PluginState;
  /** One line, then with `--verbose` one for each finding; ends with a line break. */
  readonly text: string;
}

/** The line of a plugin that failed itself. */
export const pluginFailure = (message: string): string => line('unknown', oneLine(message, 500), '');

/** Requested rules and subjects; an empty list means all. */
export interface Asked {
  readonly rules: readonly string[];
  readonly subjects: readonly string[];
}

interface Told extends Verdict {
  readonly rule: Rule;
}

/** Rules whose verdict is the state of a watched target. If one of them cannot decide, the target is not OK. */
export const stateRules: readonly string[] = [
  'HubEndpointDown',
  'HubOwnNodeDown',
  'HubAllEndpointsDown',
  'HubChainHalted',
  'HubNodeInactive',
  'HubNodeHeartbeatLate',
  'HubNodeSessionsStale',
  'HubProviderInactive',
  'HubBalanceLow',
];

export const pluginResult = (round: SingleRound, asked: Asked, isVerbose: boolean): PluginResult => {
  const told = toldOf(round, asked);
  const lost = failedOf(round, asked);
  const firing = told.filter(({ state }) => state === 'firing');
  const unknown = told.filter(({ state }) => state === 'unknown');
  const doubts = doubtsOf(round, asked, told, lost);
  const state = stateOf(firing, doubts);
  const text = firing.length > 0 && state !== 'unknown' ? summary(firing) : quietText(doubts, told, round, unknown);
  const further = [
    ...firing.map((one) => `${one.rule.name} ${one.rule.severity}: ${inert(one.title)}${heldText(one.rule)}`),
    ...unknown.map((one) => `${one.rule.name} unknown: ${inert(one.title)}`),
  ];
  const lines = isVerbose ? [...further, ...lost.map((one) => `not read: ${one}`)] : [];
  return {
    state,
    text: [line(state, text, perfdata(round, told, lost.length)), ...lines.map((one) => `${one}\n`)].join(''),
  };
};

/** States that the daemon would still wait: one round cannot determine how long the condition has lasted. */
const heldText = ({ forMs }: Rule): string =>
  forMs === 0 ? '' : ` (seen once; the daemon reports it after ${span(forMs)})`;

/** Requested verdicts, without those that another one of them explains. */
const toldOf = ({ judged }: SingleRound, { rules: names, subjects }: Asked): readonly Told[] => {
  const candidates = judged
    .flatMap(({ rule, verdicts }) => (verdicts ?? []).map((verdict): Told => ({ ...verdict, rule })))
    .filter(({ subject }) => subjects.length === 0 || subjects.some((one) => subject.includes(one)));
  if (names.length > 0) return candidates.filter(({ rule }) => names.includes(rule.name));
  const alerts = candidates.map(({ rule, subject, state }) => ({ rule: rule.name, subject, state }));
  const inhibitions = new Map(judged.map(({ rule }) => [rule.name, inhibitionOf(rule, alerts)]));
  return candidates.filter((verdict) => inhibitions.get(verdict.rule.name)?.(verdict) !== true);
};

/** Failed reads of the requested subjects. */
const failedOf = ({ failed }: SingleRound, { subjects }: Asked): readonly string[] =>
  failed
    .filter(({ target }) => subjects.length === 0 || subjects.includes(target))
    .map(({ job, target, text }) => inert(`${job} ${target}: ${text}`));

/**
 * Why the state of the requested subjects is unknown; empty if it is known. A rule requested by name must decide, and
 * so must every rule whose verdict is the state of a target. Other undecided rules do not matter after one round.
 */
const doubtsOf = (
  { judged, view }: SingleRound,
  { rules: names, subjects }: Asked,
  told: readonly Told[],
  lost: readonly string[],
): readonly string[] => {
  const isAsked = (rule: string): boolean => names.length === 0 || names.includes(rule);
  const decides = (rule: string): boolean => (names.length === 0 ? stateRules.includes(rule) : names.includes(rule));
  return [
    ...told.filter(({ state, rule }) => state === 'unknown' && decides(rule.name)).map(({ title }) => inert(title)),
    ...judged.flatMap(({ rule, verdicts, isPartial }) => {
      if (verdicts === undefined && isAsked(rule.name)) return [`${rule.name} failed`];
      return isPartial === true && names.includes(rule.name) ? [`${rule.name} does not know all its subjects`] : [];
    }),
    ...(names.length > 0 ? [] : lost.map((one) => `not read: ${one}`)),
    ...(view.head === undefined ? ['no endpoint reports the head of the chain'] : []),
    ...(told.length === 0 ? [`no rule judges ${subjects.length === 0 ? 'anything' : subjects.join(', ')}`] : []),
  ];
};

/** The most severe firing verdict, otherwise unknown if there are doubts. */
const stateOf = (firing: readonly Told[], doubts: readonly string[]): PluginState => {
  const severities = firing.map(({ rule }) => rule.severity);
  if (severities.includes('critical')) return 'critical';
  if (severities.includes('warning')) return 'warning';
  return doubts.length > 0 ? 'unknown' : 'ok';
};

const shown = 3;

const order = { critical: 0, warning: 1, info: 2 } as const;

const summary = (firing: readonly Told[]): string => {
  const sorted = firing.toSorted((a, b) => order[a.rule.severity] - order[b.rule.severity]);
  const titles = sorted.slice(0, shown).map(({ title }) => inert(title));
  return `${titles.join('; ')}${sorted.length > shown ? `; and ${sorted.length - shown} more` : ''}`;
};

const quietText = (
  doubts: readonly string[],
  told: readonly Told[],
  round: SingleRound,
  unknown: readonly Told[],
): string => {
  const [first] = doubts;
  if (first !== undefined) return doubts.length === 1 ? first : `${first}; and ${doubts.length - 1} more`;
  const good = told.length - unknown.length;
  const rest = unknown.length === 0 ? '' : `, ${counted(unknown.length, 'verdict')} not known after one round`;
  const head = round.view.head;
  return `${counted(good, 'verdict')} well${rest}${head === undefined ? '' : `, block ${head.height}`}`;
};

const line = (state: PluginState, text: string, data: string): string =>
  `HUBWATCH ${state.toUpperCase()} - ${text}${data === '' ? '' : ` | ${data}`}\n`;

/** Untrusted text in a plugin's line: one line, without the character that starts the performance data. */
const inert = (text: string): string => oneLine(text).replaceAll('|', '/');

/** `'label'=value[unit];warn;crit;min;max` for each number. */
const perfdata = ({ view, requests }: SingleRound, told: readonly Told[], lost: number): string => {
  const count = (state: Verdict['state']): number => told.filter((one) => one.state === state).length;
  const { head, clockMs, config, observations } = view;
  const left = config.watch.nodes.flatMap(({ address, alias }) => {
    const outcome = observations.outcome(watchedNodes, address);
    const until = outcome?.state === 'known' ? outcome.reading.node?.inactiveAt : undefined;
    if (until === undefined || head === undefined) return [];
    return [datum(`${alias ?? address} left`, Math.round((msOf(until) - head.timeMs) / 1_000), 's')];
  });
  return [
    datum('firing', count('firing')),
    datum('unknown', count('unknown')),
    datum('ok', count('ok')),
    datum('not read', lost),
    datum('requests', requests),
    ...(head === undefined
      ? []
      : [datum('height', Number(head.height)), datum('block age', Math.round((clockMs - head.timeMs) / 1_000), 's')]),
    ...left,
  ].join(' ');
};

const datum = (label: string, value: number, unit = ''): string =>
  `${/^\w+$/.test(label) ? label : `'${label.replaceAll(/['=|]/g, '_')}'`}=${value}${unit}`;
