import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { counted, utc } from '../../words.js';
import type { CheckRule } from '../check.js';
import { msOf } from '../times.js';
import type { AccountSubscription, SubscriberTarget, SubscriptionsReading } from './subscriptions-reading.js';

const soonMs = 86_400_000;
const holdMs = 600_000;

/** A period ends within a day, and the account's subscription will be cancelled. */
export const renewalBlocked: CheckRule<SubscriberTarget, SubscriptionsReading> = {
  name: 'HubSubscriptionRenewalBlocked',
  severity: 'warning',
  forMs: holdMs,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  judge({ key, title }, reading, moment) {
    const base = { subject: key, term: '' };
    const nowMs = moment.head?.timeMs;
    if (nowMs === undefined)
      return { ...base, state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
    const due = reading.subscriptions.filter((one) => one.isOwn && isDue(one, nowMs));
    const blocked = due
      .filter(({ forecast }) => forecast?.renews === false)
      .toSorted((a, b) => (leftMs(a, nowMs) ?? 0) - (leftMs(b, nowMs) ?? 0));
    const [first] = blocked;
    if (first === undefined) {
      const isOpen = due.some(({ forecast }) => forecast === undefined);
      const state = isOpen ? 'unknown' : 'ok';
      return { ...base, state, title: `${title}: no renewal is known to fail`, text: `Account: ${key}` };
    }
    const firstMs = leftMs(first, nowMs) ?? 0;
    return {
      ...base,
      state: 'firing',
      dueMs: nowMs + firstMs,
      title: `${title}: ${counted(blocked.length, 'subscription')} will not be renewed, the first ends at ${utc(nowMs + firstMs)}`,
      // The usual hold would use half of the remaining time, or more.
      ...(firstMs <= 2 * holdMs ? { forMs: 0 } : {}),
      text: [
        ...blocked.map(({ subscription: { id, planId, inactiveAt }, forecast }) => {
          const at = inactiveAt === undefined ? '' : `, at ${utc(msOf(inactiveAt))}`;
          return `- subscription ${id} of plan ${planId}${at}: ${forecast?.sentence ?? ''}`;
        }),
        '',
        'The chain tries once, at the end of the period, and cancels a subscription that it cannot renew, with all its allocations.',
        `Account: ${key}`,
      ].join('\n'),
    };
  },
};

const leftMs = ({ subscription: { inactiveAt } }: AccountSubscription, nowMs: number): number | undefined =>
  inactiveAt === undefined ? undefined : msOf(inactiveAt) - nowMs;

/** Whether its renewal is due within a day. */
const isDue = (one: AccountSubscription, nowMs: number): boolean => {
  const { subscription, forecast } = one;
  if (subscription.status !== Status.STATUS_ACTIVE || (forecast?.renews === false && forecast.reason === 'policy_off'))
    return false;
  const left = leftMs(one, nowMs);
  return left !== undefined && left < soonMs;
};
