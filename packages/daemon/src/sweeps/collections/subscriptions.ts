import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { querySubscriptions } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { shortText } from '../../enum-text.js';
import { countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(querySubscriptions, only(Subscription, 'status'));

const count = gauge('hub_subscriptions', ['status'], 'Subscriptions of the whole network', 'sweep');

/** Subscriptions by status. */
export const subscriptions: ListSweep<typeof list> = {
  collection: 'subscriptions',
  method: list,
  families: [count],
  add: ({ status }, sums) => sums.count('subscriptions', shortText(StatusTable, status)),
  samples: (sums) => countedSamples(count, sums, 'subscriptions', ['active', 'inactive_pending']),
};
