import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { decToScaled, zeroDec, zeroInt } from '@hubwatch/types/runtime/dec';

const oneSquared = 10n ** 36n;

/**
 * Price in a denomination as the chain charges it now; `undefined` if the list has no price in it. An empty list means free
 * in every denomination. A base value is multiplied by the asset's spot price and truncated; if the result is zero, the
 * declared quote value applies.
 */
export const quotedPrice = (
  list: readonly Price[],
  denom: string,
  assets: readonly Pick<Asset, 'denom' | 'spotPrice'>[],
): Price | undefined => {
  if (list.length === 0) return { denom, baseValue: zeroDec, quoteValue: zeroInt };
  const price = list.find((one) => one.denom === denom);
  if (price === undefined) return undefined;
  const base = BigInt(decToScaled(price.baseValue));
  if (base === 0n) return price;
  const asset = assets.find((one) => one.denom === denom);
  if (asset === undefined) return undefined;
  const converted = (base * BigInt(decToScaled(asset.spotPrice))) / oneSquared;
  return converted === 0n ? price : { ...price, quoteValue: String(converted) };
};
