import { expect, test } from 'vitest';
import { nodeAddress, providerAddress } from '../../../test/parts.js';
import { viewOf } from '../../../test/rule-view.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { watchedPlans } from '../../checks/plan/watched-plans.js';
import { leasesAtStake } from './leases-at-stake.js';

const lease = (id: bigint, provAddress: string, quoteValue: string, denom = 'udvpn') => ({
  id,
  provAddress,
  price: { denom, quoteValue },
  hours: 2n,
  maxHours: 6n,
});
const leases = {
  leases: [lease(1n, providerAddress, '10'), lease(2n, 'sentprov1b', '5'), lease(3n, 'sentprov1c', '7', 'uother')],
};
const plan = (id: bigint, nodes: readonly string[]) => ({ plan: { id }, nodes, lost: [] });

test('leases at stake: unpaid amounts by denomination, and the plans that the node would leave', () => {
  const textWith = (plans: unknown): string =>
    leasesAtStake(
      viewOf({
        readings: [
          [nodeLeases, nodeAddress, leases],
          [watchedPlans, providerAddress, plans],
        ],
      }),
      nodeAddress,
    );
  const known = textWith({ plans: [plan(8n, [nodeAddress]), plan(9n, ['sentnode1other'])] });
  expect(known).toContain('3 leases, 15 udvpn + 7 uother an hour in all, 60 udvpn + 28 uother not yet paid.');
  expect(known).toContain(`It would leave: plan 8 of ${providerAddress}.`);
  expect(known).toContain('It would also leave any plan of 2 providers that are not watched.');
  expect(textWith(new Error('down'))).toContain(
    `Whether it is in plans of ${providerAddress} is not known at the moment.`,
  );
});
