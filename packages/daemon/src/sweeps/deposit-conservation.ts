import { gauge, type Sample, sample } from '../checks/family.js';
import { compareDeposits } from '../forecast/deposits.js';
import { beyond, sumsOf } from './sums.js';
import type { SweptList } from './sweep-store.js';

/** Excess of all deposits over the amounts that they are reserved for. */
export const depositDifference = gauge(
  'hub_deposit_difference_amount',
  ['denom'],
  'Deposits of all accounts minus those of sessions and leases, at one height; any value but 0 means that a reading is wrong',
  'sweep',
);

/** Deposits of one denomination, compared with the amounts that they are reserved for. */
export interface DepositBalance {
  readonly denom: string;
  readonly deposits: bigint;
  /** Deposits of node sessions that are not settled yet. */
  readonly sessions: bigint;
  /** Hours of leases that are not paid yet. */
  readonly leases: bigint;
  /** Deposits minus the reserved amounts: 0 if the data are consistent. */
  readonly difference: bigint;
}

export interface DepositConservation {
  readonly height: bigint;
  readonly balances: readonly DepositBalance[];
}

/**
 * Compares the sum of all deposits with the amounts that sessions and leases require. On the chain both are equal, so a
 * difference means incomplete data. `undefined` if the three lists are not from one height of one endpoint, have too many
 * denominations to be tracked separately, or contain a session of an unknown kind.
 */
export const depositConservation = (lists: readonly SweptList[]): DepositConservation | undefined => {
  const of = (name: string): SweptList | undefined => lists.find(({ collection }) => collection === name);
  const [deposits, sessions, leases] = [of('deposits'), of('sessions'), of('leases')];
  if (deposits === undefined || sessions === undefined || leases === undefined) return undefined;
  if ([sessions, leases].some((one) => one.height !== deposits.height || one.endpoint !== deposits.endpoint))
    return undefined;
  const sides = [
    sumsOf(deposits.sums, 'deposits'),
    sumsOf(sessions.sums, 'deposits'),
    sumsOf(leases.sums, 'committed'),
  ] as const;
  if (sides.some((side) => side.has(beyond)) || sumsOf(sessions.sums, 'unknown').size > 0) return undefined;
  const [, ofSessions, ofLeases] = sides;
  return {
    height: deposits.height,
    balances: [...compareDeposits(...sides)].map(([denom, { held, expected }]) => ({
      denom,
      deposits: held,
      sessions: ofSessions.get(denom) ?? 0n,
      leases: ofLeases.get(denom) ?? 0n,
      difference: held - expected,
    })),
  };
};

/** One series for each denomination that has its own by configuration, and the greatest difference of the others. */
export const differenceSamples = (
  conservation: DepositConservation | undefined,
  denoms: readonly string[],
): readonly Sample[] => {
  if (conservation === undefined) return [];
  const { balances } = conservation;
  const others = balances.filter(({ denom }) => !denoms.includes(denom)).map(({ difference }) => Number(difference));
  const difference = (denom: string): bigint => balances.find((one) => one.denom === denom)?.difference ?? 0n;
  return [
    ...denoms.map((denom) => sample(depositDifference, [denom], Number(difference(denom)))),
    ...(others.length === 0
      ? []
      : [
          sample(
            depositDifference,
            ['other'],
            others.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most)),
          ),
        ]),
  ];
};
