import { Provider } from '@hubwatch/types/gen/forms/hub/provider/v2/provider';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryProviders } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { shortText } from '../../enum-text.js';
import { countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(queryProviders, only(Provider, 'status'));

const count = gauge('hub_providers', ['status'], 'Providers of the whole network', 'sweep');

/** Providers by status. */
export const providers: ListSweep<typeof list> = {
  collection: 'providers',
  method: list,
  families: [count],
  add: ({ status }, sums) => sums.count('providers', shortText(StatusTable, status)),
  samples: (sums) => countedSamples(count, sums, 'providers', ['active', 'inactive']),
};
