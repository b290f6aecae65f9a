import { expect, test } from 'vitest';
import { convertAddress } from '@hubwatch/client/address';
import { ledgerEntry } from '../../../test/ledger-records.js';
import { nodeAddress, providerAddress, temporaryStore } from '../../../test/parts.js';
import { minute, start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import { hubEntries } from '../../ledger/hub-events.js';
import { createLedgerStore } from '../../ledger/ledger-store.js';
import { planNodeUnlinked } from './plan-node-unlinked.js';

const event = (type: string, values: Record<string, string>) => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), index: true })),
});
const link = { plan_id: '8', node_address: nodeAddress, prov_address: providerAddress };
const sender = convertAddress(providerAddress, 'account');
const message = { type: 'message', attributes: [{ key: 'sender', value: sender, index: true }] };

const block = (height: bigint, begin: readonly object[], tx: readonly object[] = []) =>
  hubEntries({
    height,
    beginBlockEvents: begin,
    txsResults: [{ code: 0, events: [message, ...tx] }],
    endBlockEvents: [],
    finalizeBlockEvents: [],
  } as never);

/** Fills a ledger with the given blocks and returns the verdicts of the rule one minute after the last block. */
const said = (...blocks: readonly (readonly [bigint, readonly object[], (readonly object[])?])[]) => {
  const ledger = createLedgerStore(temporaryStore());
  for (const [height, begin, tx] of blocks)
    ledger.add(height, block(height, begin, tx), start + Number(height) * minute);
  const at = (nowMs: number) =>
    verdictsOf(planNodeUnlinked, viewOf({ nowMs, ledger: { removedLinks: () => ledger.removedLinks() } }));
  return { ledger, at, verdicts: at(start + (Number(blocks.at(-1)?.[0] ?? 0n) + 1) * minute) };
};

const unlink = event('hub.plan.v3.EventUnlinkNode', link);
const leaseEnd = event('hub.lease.v1.EventEnd', {
  lease_id: '4',
  node_address: nodeAddress,
  prov_address: providerAddress,
});

test('plan link: a removal by the provider is reported with its sender, and ends when the node is linked again', () => {
  const removed = said([5n, [], [unlink]]);
  expect(removed.verdicts).toMatchObject([
    {
      state: 'firing',
      subject: `plan-8 ${nodeAddress}`,
      term: '5',
      title: `five: removed from plan 8 of ${providerAddress}`,
    },
  ]);
  expect(removed.verdicts[0]?.text).toContain(
    `removed in block 5 (2027-01-15 08:05:00 UTC). The provider removed it with a message of its own. The transaction was sent by ${sender}, the account of ${providerAddress}.`,
  );
  expect(removed.at(start + 5 * minute + 86_400_001)).toMatchObject([{ state: 'ok', isEnded: true }]);
  const linked = said([5n, [], [unlink]], [6n, [], [event('hub.plan.v3.EventLinkNode', link)]]);
  expect(linked.verdicts).toMatchObject([
    { state: 'ok', term: '5', title: `five: linked to plan 8 of ${providerAddress} again` },
  ]);
});

test('plan link: a removal with a lease states why the lease ended', () => {
  const [verdict] = said([5n, [], [unlink, leaseEnd]]).verdicts;
  expect(verdict?.text).toContain('It went with lease 4, which the provider ended.');
  const [term] = said([5n, [unlink, leaseEnd]]).verdicts;
  expect(term?.text).toContain('It went with lease 4, which ended with its term.');
  expect(term?.text).not.toContain('sent by');
  const status = event('hub.provider.v3.EventUpdateStatus', { prov_address: providerAddress, status: 'inactive' });
  expect(said([5n, [], [unlink, leaseEnd, status]]).verdicts[0]?.cause).toEqual({
    rule: 'HubProviderInactive',
    subject: providerAddress,
  });
});

test('plan link: removals by a lapse or a refused renewal are reported with those, and the lapse names the plan', () => {
  const inactive = event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'inactive' });
  const lapsed = said([5n, [unlink, leaseEnd, inactive]]);
  expect(lapsed.verdicts).toEqual([]);
  expect(lapsed.ledger.recentLapses()).toMatchObject([
    { node: nodeAddress, cause: 'deadline', unlinked: [{ plan: '8', provider: providerAddress }], isBack: false },
  ]);
  const ledger = createLedgerStore(temporaryStore());
  ledger.add(1n, [ledgerEntry('lease_created', { detail: 'always', hours: 1 })], start);
  ledger.add(2n, block(2n, [unlink, leaseEnd]), start + 60 * minute);
  expect(ledger.removedLinks()).toMatchObject([{ lease: { id: '4', reason: 'renewal_failed' } }]);
  const view = viewOf({ nowMs: start + 61 * minute, ledger: { removedLinks: () => ledger.removedLinks() } });
  expect(verdictsOf(planNodeUnlinked, view)).toEqual([]);
});
