import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { decToScaled } from '@hubwatch/types/runtime/dec';
import type { Dec } from '@hubwatch/types/runtime/values';

/** How the new price of a renewal compares with the current one. */
export type PriceStep = 'lower' | 'equal' | 'higher';

/** Compares prices in one denomination as the chain does: by base value if either has one, otherwise by quote value. */
export const priceStep = (next: Price, present: Price): PriceStep => {
  const [base, presentBase] = [scaled(next.baseValue), scaled(present.baseValue)];
  const [after, before] =
    base === 0n && presentBase === 0n ? [BigInt(next.quoteValue), BigInt(present.quoteValue)] : [base, presentBase];
  return after < before ? 'lower' : after > before ? 'higher' : 'equal';
};

const scaled = (value: Dec): bigint => BigInt(decToScaled(value));

const allowed: Readonly<Record<number, readonly PriceStep[]>> = {
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED]: [],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_LESSER]: ['lower'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_LESSER_OR_EQUAL]: ['lower', 'equal'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_EQUAL]: ['equal'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_NOT_EQUAL]: ['lower', 'higher'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_GREATER]: ['higher'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_GREATER_OR_EQUAL]: ['equal', 'higher'],
  [RenewalPricePolicy.RENEWAL_PRICE_POLICY_ALWAYS]: ['lower', 'equal', 'higher'],
};

/**
 * Whether a policy allows a renewal at such a price; `undefined` for a policy that this version does not know.
 */
export const isAllowed = (policy: RenewalPricePolicy, step: PriceStep): boolean | undefined =>
  typeof policy === 'number' ? allowed[policy]?.includes(step) : undefined;
