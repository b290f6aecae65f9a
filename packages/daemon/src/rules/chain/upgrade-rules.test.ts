import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verdictsOf } from '../../../test/rule-view.js';
import { fakeEndpoint, time } from '../../../test/fake-endpoint.js';
import { temporaryFolder, testParts } from '../../../test/parts.js';
import { upgradeClock } from '../../checks/chain/upgrade-clock.js';
import { findUpgradeBinary } from '../../checks/chain/upgrade-folder.js';
import { parseConfig } from '../../config/load.js';
import { createObservations } from '../../observations/observations.js';
import type { Rule, RuleView } from '../rule.js';
import { upgradeBinaryMissing } from './upgrade-binary-missing.js';
import { upgradeScheduled, upgradeSoon, upgradeWindow } from './upgrade-rules.js';

const start = 1_800_000_000_000;
const hour = 3_600_000;
const blockMs = 6_000;
const planHeight = 1_000_000n;

/** A chain of 6 s blocks, with or without a plan, a given number of hours before its height. */
const chain = (plan: { readonly name: string } | undefined, folder?: string) => {
  const fake = fakeEndpoint(['grpc', 'rpc']);
  const parts = testParts({ own: fake });
  const config = parseConfig(
    `network: {chain_id: hub-test}\nendpoints: [{name: own, role: own, grpc: "127.0.0.1:1"${folder === undefined ? '' : `, upgrades: ${folder}`}}]`,
  );
  const observations = createObservations([upgradeClock], config);
  const [target] = upgradeClock.targets(config);
  if (target === undefined) throw new Error('no target');
  fake.queries['stack.upgrade.v1beta1.Query/CurrentPlan'] = { plan: plan && { ...plan, height: planHeight } };
  return {
    fail: () =>
      observations.record(upgradeClock, target, {
        state: 'failed',
        reason: 'timeout',
        text: 'late',
        moment: parts.moment,
      }),
    async at(hoursLeft: number) {
      const height = planHeight - BigInt(Math.round((hoursLeft * hour) / blockMs));
      fake.height = height;
      fake.rpc['header'] = ({ height: asked }: { height: bigint }) => ({
        header: { time: time(start - Number(height - asked) * blockMs) },
      });
      parts.clock.advance(start - parts.clock.nowMs());
      parts.pool.report('own', { chainId: 'hub-test', height, timeMs: start, catchingUp: false });
      const reading = await upgradeClock.collect(target, { ...parts, config });
      observations.record(upgradeClock, target, { state: 'known', reading, moment: parts.moment });
      return {
        reading,
        lines: upgradeClock
          .metrics(target, reading)
          .map(({ family, labels, value }) => `${family.name}{${labels.join()}} ${value}`),
        judge: (rule: Rule) =>
          verdictsOf(rule, {
            config,
            observations,
            head: { height, timeMs: start },
            clockMs: start,
          } as unknown as RuleView)[0],
      };
    },
    judge: (rule: Rule) => verdictsOf(rule, { config, observations, clockMs: start } as unknown as RuleView)[0],
  };
};

const folderWith = (name: string, mode = 0o755, text = 'program'): string => {
  const folder = join(temporaryFolder(), 'upgrades');
  mkdirSync(join(folder, name, 'bin'), { recursive: true });
  writeFileSync(join(folder, name, 'bin', 'hubd'), text);
  chmodSync(join(folder, name, 'bin', 'hubd'), mode);
  return folder;
};

test('upgrade: without a plan there is no series and no alert; an unread plan is unknown', async () => {
  const world = chain(undefined);
  const { lines, judge } = await world.at(10);
  expect(lines).toEqual([]);
  for (const rule of [upgradeScheduled, upgradeSoon, upgradeWindow]) expect(judge(rule)?.state).toBe('ok');
  world.fail();
  for (const rule of [upgradeScheduled, upgradeSoon, upgradeWindow]) expect(world.judge(rule)?.state).toBe('unknown');
});

