import { fromHead, seconds } from '../prometheus.js';
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
  prometheus: {
    expr: `(
    hub_subscription_renewal_expected == 0
    and (${fromHead('hub_subscription_end_timestamp_seconds', ['subscription_id'])} < ${seconds(soonMs)})
    unless ignoring (reason) hub_subscription_renewal_blocker{reason="policy_off"}
  )
  * ignoring (account, plan_id, denom, renewal_policy) group_left (account, plan_id) hub_subscription_info`,
    labels: ['subscription_id', 'account', 'plan_id'],
    summary: '{{ $labels.account }}: subscription {{ $labels.subscription_id }} will not be renewed',
    description:
      'Its period ends within a day. The chain attempts the renewal once, at the end of the period. If it fails, the chain cancels the subscription with all its allocations. `hub_subscription_renewal_blocker` shows the reason; remove it before then.',
    difference: 'Prometheus always applies the whole hold; the daemon reports at once when little time is left.',
  },
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
