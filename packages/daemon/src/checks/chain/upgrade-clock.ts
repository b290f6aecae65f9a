import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import type { Check, CollectContext, Target } from '../check.js';
import { gauge, info, type Sample, sample } from '../family.js';
import { arrivalMs, type BlockPace, readPace } from './block-pace.js';
import { chainTargets } from './chain-target.js';
import { type BinaryFound, findUpgradeBinary } from './upgrade-folder.js';

/** An upgrade that the chain has scheduled. */
export interface PlannedUpgrade {
  readonly name: string;
  readonly height: bigint;
  /** `undefined` if no endpoint has enough blocks to measure the pace. */
  readonly pace: BlockPace | undefined;
  /** Chain time at which the height is expected, in milliseconds. */
  readonly expectedMs: number | undefined;
  /** The same for the fastest and the slowest part of the window. */
  readonly soonestMs: number | undefined;
  readonly latestMs: number | undefined;
  /** By name of the own endpoint, for endpoints with a configured folder. */
  readonly binaries: ReadonlyMap<string, BinaryFound>;
}

export interface UpgradeReading {
  /** `undefined` if no upgrade is planned. */
  readonly plan: PlannedUpgrade | undefined;
  readonly height: bigint | undefined;
}

const planInfo = info('hub_upgrade_plan_info', ['name'], 'Planned upgrade; absent without one');
const planHeight = gauge('hub_upgrade_plan_height', [], 'Height of the planned upgrade; absent without one');
const estimated = gauge(
  'hub_upgrade_plan_estimated_timestamp_seconds',
  [],
  'When that height is expected, from the pace of up to the last 10 000 blocks',
);
const binaryPresent = gauge(
  'hub_upgrade_plan_binary_present',
  ['endpoint'],
  '1 if the program of the planned upgrade is in the configured folder, 0 if it is not; absent if unknown',
);

const collect = async (_target: Target, { pool, config, signal }: CollectContext): Promise<UpgradeReading> => {
  const { plan, height } = await pool.read('upgrade plan', signal, async (source) => {
    const answer = await source.call(currentPlan, {});
    return { plan: answer.message.plan, height: answer.height };
  });
  if (plan === undefined) return { plan: undefined, height };
  const head = pool.head();
  // At or above the planned height there is nothing to predict: the chain waits there.
  const isAhead = head !== undefined && plan.height > head.height;
  const pace = isAhead ? await readPace(pool.usable(), head, signal) : undefined;
  const at = (msPerBlock: number | undefined) =>
    head === undefined || msPerBlock === undefined ? undefined : arrivalMs(head, plan.height, { msPerBlock });
  const folders = config.endpoints.flatMap(({ name, upgrades }) =>
    upgrades === undefined ? [] : [{ name, upgrades }],
  );
  const binaries = await Promise.all(
    folders.map(async ({ name, upgrades }) => [name, await findUpgradeBinary(upgrades, plan.name)] as const),
  );
  return {
    plan: {
      name: plan.name,
      height: plan.height,
      pace,
      expectedMs: at(pace?.msPerBlock),
      soonestMs: at(pace?.fastestMs),
      latestMs: at(pace?.slowestMs),
      binaries: new Map(binaries),
    },
    height,
  };
};

const metrics = (_target: Target, { plan }: UpgradeReading): readonly Sample[] =>
  plan === undefined
    ? []
    : [
        sample(planInfo, [plan.name], 1),
        sample(planHeight, [], Number(plan.height)),
        ...(plan.expectedMs === undefined ? [] : [sample(estimated, [], plan.expectedMs / 1_000)]),
        ...[...plan.binaries].flatMap(([endpoint, { isPresent }]) =>
          isPresent === undefined ? [] : [sample(binaryPresent, [endpoint], isPresent ? 1 : 0)],
        ),
      ];

/** The planned upgrade, when its height is expected, and whether the own node is prepared for it. */
export const upgradeClock: Check<Target, UpgradeReading> = {
  name: 'upgrade',
  families: [planInfo, planHeight, estimated, binaryPresent],
  everyMs: (config) => config.poll.network,
  targets: chainTargets,
  collect,
  metrics,
};
