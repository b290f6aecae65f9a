import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicy, RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { decToScaled } from '@hubwatch/types/runtime/dec';
import { shortText } from '../enum-text.js';
import { boundless, openWords, type Purse } from './purse.js';
import { quotedPrice } from './quoted-price.js';
import type { RenewalBlocker } from './renewal-blockers.js';
import { isAllowed, priceStep } from './renewal-policy.js';
import { amountText } from '../words.js';

/**
 * Facts that the chain checks at the end of a term. A value that could not be read is `undefined` and leaves the result open.
 */
export interface RenewalFacts {
  readonly providerStatus: Status | undefined;
  readonly node: Pick<Node, 'status' | 'hourlyPrices'> | undefined;
  readonly params: Pick<Params, 'minHours' | 'maxHours'> | undefined;
  readonly assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[];
  /** Balance of the provider's account in the lease's denomination at the end of the term. */
  readonly purse: Purse | undefined;
}

/** One precondition of a renewal. */
export interface Precondition {
  /** Reason that is reported if it fails. */
  readonly reason: RenewalBlocker;
  /** `undefined` if a deciding fact is not known. */
  readonly holds: boolean | undefined;
  /** Why it fails, or which fact is not known; without a capital letter and a full stop. */
  readonly sentence: string;
}

export interface Preconditions {
  readonly preconditions: readonly Precondition[];
  /** Hourly price of the new term, if the node offers it. */
  readonly price: Price | undefined;
}

/** Preconditions of an automatic renewal: active provider and node, hours within limits, price, policy and balance. */
export const renewalPreconditions = (lease: Lease, facts: RenewalFacts): Preconditions => {
  if (lease.renewalPricePolicy === RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED) {
    return {
      price: undefined,
      preconditions: [{ reason: 'policy_off', holds: false, sentence: 'the lease has no renewal policy' }],
    };
  }
  const { node, assets } = facts;
  const price = node && quotedPrice(node.hourlyPrices, lease.price.denom, assets);
  return {
    price,
    preconditions: [
      { reason: 'policy_off', holds: true, sentence: '' },
      statusOf('provider', facts.providerStatus),
      statusOf('node', node?.status),
      term(lease, facts),
      ...prices(lease, node === undefined, price),
      balance(lease, facts, price, node === undefined),
    ],
  };
};

const statusOf = (who: 'provider' | 'node', status: Status | undefined): Precondition => {
  const reason = `${who}_inactive` as const;
  if (status === undefined) return { reason, holds: undefined, sentence: `the ${who} could not be read` };
  const holds = status === Status.STATUS_ACTIVE;
  return { reason, holds, sentence: holds ? '' : `the ${who} is ${shortText(StatusTable, status)}` };
};

const term = ({ maxHours }: Lease, { params }: RenewalFacts): Precondition => {
  const reason = 'term_out_of_bounds';
  if (params === undefined)
    return { reason, holds: undefined, sentence: 'the allowed length of a term could not be read' };
  const holds = params.minHours <= maxHours && maxHours <= params.maxHours;
  const allowed = `the chain now allows ${params.minHours} to ${params.maxHours} h`;
  return { reason, holds, sentence: holds ? '' : `a term of ${maxHours} h is no longer possible: ${allowed}` };
};

/**
 * Preconditions on the price: the node offers the lease's denomination, at most at the current price, and the policy accepts
 * the price.
 */
const prices = (lease: Lease, isUnread: boolean, price: Price | undefined): readonly Precondition[] => {
  const { denom } = lease.price;
  const reasons = ['not_sold', 'price_higher', 'policy_refuses'] as const;
  if (isUnread)
    return reasons.map((reason) => ({ reason, holds: undefined, sentence: "the node's price could not be read" }));
  if (price === undefined) {
    const sold: Precondition = { reason: 'not_sold', holds: false, sentence: `the node sells no hours in ${denom}` };
    const rest = reasons.slice(1).map((reason) => ({ reason, holds: undefined, sentence: 'there is no price' }));
    return [sold, ...rest];
  }
  const step = priceStep(price, lease.price);
  const policy = shortText(RenewalPricePolicyTable, lease.renewalPricePolicy);
  const isTaken = isAllowed(lease.renewalPricePolicy, step);
  const [next, present] = [priceText(price, denom), priceText(lease.price, denom)];
  const refusal =
    isTaken === undefined
      ? `the policy ${policy} is not known to this version`
      : `the policy ${policy} refuses ${next} an hour after ${present}`;
  return [
    { reason: 'not_sold', holds: true, sentence: '' },
    {
      reason: 'price_higher',
      holds: step !== 'higher',
      sentence: step === 'higher' ? `the node asks ${next} an hour, more than the ${present} of the lease` : '',
    },
    { reason: 'policy_refuses', holds: isTaken, sentence: isTaken === true ? '' : refusal },
  ];
};

const balance = (
  { maxHours, price: { denom } }: Lease,
  { purse }: RenewalFacts,
  price: Price | undefined,
  isUnread: boolean,
): Precondition => {
  const reason = 'balance_short';
  if (price === undefined) {
    const sentence = isUnread ? "the node's price could not be read" : 'there is no price';
    return { reason, holds: undefined, sentence };
  }
  const need = maxHours * BigInt(price.quoteValue);
  if (need === 0n) return { reason, holds: true, sentence: '' };
  if (purse === undefined) return { reason, holds: undefined, sentence: "the provider's balance could not be read" };
  if (need <= purse.least) return { reason, holds: true, sentence: '' };
  const cost = `${maxHours} h x ${amountText(price.quoteValue, denom)} = ${amountText(need, denom)}`;
  const balanceText = balanceOf(purse, denom);
  if (need <= purse.most) {
    const matters = [...purse.open.keys()].map((matter) => openWords[matter]);
    return { reason, holds: undefined, sentence: `whether ${balanceText} covers ${cost} depends on ${list(matters)}` };
  }
  return { reason, holds: false, sentence: `${balanceText} does not cover ${cost}` };
};

/** Describes the future balance and how it results from the current one. */
const balanceOf = ({ most, open, renewals, income }: Purse, denom: string): string => {
  const mayGrow = open.has('hours') || open.has('subscriptions');
  const left = renewals === 1 ? 'the renewal before it leaves' : `the ${renewals} renewals before it leave`;
  return [
    most >= boundless
      ? "the provider's balance"
      : `the provider's balance ${mayGrow ? 'of at most ' : ''}${amountText(most, denom)}`,
    renewals === 0 ? '' : ` that ${left}`,
    income === 0n ? '' : `, with ${amountText(income, denom)} that come in before it,`,
  ].join('');
};

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const priceText = ({ quoteValue, baseValue }: Price, denom: string): string =>
  BigInt(decToScaled(baseValue)) === 0n
    ? amountText(quoteValue, denom)
    : `${amountText(quoteValue, denom)} (base value ${baseValue})`;
