import { expect, test } from 'vitest';
import { time } from '../../test/fake-endpoint.js';
import { nodeAddress, providerAddress } from '../../test/parts.js';
import { known } from '../checks/datum.js';
import type { LostLink } from '../checks/plan/watched-plans.js';
import type { LedgerRow } from '../ledger/ledger-row.js';
import { plansView } from './plan-view.js';

const ended = (height: bigint, changes: Partial<LedgerRow> = {}): LedgerRow => ({
  kind: 'lease_ended',
  node: nodeAddress,
  provider: providerAddress,
  account: '',
  record: String(height),
  amount: undefined,
  stakers: undefined,
  denom: undefined,
  detail: 'node_inactive',
  hours: undefined,
  height,
  position: 0,
  blockMs: 0,
  ...changes,
});

const plan = {
  id: 3n,
  provAddress: providerAddress,
  bytes: '1',
  duration: { seconds: 1n, nanos: 0 },
  prices: [],
  private: true,
  status: 1,
  statusAt: time(0),
} as const;

const causeOf = (link: Partial<LostLink>, ends: readonly LedgerRow[]) => {
  const lost = [{ node: nodeAddress, height: 100n, atMs: 0, linkedHeight: undefined, ...link }];
  const subscriptions = known({ byStatus: new Map(), ahead: new Map() });
  const { plans } = plansView(
    { plans: [{ plan, nodes: [], lost, subscriptions }], height: 100n },
    providerAddress,
    ends,
  );
  return plans[0]?.lost[0]?.lease?.id;
};

test('lost links: attributed to the lease between the two that ended while they were linked', () => {
  expect(causeOf({}, [ended(90n), ended(95n), ended(101n)])).toBe('95');
  expect(
    causeOf({}, [ended(95n, { provider: 'sentprov1other' }), ended(96n, { node: 'sentnode1other' })]),
  ).toBeUndefined();
  expect(causeOf({ linkedHeight: 95n }, [ended(95n)])).toBeUndefined();
  expect(causeOf({ linkedHeight: 94n }, [ended(95n)])).toBe('95');
  expect(causeOf({}, [])).toBeUndefined();
});
