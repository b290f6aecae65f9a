import { convertAddress } from '@hubwatch/client/address';
import type { AnySessionI } from '@hubwatch/types/gen/any/hub/session/v3/session-i';
import { queryDeposit } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { querySessionsForAccount } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import type { Config } from '../../config/schema.js';
import { readPages } from '../../endpoints/pages.js';
import {
  compareDeposits,
  type DepositSide,
  heldForLease,
  heldForSession,
  sumAmounts,
} from '../../forecast/deposits.js';
import { amountText } from '../../words.js';
import type { Check, CheckRule, Target } from '../check.js';
import { gauge, sample } from '../family.js';
import { readLeases } from '../lease/read-leases.js';
import { unlessAbsent } from '../unless-absent.js';

export interface DepositTarget extends Target {
  readonly title: string;
}

/** Deposit record of an account and the sum computed from its sessions and leases, at one height. */
export interface DepositReading {
  /** By denomination: the recorded sum and the expected sum. */
  readonly sums: ReadonlyMap<string, DepositSide>;
  /** Whether there is a session of an unknown kind, whose deposit cannot be determined. */
  readonly isPartial: boolean;
  readonly height: bigint | undefined;
}

const difference = gauge(
  'hubwatch_deposit_difference_amount',
  ['account', 'denom'],
  'Deposit of the account on the chain minus the sum over its sessions and leases; any value but 0 is a fault in this reading or in the chain',
);

/** Accounts whose deposits are checked: the configured ones and those of watched providers. */
const depositTargets = ({ watch }: Config): readonly DepositTarget[] => {
  const named = [
    ...watch.accounts.map(({ address, alias }) => ({ key: address, title: alias ?? address })),
    ...watch.providers.map(({ address, alias }) => {
      const key = convertAddress(address, 'account');
      return { key, title: alias ?? key };
    }),
  ];
  return named.filter(({ key }, index) => named.findIndex((one) => one.key === key) === index);
};

const disagrees: CheckRule<DepositTarget, DepositReading> = {
  name: 'HubwatchDepositDisagrees',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: 'hubwatch_deposit_difference_amount != 0',
    labels: ['account', 'denom'],
    summary:
      '{{ $labels.account }}: the deposit differs from the calculated one by {{ $value | printf "%.0f" }} {{ $labels.denom }}',
    description:
      'Either the daemon or the chain calculates incorrectly. Do not rely on the amounts of this account, and report this as a bug.',
    difference: 'Accounts with a session of an unknown kind have no series.',
  },
  judge({ key, title }, { sums, isPartial, height }) {
    const base = { subject: key, term: '' };
    const wrong = [...sums].filter(([, { held, expected }]) => held !== expected);
    if (wrong.length === 0 && !isPartial)
      return { ...base, state: 'ok', title: `${title}: its deposit is what sessions and leases make of it`, text: '' };
    // The deposit of an unknown session may explain the whole difference.
    if (isPartial && wrong.every(([, { held, expected }]) => held > expected))
      return { ...base, state: 'unknown', title: `${title}: has a session of an unknown kind`, text: '' };
    return {
      ...base,
      state: 'firing',
      title: `${title}: our reading and the chain disagree about its deposit`,
      text: [
        ...wrong.map(
          ([denom, { held, expected }]) =>
            `- the record holds ${amountText(held, denom)}, its sessions and leases make ${amountText(expected, denom)}`,
        ),
        `All of it was read at height ${height}. Either this program or the chain calculates wrongly. Do not rely on the amounts of this account, and report it.`,
      ].join('\n'),
    };
  },
};

/**
 * Verifies this program's own accounting. The deposit record of an account is a single sum. It must equal the deposits of the
 * account's node sessions plus the unpaid hours of its leases.
 */
export const depositTruth: Check<DepositTarget, DepositReading> = {
  name: 'deposit_truth',
  families: [difference],
  everyMs: (config) => config.poll.accounts,
  targets: depositTargets,
  collect: ({ key: address }, { pool, signal }) =>
    pool.read(`deposit ${address}`, signal, async (source) => {
      const { leases, height } = await readLeases(source, 'provider', convertAddress(address, 'provider'));
      // Without a common height the three readings show three different states, and differ for that reason alone.
      if (height === undefined) throw new Error('the answer has no height, so sums cannot be compared');
      const sessions: AnySessionI[] = [];
      const walk = { method: querySessionsForAccount, request: { address }, height };
      await readPages(source, { ...walk, items: (page) => page.sessions }, (page) => sessions.push(...page));
      const held = await unlessAbsent(source.call(queryDeposit, { address }, height));
      const coins = held?.message.deposit.coins ?? [];
      const ofSessions = sessions.map(heldForSession);
      return {
        sums: compareDeposits(
          sumAmounts(coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))),
          sumAmounts(ofSessions.filter((one) => one !== undefined)),
          sumAmounts(leases.map(heldForLease)),
        ),
        isPartial: ofSessions.includes(undefined),
        height,
      };
    }),
  metrics: ({ key }, { sums, isPartial }) =>
    isPartial
      ? []
      : [...sums].map(([denom, { held, expected }]) => sample(difference, [key, denom], Number(held - expected))),
  rules: [disagrees],
};
