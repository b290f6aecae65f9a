import { expect, test } from 'vitest';
import type { LeaseView } from './lease-view.js';
import { leaseList } from './leases-part.js';

const lease = (id: number, secondsLeft: number | undefined): LeaseView => ({
  id: String(id),
  node: 'sentnode1',
  provider: 'sentprov1',
  price: '5',
  denom: 'udvpn',
  hours: 9,
  hoursPaid: 1,
  ends: undefined,
  secondsLeft,
  nextPayout: undefined,
  locked: undefined,
  refunds: undefined,
  renewal: undefined,
  renewalPolicy: 'unspecified',
});

test('lease list: leases that end first are shown, and the rest are counted', () => {
  const leases = [lease(1, undefined), lease(2, 900), lease(3, 60), lease(4, 7_200)];
  const { html } = leaseList('node', leases, { count: 9, most: 3 });
  expect([...html.matchAll(/<li>lease (\d)/g)].map(([, id]) => id)).toEqual(['3', '2', '4']);
  expect(html).toContain('<summary>9 leases, 20 udvpn an hour');
  expect(html).toContain('and 6 more');
});
