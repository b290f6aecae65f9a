import { Swap } from '@hubwatch/types/gen/forms/hub/swap/v1/swap';
import { querySwaps } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge, sample } from '../../checks/family.js';
import { sumsOf } from '../sums.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(querySwaps, only(Swap));

const count = gauge('hub_swaps', [], 'Swaps recorded on the chain', 'sweep');

/** Swap records. */
export const swaps: ListSweep<typeof list> = {
  collection: 'swaps',
  method: list,
  families: [count],
  add: (_swap, sums) => sums.count('swaps', ''),
  samples: (sums) => [sample(count, [], Number(sumsOf(sums, 'swaps').get('') ?? 0n))],
};
