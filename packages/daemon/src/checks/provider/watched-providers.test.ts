import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint, type Replies } from '../../../test/fake-endpoint.js';
import { leaseOf, leaseReplies, priceOf } from '../../../test/lease-records.js';
import { nodeAddressOf, providerAddress, testParts } from '../../../test/parts.js';
import { providerTargets, watchedProviders } from './watched-providers.js';

const look = async (replies: Replies, asked: (bigint | undefined)[] = []) => {
  const fake = fakeEndpoint();
  for (const [method, reply] of Object.entries(replies)) {
    fake.queries[method] = (request: unknown, height: bigint | undefined) => {
      asked.push(height);
      fake.height += 1n;
      return typeof reply === 'function' ? (reply as (one: unknown, two: unknown) => unknown)(request, height) : reply;
    };
  }
  const parts = testParts({ own: fake });
  const [target] = providerTargets(parts.config);
  if (target === undefined) throw new Error('no provider is watched');
  const reading = await watchedProviders.collect(target, parts);
  const lines = watchedProviders
    .metrics(target, reading)
    .map(({ family, labels, value }) => `${family.name}{${labels.join()}} ${value}`);
  return { reading, lines };
};

test('watched providers: status, leases, deposit and the required deposit', async () => {
  const leases = [leaseOf(), leaseOf({ id: 5n, hours: 24n }), leaseOf({ id: 6n, price: priceOf(0, '') })];
  const { lines } = await look(leaseReplies({ leases, deposit: 2_500 }));
  expect(lines).toEqual([
    `hub_provider_status{${providerAddress},unspecified} 0`,
    `hub_provider_status{${providerAddress},active} 1`,
    `hub_provider_status{${providerAddress},inactive_pending} 0`,
    `hub_provider_status{${providerAddress},inactive} 0`,
    `hub_provider_leases{${providerAddress}} 3`,
    `hub_provider_deposit_amount{${providerAddress},udvpn} 2500`,
    `hub_provider_committed_amount{${providerAddress},udvpn} 2300`,
  ]);
});

test('watched providers: a lease is reported here if its node is not watched, and never twice', async () => {
  const leases = [leaseOf(), leaseOf({ id: 5n, nodeAddress: nodeAddressOf(7) })];
  const { lines } = await look(leaseReplies({ leases }));
  expect(lines.filter((line) => line.startsWith('hub_lease_info'))).toEqual([
    `hub_lease_info{5,${nodeAddressOf(7)},${providerAddress},udvpn,always} 1`,
  ]);
});

test('watched providers: record, deposit and leases are from one height, even while new blocks arrive', async () => {
  const asked: (bigint | undefined)[] = [];
  const { reading } = await look(leaseReplies({ leases: [leaseOf()] }), asked);
  expect(asked).toEqual([undefined, 101n, 101n]);
  expect(reading.height).toBe(101n);
});

test('watched providers: without a record there is no status, without a deposit the sum is 0', async () => {
  const none = new HubError({ code: 'not_found', message: 'no such record' });
  const { lines } = await look({
    ...leaseReplies({ leases: [leaseOf()] }),
    'hub.provider.v2.QueryService/QueryProvider': none,
    'hub.deposit.v1.QueryService/QueryDeposit': none,
  });
  expect(lines).toEqual([
    `hub_provider_leases{${providerAddress}} 1`,
    `hub_provider_deposit_amount{${providerAddress},udvpn} 0`,
    `hub_provider_committed_amount{${providerAddress},udvpn} 2300`,
  ]);
});