test('upgrade: a plan is reported with the time predicted from the pace of the last 10,000 blocks', async () => {
  const { lines, judge } = await chain({ name: 'v13_0_0' }).at(48);
  expect(lines).toEqual([
    'hub_upgrade_plan_info{v13_0_0} 1',
    'hub_upgrade_plan_height{} 1000000',
    `hub_upgrade_plan_estimated_timestamp_seconds{} ${(start + 48 * hour) / 1_000}`,
  ]);
  const verdict = judge(upgradeScheduled);
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'hub-test: upgrade v13_0_0 at height 1000000',
    term: 'v13_0_0 1000000',
  });
  expect(verdict?.text).toContain(
    'Expected at 2027-01-17 08:00:00 UTC, at the 6.00 s a block of the last 10000 blocks.',
  );
  expect(judge(upgradeSoon)?.state).toBe('ok');
  expect(judge(upgradeWindow)?.state).toBe('ok');
});

test.each([
  [24, 'ok', 'ok'],
  [23.9, 'firing', 'ok'],
  [0.1, 'firing', 'ok'],
  [0.03, 'firing', 'firing'],
  [0, 'firing', 'firing'],
  [-0.02, 'firing', 'firing'],
])('upgrade: %s h before its height: soon is %s, window is %s', async (hours, soon, window) => {
  const { judge } = await chain({ name: 'v13_0_0' }).at(hours);
  expect(judge(upgradeSoon)?.state).toBe(soon);
  expect(judge(upgradeWindow)?.state).toBe(window);
});

test('upgrade: a missing binary is reported six hours before it is needed, and not earlier', async () => {
  const folder = folderWith('other');
  expect((await chain({ name: 'v13_0_0' }, folder).at(6.1)).judge(upgradeBinaryMissing)?.state).toBe('ok');
  const { lines, judge } = await chain({ name: 'v13_0_0' }, folder).at(5.9);
  expect(lines).toContain('hub_upgrade_plan_binary_present{own} 0');
  expect(judge(upgradeBinaryMissing)).toMatchObject({
    state: 'firing',
    subject: 'own',
    title: 'own: the program of upgrade v13_0_0 is missing, it is needed at 2027-01-15 13:54:00 UTC',
  });
  expect(judge(upgradeBinaryMissing)?.text).toContain(join(folder, 'v13_0_0', 'bin'));
  const ready = await chain({ name: 'v13_0_0' }, folderWith('v13_0_0')).at(1);
  expect(ready.lines).toContain('hub_upgrade_plan_binary_present{own} 1');
  expect(ready.judge(upgradeBinaryMissing)?.state).toBe('ok');
  expect(ready.judge(upgradeScheduled)?.text).toContain('- own: the program is there: ');
});

test('upgrade: an unreadable folder is unknown, never missing', async () => {
  const { lines, judge } = await chain({ name: 'v13_0_0' }, join(temporaryFolder(), 'absent')).at(1);
  expect(lines.some((line) => line.includes('binary'))).toBe(false);
  expect(judge(upgradeBinaryMissing)?.state).toBe('unknown');
});

test.each([
  ['a file that may not be run', folderWith.bind(undefined, 'v13', 0o644), 'v13', false],
  ['an empty file', folderWith.bind(undefined, 'v13', 0o755, ''), 'v13', false],
  ['a folder in small letters', folderWith.bind(undefined, 'v13', 0o755), 'V13', true],
  ['a name with a slash, escaped', folderWith.bind(undefined, 'a%2Fb', 0o755), 'a/b', true],
  ['a name that climbs out', folderWith.bind(undefined, 'v13', 0o755), '../v13', false],
  ['a name that is the parent', folderWith.bind(undefined, 'v13', 0o755), '..', false],
])('upgrade folder: %s', async (_case, folder, plan, isPresent) => {
  expect((await findUpgradeBinary(folder(), plan)).isPresent).toBe(isPresent);
});

test('upgrade: at its height the head is reported and no time is predicted', async () => {
  const { judge, lines } = await chain({ name: 'v13_0_0' }).at(0);
  expect(lines.some((line) => line.includes('estimated'))).toBe(false);
  expect(judge(upgradeSoon)?.title).toBe('hub-test: the height of upgrade v13_0_0 is reached');
});
