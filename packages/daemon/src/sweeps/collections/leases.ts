import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { queryLeases } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { msOf } from '../../checks/times.js';
import { shortText, shortTexts } from '../../enum-text.js';
import { heldForLease } from '../../forecast/deposits.js';
import { amountSamples, countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(
  queryLeases,
  only(Lease, 'price', 'hours', 'maxHours', 'renewalPricePolicy', 'startAt'),
  only(Price, 'denom', 'quoteValue'),
);

const count = gauge('hub_leases', ['renewal_policy'], 'Leases of the whole network by renewal policy', 'sweep');
const ending = gauge(
  'hub_leases_ending',
  ['within'],
  'Leases whose term ends within the given time; longer times include shorter ones',
  'sweep',
);
const committed = gauge(
  'hub_lease_committed_amount',
  ['denom'],
  'Unpaid hours of all leases, in the base unit of the denomination',
  'sweep',
);

const hourMs = 3_600_000;
const terms = { '1h': hourMs, '6h': 6 * hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs } as const;

/** Leases by renewal policy and by the end of their term, and the money locked in them. */
export const leases: ListSweep<typeof list> = {
  collection: 'leases',
  method: list,
  families: [count, ending, committed],
  add(lease, sums, { chainMs }) {
    const { renewalPricePolicy, startAt, maxHours } = lease;
    sums.count('leases', shortText(RenewalPricePolicyTable, renewalPricePolicy));
    const { denom, amount } = heldForLease(lease);
    sums.add('committed', denom, amount);
    if (startAt === undefined) return;
    const leftMs = msOf(startAt) + Number(maxHours) * hourMs - chainMs;
    for (const [term, ms] of Object.entries(terms)) if (leftMs <= ms) sums.count('ending', term);
  },
  samples: (sums, { sweeps }) => [
    ...countedSamples(count, sums, 'leases', shortTexts(RenewalPricePolicyTable)),
    ...countedSamples(ending, sums, 'ending', Object.keys(terms)),
    ...amountSamples(committed, sums, 'committed', sweeps.denoms),
  ],
};
