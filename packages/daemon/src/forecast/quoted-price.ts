import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { decToScaled, zeroDec, zeroInt } from '@hubwatch/types/runtime/dec';

const oneSquared = 10n ** 36n;

/**
 * The price of a list in a denomination, as the chain charges it now; `undefined` when the list does not sell in it. An
 * empty list sells for nothing in every denomination. A base value is converted at the asset's spot price; a conversion
 * that gives nothing leaves the declared quote value. @source hub messages §5.2 and §5.8
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
