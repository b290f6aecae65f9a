import { expect, test } from 'vitest';
import { priceRefusal } from './price-minimum.js';

const price = (quoteValue: string, baseValue = '0', denom = 'udvpn') => ({ denom, quoteValue, baseValue });

test.each<[string, ReturnType<typeof price>, readonly ReturnType<typeof price>[], string | undefined]>([
  ['an empty list allows no denomination', price('5'), [], 'no_denom_allowed'],
  ['an empty list does not allow zero either', price('0'), [], 'no_denom_allowed'],
  ['a denomination that is not in the list', price('5', '0', 'uother'), [price('1')], 'denom_not_allowed'],
  ['a quote value at the minimum', price('5'), [price('5')], undefined],
  ['a quote value below it', price('4'), [price('5')], 'below_minimum'],
  ['zero always passes', price('0', '0.000000000000000000'), [price('5', '0.5')], undefined],
  ['a base value at the minimum', price('0', '0.500000000000000000'), [price('5', '0.5')], undefined],
  ['a base value below it', price('9', '0.499999999999999999'), [price('5', '0.5')], 'below_minimum'],
])('price minimum: %s', (_case, one, minimums, refusal) => {
  expect(priceRefusal(one, minimums)).toBe(refusal);
});
