import { type PlannedUpgrade, upgradeClock } from '../../checks/chain/upgrade-clock.js';
import { windowBlocks } from '../../checks/chain/block-pace.js';
import type { Verdict } from '../../checks/verdict.js';
import { networkName } from '../../config/network-name.js';
import { cut, utc } from '../../words.js';
import type { RuleView } from '../rule.js';

/** The planned upgrade; `none` if the chain has none, `undefined` while this is not known. */
export const upgradeOf = ({ config, observations }: RuleView): PlannedUpgrade | 'none' | undefined => {
  const outcome = observations.outcome(upgradeClock, networkName(config));
  return outcome?.state === 'known' ? (outcome.reading.plan ?? 'none') : undefined;
};

/** Term of alerts about an upgrade: another name or height is another upgrade. */
export const upgradeTerm = ({ name, height }: PlannedUpgrade): string => `${cut(name, 100)} ${height}`;

/** Current time for an upgrade plan: block time, or the daemon's clock while block time is not known. */
export const nowOf = ({ head, clockMs }: RuleView): number => head?.timeMs ?? clockMs;

export const planName = ({ name }: PlannedUpgrade): string => cut(name, 80);

/** Whether the chain has reached the height of the plan; `undefined` while its head is not known. */
export const isReached = ({ head }: RuleView, { height }: PlannedUpgrade): boolean | undefined =>
  head === undefined ? undefined : head.height >= height;

/** Verdict of a rule about the planned upgrade; `none` is its text if there is none. */
export const judgeUpgrade = (
  view: RuleView,
  none: string,
  judge: (plan: PlannedUpgrade, base: Pick<Verdict, 'subject' | 'term'>) => Verdict,
): readonly [Verdict] => {
  const subject = networkName(view.config);
  const plan = upgradeOf(view);
  if (plan === undefined)
    return [{ subject, term: '', state: 'unknown', title: `${subject}: the upgrade plan is not known`, text: '' }];
  if (plan === 'none') return [{ subject, term: '', state: 'ok', title: `${subject}: ${none}`, text: '' }];
  return [judge(plan, { subject, term: upgradeTerm(plan) })];
};

/** Expected time of the upgrade, the basis of this prediction, and its range. */
export const expectedText = ({ pace, expectedMs, soonestMs, latestMs }: PlannedUpgrade): string => {
  if (pace === undefined || expectedMs === undefined)
    return 'The time is unknown: no endpoint has a hundred blocks before the latest.';
  const window =
    pace.blocks >= windowBlocks
      ? `the last ${pace.blocks} blocks`
      : `the last ${pace.blocks} blocks, the most that any endpoint holds of the ${windowBlocks} asked for`;
  const limits =
    soonestMs === undefined || latestMs === undefined || latestMs - soonestMs < 120_000
      ? ''
      : ` Parts of that window put it between ${utc(soonestMs)} and ${utc(latestMs)}.`;
  return `Expected at ${utc(expectedMs)}, at the ${(pace.msPerBlock / 1_000).toFixed(2)} s a block of ${window}.${limits}`;
};

export const binaryLines = ({ binaries }: PlannedUpgrade): readonly string[] =>
  [...binaries].map(([endpoint, { isPresent, text }]) => {
    if (isPresent === undefined) return `- ${endpoint}: not known whether its program is there: ${text}`;
    return isPresent ? `- ${endpoint}: the program is there: ${text}` : `- ${endpoint}: no program in ${text}`;
  });
