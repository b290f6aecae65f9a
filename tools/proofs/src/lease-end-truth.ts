import type { RecordedEvent } from '@hubwatch/devnode/chain';
import { leaseTerms } from '@hubwatch/daemon/forecast';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { formsOf, isReached, type Step } from './recorded-chain.js';

/** An end or renewal of a lease and its refund, derived from the state before the block and the effects of the block. */
export interface LeaseEndTruth {
  readonly height: number;
  readonly lease: string;
  /** Reason of the end, or `renewed`. */
  readonly end: string;
  readonly amount: bigint;
  readonly denom: string;
}

/**
 * Ends and renewals in a block, computed without any code of the ledger. The ledger reads the order of events, while
 * this function reads states.
 */
export function leaseEnds({ block, before }: Step): readonly LeaseEndTruth[] {
  const leases = new Map(formsOf(Lease, before.leases).map((lease) => [String(lease.id), lease]));
  const isOver = (id: string): boolean => isReached(leaseTerms(leases.get(id) as Lease)?.endsAt, block.time);
  const isToRenew = (id: string): boolean =>
    leases.get(id)?.renewalPricePolicy !== RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED;
  const ofBlock = (id: string): string => (!isOver(id) ? 'node_inactive' : isToRenew(id) ? 'renewal_failed' : 'term');
  const ofMessage = (events: readonly RecordedEvent[]) => (): string => {
    const types = events
      .filter((event) => textOf(event, 'status') === 'inactive')
      .map(({ type }) => type.replace(/^hub\.(node|provider)\..*EventUpdateStatus$/, '$1'));
    return types.includes('node') ? 'node_inactive' : types.includes('provider') ? 'provider_inactive' : 'cancelled';
  };
  const done = block.txs.filter(({ code }) => code === 0).map(({ events }) => events);
  return [
    ...endsIn(block.begin_block, block.height, ofBlock),
    ...done.flatMap((events) => endsIn(events, block.height, ofMessage(events))),
  ];
}

function endsIn(
  events: readonly RecordedEvent[],
  height: number,
  reasonOf: (lease: string) => string,
): readonly LeaseEndTruth[] {
  return events.flatMap((event, at): LeaseEndTruth[] => {
    const end = { 'hub.lease.v1.EventEnd': reasonOf, 'hub.lease.v1.EventRenew': () => 'renewed' }[event.type];
    if (end === undefined) return [];
    const lease = textOf(event, 'lease_id');
    const refund = events
      .slice(0, at)
      .findLast((one) => one.type === 'hub.lease.v1.EventRefund' && textOf(one, 'lease_id') === lease);
    const [, amount = '0', denom = ''] = /^(\d+)(.*)$/.exec(refund === undefined ? '' : textOf(refund, 'value')) ?? [];
    return [{ height, lease, end: end(lease), amount: BigInt(amount), denom }];
  });
}

function textOf({ attributes }: RecordedEvent, key: string): string {
  return (attributes.find(([name]) => name === key)?.[1] ?? '').replaceAll('"', '');
}
