import { seconds } from '../../checks/prometheus.js';
import type { PlannedUpgrade } from '../../checks/chain/upgrade-clock.js';
import type { Verdict } from '../../checks/verdict.js';
import { utc } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';
import { isReached, planName, upgradeOf, upgradeTerm } from './planned-upgrade.js';

const neededMs = 6 * 3_600_000;

/** The binary of the upgrade is missing in the own node's folder six hours before it is needed. */
export const upgradeBinaryMissing: Rule = {
  name: 'HubUpgradeBinaryMissing',
  severity: 'critical',
  forMs: 600_000,
  time: 'clock',
  prometheus: {
    expr: `hub_upgrade_plan_binary_present == 0
  and ignoring (endpoint) (
    hub_upgrade_plan_estimated_timestamp_seconds - hub_head_timestamp_seconds < ${seconds(neededMs)}
    or hub_head_height >= hub_upgrade_plan_height
  )`,
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the binary for the planned upgrade is missing',
    description:
      'Without it the node stops at the upgrade height and serves no newer blocks. Put the release binary into the configured folder. `hub_upgrade_plan_info` shows the name of the upgrade.',
  },
  evaluate: (view) =>
    view.config.endpoints
      .filter(({ upgrades }) => upgrades !== undefined)
      .map(({ name }): Verdict => {
        const plan = upgradeOf(view);
        if (plan === undefined) return unknown(name, '', 'the upgrade plan is not known');
        if (plan === 'none')
          return { subject: name, term: '', state: 'ok', title: `${name}: no upgrade is planned`, text: '' };
        return judge(name, plan, view);
      }),
};

const unknown = (subject: string, term: string, what: string): Verdict => ({
  subject,
  term,
  state: 'unknown',
  title: `${subject}: ${what}`,
  text: '',
});

const judge = (subject: string, plan: PlannedUpgrade, view: RuleView): Verdict => {
  const base = { subject, term: upgradeTerm(plan) };
  const found = plan.binaries.get(subject);
  if (found?.isPresent === undefined) return unknown(subject, base.term, found?.text ?? 'its folder was not looked at');
  if (found.isPresent)
    return {
      ...base,
      state: 'ok',
      title: `${subject}: has the program of upgrade ${planName(plan)}`,
      text: found.text,
    };
  const reached = isReached(view, plan) === true;
  const leftMs =
    plan.expectedMs === undefined || view.head === undefined ? undefined : plan.expectedMs - view.head.timeMs;
  if (leftMs === undefined && !reached) return unknown(subject, base.term, 'when its upgrade comes is not known');
  if (!reached && leftMs !== undefined && leftMs >= neededMs)
    return { ...base, state: 'ok', title: `${subject}: the program is not needed yet`, text: '' };
  const needed = reached || plan.expectedMs === undefined ? '' : `, it is needed at ${utc(plan.expectedMs)}`;
  return {
    ...base,
    state: 'firing',
    title: `${subject}: the program of upgrade ${planName(plan)} is missing${needed}`,
    text: `No program that can be run lies in ${found.text}. Without it this node stops at height ${plan.height} and serves nothing newer. Put the release there.`,
  };
};
