import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { decToScaled } from '@hubwatch/types/runtime/dec';

/** Why the chain would refuse a price in a registration or an update. Stored prices are not checked again. */
export type PriceRefusal =
  /** The list of minimums is empty, which allows no denomination. */
  'no_denom_allowed' | 'denom_not_allowed' | 'below_minimum';

/**
 * Why an update with this price is refused by the minimum prices of its unit; `undefined` if it passes. A value of zero
 * always passes if its denomination is in the list.
 */
export const priceRefusal = (
  { denom, baseValue, quoteValue }: Price,
  minimums: readonly Price[],
): PriceRefusal | undefined => {
  if (minimums.length === 0) return 'no_denom_allowed';
  const minimum = minimums.find((one) => one.denom === denom);
  if (minimum === undefined) return 'denom_not_allowed';
  const isBelow = (value: bigint, least: bigint): boolean => value !== 0n && value < least;
  const base = isBelow(BigInt(decToScaled(baseValue)), BigInt(decToScaled(minimum.baseValue)));
  return base || isBelow(BigInt(quoteValue), BigInt(minimum.quoteValue)) ? 'below_minimum' : undefined;
};
