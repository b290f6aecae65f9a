import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { type PriceRefusal, priceRefusal } from '../../forecast/index.js';

/** Minimum prices that the chain requires when a node is registered or updated. */
export interface PriceMinimums {
  readonly hour: readonly Price[];
  readonly gigabyte: readonly Price[];
}

export interface JudgedPrice {
  readonly unit: 'hour' | 'gigabyte';
  readonly denom: string;
  readonly price: Price;
  readonly minimum: Price | undefined;
  readonly refusal: PriceRefusal | undefined;
}

/** Every price of a node with the outcome of an update; empty while the minimums are not known. */
export const refusedPrices = (
  { hourlyPrices, gigabytePrices }: Pick<Node, 'hourlyPrices' | 'gigabytePrices'>,
  minimums: PriceMinimums | undefined,
): readonly JudgedPrice[] => {
  if (minimums === undefined) return [];
  const judge =
    (unit: keyof PriceMinimums) =>
    (price: Price): JudgedPrice[] => {
      // Invalid values from an endpoint are excluded from the comparison of amounts.
      if (!/^\d{1,80}$/.test(price.quoteValue) || !/^\d{1,60}(\.\d{1,18})?$/.test(price.baseValue)) return [];
      const refusal = priceRefusal(price, minimums[unit]);
      const minimum = minimums[unit].find(({ denom }) => denom === price.denom);
      return [{ unit, denom: price.denom, price, minimum, refusal }];
    };
  return [...hourlyPrices.flatMap(judge('hour')), ...gigabytePrices.flatMap(judge('gigabyte'))];
};

/** Explains the effect of empty lists of minimum prices; returns an empty text if no list is empty. */
export const emptyMinimumsText = (minimums: PriceMinimums | undefined): string => {
  if (minimums === undefined) return '';
  const empty = (['hour', 'gigabyte'] as const).filter((unit) => minimums[unit].length === 0);
  if (empty.length === 0) return '';
  return `The chain has no minimum prices by the ${empty.join(' or the ')}, and that allows no denomination: every update or registration that names such a price is refused until governance sets a minimum. Prices that stand are kept.`;
};
