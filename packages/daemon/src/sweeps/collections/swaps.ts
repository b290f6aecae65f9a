import { querySwaps } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { gauge, sample } from '../../checks/family.js';
import { sumsOf } from '../sums.js';
import type { Sweep } from '../sweep.js';

const count = gauge('hub_swaps', [], 'Swaps that the chain has a record of', 'sweep');

/** Swap records. */
export const swaps: Sweep<typeof querySwaps> = {
  collection: 'swaps',
  method: querySwaps,
  families: [count],
  add: (_swap, sums) => sums.count('swaps', ''),
  samples: (sums) => [sample(count, [], Number(sumsOf(sums, 'swaps').get('') ?? 0n))],
};
