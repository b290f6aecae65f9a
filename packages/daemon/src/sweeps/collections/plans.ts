import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { gauge } from '../../checks/family.js';
import { enumText } from '../../enum-text.js';
import { countedSamples } from '../counted-samples.js';
import type { Sweep } from '../sweep.js';

const count = gauge('hub_plans', ['status'], 'Plans of the whole network', 'sweep');

/** Plans by status. */
export const plans: Sweep<typeof queryPlans> = {
  collection: 'plans',
  method: queryPlans,
  families: [count],
  add: ({ status }, sums) => sums.count('plans', enumText(StatusTable, status)),
  samples: (sums) => countedSamples(count, sums, 'plans', ['active', 'inactive']),
};
