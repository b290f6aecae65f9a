import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { BaseSession } from '@hubwatch/types/gen/forms/hub/session/v3/session';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { sessionDeposit } from './session-cost.js';

/** An amount in the base unit of its denomination. */
export interface Amount {
  readonly denom: string;
  readonly amount: bigint;
}

type PriceParts = Pick<Price, 'denom' | 'quoteValue'>;

/** Fields of a session of any kind that concern its deposit. */
interface DepositedSession {
  readonly typeUrl: string;
  readonly value?:
    | {
        readonly baseSession: Pick<BaseSession, 'maxBytes' | 'maxDuration'> | undefined;
        readonly price?: PriceParts;
      }
    | undefined;
}

/** Part of the provider's deposit that covers the unpaid hours of a lease: the hours left times the hourly price. */
export const heldForLease = ({
  hours,
  maxHours,
  price,
}: Pick<Lease, 'hours' | 'maxHours'> & { readonly price: PriceParts }): Amount => ({
  denom: price.denom,
  amount: maxHours > hours ? (maxHours - hours) * BigInt(price.quoteValue) : 0n,
});

/**
 * Part of an account's deposit that covers an unsettled session: the full amount deposited at its start, or nothing for a
 * session of a subscription. `undefined` for an unknown kind or form of session.
 */
export const heldForSession = ({ typeUrl, value }: DepositedSession): Amount | undefined => {
  if (value?.baseSession === undefined) return undefined;
  if (typeUrl !== '/hub.node.v3.Session') return nothing;
  if (value.price === undefined) return undefined;
  return { denom: value.price.denom, amount: sessionDeposit(value.baseSession, value.price) };
};

const nothing: Amount = { denom: '', amount: 0n };

/** Sums by denomination. An amount without a denomination, such as the price of a free lease, is ignored. */
export const sumAmounts = (amounts: Iterable<Amount>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of amounts) if (denom !== '') sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  return sums;
};

/** A deposit in one denomination, and the amount that sessions and leases require. */
export interface DepositSide {
  readonly held: bigint;
  readonly expected: bigint;
}

/**
 * Compares deposits with the amounts that sessions and leases require, by denomination. On the chain both are equal, for one
 * account and for all accounts together. Denominations with zero on both sides are left out.
 */
export const compareDeposits = (
  deposits: ReadonlyMap<string, bigint>,
  ...parts: readonly ReadonlyMap<string, bigint>[]
): ReadonlyMap<string, DepositSide> => {
  const denoms = [...new Set([deposits, ...parts].flatMap((sums) => [...sums.keys()]))].toSorted();
  return new Map(
    denoms.flatMap((denom): [string, DepositSide][] => {
      const held = deposits.get(denom) ?? 0n;
      const expected = parts.reduce((sum, part) => sum + (part.get(denom) ?? 0n), 0n);
      return held === 0n && expected === 0n ? [] : [[denom, { held, expected }]];
    }),
  );
};
