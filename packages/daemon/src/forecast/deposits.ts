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

/** A session of any kind, as far as its deposit goes. */
interface DepositedSession {
  readonly typeUrl: string;
  readonly value?:
    | {
        readonly baseSession: Pick<BaseSession, 'maxBytes' | 'maxDuration'> | undefined;
        readonly price?: PriceParts;
      }
    | undefined;
}

/** What the provider's deposit holds for the hours of a lease that are not paid yet. @source hub messages §5.3 */
export const heldForLease = ({
  hours,
  maxHours,
  price,
}: Pick<Lease, 'hours' | 'maxHours'> & { readonly price: PriceParts }): Amount => ({
  denom: price.denom,
  amount: maxHours > hours ? (maxHours - hours) * BigInt(price.quoteValue) : 0n,
});

/**
 * What an account's deposit holds for a session that is not settled: all that was paid in when it started, of a session that
 * uses a subscription nothing. `undefined` for one of a kind or form that is not known here. @source hub messages §5.4, §5.7
 */
export const heldForSession = ({ typeUrl, value }: DepositedSession): Amount | undefined => {
  if (value?.baseSession === undefined) return undefined;
  if (typeUrl !== '/hub.node.v3.Session') return nothing;
  if (value.price === undefined) return undefined;
  return { denom: value.price.denom, amount: sessionDeposit(value.baseSession, value.price) };
};

const nothing: Amount = { denom: '', amount: 0n };

/** Sums by denomination; what has no denomination, as the price of a lease for nothing, is no money. */
export const sumAmounts = (amounts: Iterable<Amount>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of amounts) if (denom !== '') sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  return sums;
};

/** A deposit of one denomination beside what sessions and leases make of it. */
export interface DepositSide {
  readonly held: bigint;
  readonly expected: bigint;
}

/**
 * Deposits beside what they are for, by denomination, without what is nothing on both sides. On the chain the two are equal,
 * of one account as of all of them. @source hub messages §5.7
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
