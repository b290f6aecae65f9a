import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { shortText } from '../../enum-text.js';
import { countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(queryPlans, only(Plan, 'status'));

const count = gauge('hub_plans', ['status'], 'Plans of the whole network', 'sweep');

/** Plans by status. */
export const plans: ListSweep<typeof list> = {
  collection: 'plans',
  method: list,
  families: [count],
  add: ({ status }, sums) => sums.count('plans', shortText(StatusTable, status)),
  samples: (sums) => countedSamples(count, sums, 'plans', ['active', 'inactive']),
};
