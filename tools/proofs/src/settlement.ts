import { allocationLeft, leaseTerms, refundAt, sessionCost, splitPayment } from '@hubwatch/daemon/forecast';
import {
  EventEnd,
  EventRenew,
  EventPay as LeasePay,
  EventRefund as LeaseRefund,
} from '@hubwatch/types/gen/forms/hub/lease/v1/events';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { EventPay, EventRefund } from '@hubwatch/types/gen/forms/hub/node/v3/events';
import { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import { Session as SubscriptionSession } from '@hubwatch/types/gen/forms/hub/subscription/v3/session';
import { readTimestamp } from '@hubwatch/types/runtime/time';
import { Counts } from './counts.js';
import { chainFolders, eventsOf, formsOf, isReached, type Step, steps } from './recorded-chain.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { settled } from './settled.js';

/** The chain moves the amounts that the daemon expects for a settlement. */
export const settlement: Proof = {
  name: 'settlement',
  about: 'expected payments and refunds, from the state before a block, equal those of every settled session and lease',
  run: (options) => settled(() => prove(options)),
};

function prove({ chain, log }: ProofOptions): ProofOutcome {
  const counts = new Counts();
  const problems: string[] = [];
  for (const folder of chainFolders(chain)) {
    for (const step of steps(folder)) {
      for (const { claim, place, expected, recorded } of [
        ...sessions(step),
        ...payouts(step),
        ...ends(step),
        ...allocations(step),
      ]) {
        counts.add(claim, expected === recorded);
        if (expected !== recorded) {
          problems.push(`${claim}, ${place} at ${step.block.height}: expected ${expected}, the chain ${recorded}`);
        }
      }
    }
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  const total = claims.reduce((sum, claim) => sum + counts.total(claim), 0);
  return { passed: total - counts.failed, total, counterExample: problems[0], figures: counts.figures() };
}

const claims = ['sessions settled', 'lease hours paid', 'leases ended by the chain', 'allocations left'] as const;

interface Comparison {
  readonly claim: (typeof claims)[number];
  readonly place: string;
  readonly expected: string;
  readonly recorded: string;
}

function* sessions({ block, before }: Step): Generator<Comparison> {
  const refunds = eventsOf(block.begin_block, EventRefund);
  for (const { sessionId, payment, stakingReward } of eventsOf(block.begin_block, EventPay)) {
    const record = before.sessions.find((session) => baseId(session) === String(sessionId));
    const share = before.params['session/v3']?.['staking_share'] as string;
    const [session] = record === undefined ? [] : formsOf(Session, [record]);
    const cost = session && sessionCost(session, share);
    yield {
      claim: 'sessions settled',
      place: `session ${sessionId}`,
      expected: `${cost?.toReceiver}${cost?.denom} + ${cost?.toStakers}${cost?.denom}, back ${cost?.refund}${cost?.denom}`,
      recorded: `${payment} + ${stakingReward}, back ${refunds.find((refund) => refund.sessionId === sessionId)?.value}`,
    };
  }
}

function baseId(session: Readonly<Record<string, unknown>>): unknown {
  return (session['base_session'] as { readonly id?: unknown } | undefined)?.id;
}

/** Interval in blocks between two checks of the remaining allocations. */
const allocationsEvery = 40;

/** Compares the remaining allocation read from each session that uses it with the allocation's own record. */
function* allocations({ block, before }: Step): Generator<Comparison> {
  if (block.height % allocationsEvery !== 0) return;
  const records = before.sessions.filter((record) => record['@type'] === '/hub.subscription.v3.Session');
  for (const { baseSession, subscriptionId } of formsOf(SubscriptionSession, records)) {
    if (baseSession === undefined) continue;
    const record = before.allocations[String(subscriptionId)]?.find(
      ({ address }) => address === baseSession.accAddress,
    );
    const left = Number(record?.['granted_bytes']) - Number(record?.['utilised_bytes']);
    yield {
      claim: 'allocations left',
      place: `session ${baseSession.id}`,
      expected: String(allocationLeft(baseSession)),
      recorded: String(Math.max(0, left)),
    };
  }
}

function* payouts({ block, before }: Step): Generator<Comparison> {
  const leases = formsOf(Lease, before.leases);
  const share = before.params['lease/v1']?.['staking_share'] as string;
  const renewals = eventsOf(block.begin_block, EventRenew);
  for (const { leaseId, payment, stakingReward } of eventsOf(block.begin_block, LeasePay)) {
    const lease = leases.find(({ id }) => id === leaseId);
    const terms = lease && leaseTerms(lease);
    // The first hour of a term that the block renews is paid in the same block, at the new price.
    const renewal = renewals.find((event) => event.leaseId === leaseId);
    const dueAt = renewal === undefined ? terms?.nextPayoutAt : terms?.endsAt;
    const hourly = renewal === undefined ? terms?.hourly : BigInt(renewal.price.split(',')[1] ?? '');
    const { toReceiver, toStakers } = splitPayment(hourly ?? 0n, share);
    const denom = lease?.price.denom;
    yield {
      claim: 'lease hours paid',
      place: `lease ${leaseId}`,
      expected: `${toReceiver}${denom} + ${toStakers}${denom}, ${isReached(dueAt, block.time) ? 'due' : 'not due'}`,
      recorded: `${payment} + ${stakingReward}, due`,
    };
  }
}

function* ends({ block, before }: Step): Generator<Comparison> {
  const leases = formsOf(Lease, before.leases);
  const refunds = eventsOf(block.begin_block, LeaseRefund);
  const at = readTimestamp(block.time);
  for (const { leaseId } of eventsOf(block.begin_block, EventEnd)) {
    const lease = leases.find(({ id }) => id === leaseId);
    const refund = lease && at && refundAt(lease, at);
    yield {
      claim: 'leases ended by the chain',
      place: `lease ${leaseId}`,
      expected: refund === undefined ? 'no lease' : `${refund}${lease?.price.denom}`,
      recorded: `${refunds.find((one) => one.leaseId === leaseId)?.value}`,
    };
  }
}
