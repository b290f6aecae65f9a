import { seconds } from '../../checks/prometheus.js';
import { utc } from '../../words.js';
import type { Rule } from '../rule.js';
import { binaryLines, expectedText, isReached, judgeUpgrade, nowOf, planName } from './planned-upgrade.js';

const soonMs = 86_400_000;
/** Number of blocks before and after the height in which the chain is expected to halt. */
const windowAround = 20n;

/** An upgrade is planned. Reported once for each plan; ends when the upgrade is done or cancelled. */
export const upgradeScheduled: Rule = {
  name: 'HubUpgradeScheduled',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: 'hub_upgrade_plan_info == 1',
    labels: ['name'],
    summary: 'Upgrade {{ $labels.name }} is planned',
    description:
      'The chain halts at the height in `hub_upgrade_plan_height` until enough validators run the new release. No deadline passes during the halt, but every deadline that falls into it passes in the first block afterwards. Full nodes without the new release stop at this height: prepare it on all of them.',
  },
  evaluate: (view) =>
    judgeUpgrade(view, 'no upgrade is planned (any more)', (plan, base) => ({
      ...base,
      state: 'firing',
      title: `${base.subject}: upgrade ${planName(plan)} at height ${plan.height}`,
      text: [
        expectedText(plan),
        '',
        'The chain stops at that height until enough validators run the new program; your full nodes need it too, and stop there without it. While the chain is halted no deadline passes; in its first block all do that lie in the pause.',
        ...binaryLines(plan),
      ].join('\n'),
    })),
};

/** The planned height is expected within a day. */
export const upgradeSoon: Rule = {
  name: 'HubUpgradeSoon',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `hub_upgrade_plan_estimated_timestamp_seconds - hub_head_timestamp_seconds < ${seconds(soonMs)}
  or hub_head_height >= hub_upgrade_plan_height`,
    labels: [],
    summary: 'A chain upgrade is due within a day, or its height is reached',
    description:
      'Full nodes without the new release stop at the upgrade height. Install it on every full node. `hub_upgrade_plan_info` shows the name of the upgrade.',
  },
  evaluate: (view) =>
    judgeUpgrade(view, 'no upgrade is near', (plan, base) => {
      const passed = isReached(view, plan) === true;
      if ((plan.expectedMs === undefined || view.head === undefined) && !passed)
        return { ...base, state: 'unknown', title: `${base.subject}: when its upgrade comes is not known`, text: '' };
      const expectedMs = plan.expectedMs ?? nowOf(view);
      if (expectedMs - nowOf(view) >= soonMs)
        return {
          ...base,
          state: 'ok',
          title: `${base.subject}: upgrade ${planName(plan)} is expected at ${utc(expectedMs)}`,
          text: '',
        };
      return {
        ...base,
        state: 'firing',
        title: passed
          ? `${base.subject}: the height of upgrade ${planName(plan)} is reached`
          : `${base.subject}: upgrade ${planName(plan)} is expected at ${utc(expectedMs)}`,
        text: [...(passed ? [] : [expectedText(plan)]), ...binaryLines(plan)].join('\n'),
      };
    }),
};

/** The chain is within twenty blocks of the planned height: a halt now is the planned one. */
export const upgradeWindow: Rule = {
  name: 'HubUpgradeWindow',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `abs(hub_upgrade_plan_height - hub_head_height) < ${windowAround}`,
    labels: [],
    summary: 'The chain has reached its upgrade height',
    description:
      'A halt at this height is expected. The chain continues when enough validators run the new release. Check that your full nodes run it.',
  },
  evaluate: (view) =>
    judgeUpgrade(view, 'the upgrade is behind', (plan, base) => {
      const head = view.head?.height;
      if (head === undefined)
        return { ...base, state: 'unknown', title: `${base.subject}: its height is not known`, text: '' };
      const away = head > plan.height ? head - plan.height : plan.height - head;
      return away < windowAround
        ? {
            ...base,
            state: 'firing',
            title: `${base.subject}: at the height of upgrade ${planName(plan)}: ${head} of ${plan.height}`,
            text: 'A halt now is the planned one.',
          }
        : { ...base, state: 'ok', title: `${base.subject}: away from the height of its upgrade`, text: '' };
    }),
};
