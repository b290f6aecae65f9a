import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { RenewalPricePolicyTable } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { type RenewalsReading, leaseRenewals, renewalsTarget } from '../checks/lease/lease-renewals.js';
import { watchedNodes } from '../checks/node/watched-nodes.js';
import { msOf } from '../checks/times.js';
import type { BlockHead } from '../endpoints/head.js';
import { shortText } from '../enum-text.js';
import { leaseTerms, refundAt } from '../forecast/lease-terms.js';
import { splitPayment } from '../forecast/share.js';
import type { Observations } from '../observations/observations.js';
import { cut, iso } from '../words.js';

type Readings = Pick<Observations, 'outcome'>;

/** View model of a lease for the page and the JSON API. Amounts are strings in the base unit of the denomination. */
export const leaseView = (lease: Lease, observations: Readings, head: BlockHead | undefined) => {
  const renewals = observations.outcome(leaseRenewals, renewalsTarget.key);
  const known = renewals?.state === 'known' ? renewals.reading : undefined;
  const terms = leaseTerms(lease);
  const left = (at: Timestamp | undefined): number | undefined =>
    at === undefined || head === undefined ? undefined : Math.round((msOf(at) - head.timeMs) / 1_000);
  return {
    id: String(lease.id),
    node: cut(lease.nodeAddress, 200),
    provider: cut(lease.provAddress, 200),
    hoursPaid: Number(lease.hours),
    hours: Number(lease.maxHours),
    price: cut(lease.price.quoteValue, 200),
    denom: cut(lease.price.denom, 200),
    renewalPolicy: shortText(RenewalPricePolicyTable, lease.renewalPricePolicy),
    ends: terms && iso(msOf(terms.endsAt)),
    secondsLeft: left(terms?.endsAt),
    nextPayout: terms?.nextPayoutAt && {
      at: iso(msOf(terms.nextPayoutAt)),
      secondsLeft: left(terms.nextPayoutAt),
      ...(known && paymentOf(terms.hourly, known)),
    },
    locked: terms && amount(terms.locked),
    refunds: head && terms && refundsOf(lease, terms.endsAt, head, deadlineOf(lease, observations)),
    renewal: renewalOf(lease, known),
  };
};

export type LeaseView = ReturnType<typeof leaseView>;

const amount = (value: bigint): string => cut(String(value), 200);

const paymentOf = (hourly: bigint, { stakingShare }: RenewalsReading) => {
  const { toReceiver, toStakers } = splitPayment(hourly, stakingShare);
  return { toNode: amount(toReceiver), toStakers: amount(toStakers) };
};

/** Heartbeat deadline of the node: the time at which it lapses without another heartbeat. */
const deadlineOf = ({ nodeAddress }: Lease, observations: Readings): Timestamp | undefined => {
  const outcome = observations.outcome(watchedNodes, nodeAddress);
  return outcome?.state === 'known' ? outcome.reading.node?.inactiveAt : undefined;
};

/**
 * Refund to the provider for each way the lease can end: now, when the node's deadline passes, at the end of the term.
 */
const refundsOf = (lease: Lease, endsAt: Timestamp, head: BlockHead, deadline: Timestamp | undefined) => {
  const now: Timestamp = { seconds: BigInt(Math.floor(head.timeMs / 1_000)), nanos: 0 };
  const at = (time: Timestamp): string => amount(refundAt(lease, time) ?? 0n);
  return {
    cancelled: at(now),
    provider_inactive: at(now),
    node_inactive: deadline && at(deadline),
    term: at(endsAt),
  };
};

/** Expected outcome at the end of the current term, from the last check. `undefined` before the first check. */
const renewalOf = (lease: Lease, known: RenewalsReading | undefined) => {
  const found = known?.renewals.get(lease.id);
  const isSameTerm = found?.lease.startAt?.seconds === lease.startAt?.seconds;
  if (found === undefined || !isSameTerm) return undefined;
  const { forecast, preconditions, cost } = found;
  const state = forecast === undefined ? 'open' : forecast.renews ? 'renews' : 'ends';
  const decides = (holds: boolean | undefined): boolean => (state === 'ends' ? holds === false : holds === undefined);
  return {
    state,
    sentences:
      forecast?.renews === true
        ? [cut(forecast.sentence, 300)]
        : preconditions.filter(({ holds }) => decides(holds)).map(({ sentence }) => cut(sentence, 300)),
    cost: cost === undefined ? undefined : amount(cost),
  } as const;
};
