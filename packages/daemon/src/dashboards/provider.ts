import {
  asDate,
  changesWithin,
  earned,
  ofChain,
  ofLease,
  ofPlan,
  ofProvider,
  ofSubscription,
  stateNumber,
  untilTime,
} from './expressions.js';
import { hoursLeft, partUsed, statuses, statusTexts, yesIsGood } from './judgements.js';
import type { Dashboard, PanelRow } from './panel.js';

const renewals = (within: string): string => `hub_provider_renewals_amount{within="${within}"}`;

const cost: PanelRow = {
  title: 'Renewals: cost against balance',
  panels: [
    {
      ...{
        kind: 'bargauge',
        title: 'Renewals within 7 days against balance',
        unit: 'percent',
        width: 12,
        colours: partUsed,
      },
      question: 'Does the balance cover the renewals of the next 7 days? At 100 % and more, renewals will fail.',
      alerts: ['HubLeaseRenewalBlocked', 'HubLeaseDepositShort'],
      queries: [
        {
          expr: ofProvider(
            `sum without (within) (${renewals('7d')}) / clamp_min(hub_provider_balance_amount, 1)`,
            'denom',
          ),
          legend: '{{provider}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Balance and renewals ahead', unit: 'grouped', width: 12 },
      question: 'What can each provider spend, and what do the renewals of the next day and week cost?',
      alerts: ['HubLeaseRenewalBlocked'],
      queries: [
        { expr: ofProvider('hub_provider_balance_amount', 'denom'), legend: 'balance, {{denom}}, {{provider}}' },
        { expr: ofProvider(renewals('24h'), 'denom'), legend: '24 h, {{denom}}, {{provider}}' },
        { expr: ofProvider(renewals('7d'), 'denom'), legend: '7 days, {{denom}}, {{provider}}' },
      ],
    },
    {
      ...{ kind: 'table', title: 'Renewals ahead', unit: 'none', width: 14, height: 10 },
      question: 'Which leases are renewed next, what does each cost, and will the renewal succeed?',
      alerts: ['HubLeaseRenewalBlocked'],
      emptyBecause: 'no lease of a watched provider has a renewal policy.',
      rows: { lease_id: 'Lease', node: 'Node', provider: 'Provider' },
      sortBy: { column: 'Renewal in' },
      queries: [
        {
          ...{ title: 'Renewal in', unit: 'seconds', colours: hoursLeft },
          expr: ofLease(untilTime('hub_lease_renewal_timestamp_seconds')),
        },
        {
          ...{ title: 'Costs', unit: 'grouped' },
          expr: ofLease('sum without (denom) (hub_lease_renewal_amount)'),
        },
        { title: 'Will be renewed', expr: ofLease('hub_lease_renewal_expected'), states: yesIsGood },
      ],
    },
    {
      ...{ kind: 'table', title: 'What prevents renewals', unit: 'none', width: 10, height: 10 },
      question: 'Which preconditions of which renewals fail? The page about alerts lists the remedy for each reason.',
      alerts: ['HubLeaseRenewalBlocked', 'HubSubscriptionRenewalBlocked'],
      emptyBecause: 'nothing prevents a renewal.',
      rows: { lease_id: 'Lease', provider: 'Provider', reason: 'Reason' },
      queries: [
        {
          title: 'Fails',
          expr: `max by (lease_id, provider, reason) (${ofLease('hub_lease_renewal_blocker', 'reason')}) == 1`,
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Expected income from subscription renewals', unit: 'grouped', width: 24 },
      question:
        'How much income do renewals of subscriptions generate within a day and a week, if every account can pay?',
      emptyBecause: 'no subscription to a plan of a watched provider is renewed.',
      queries: [
        {
          expr: ofProvider('hub_provider_subscription_income_amount', 'denom', 'within'),
          legend: 'within {{within}}, {{denom}}, {{provider}}',
        },
      ],
    },
  ],
};

const leases: PanelRow = {
  title: 'Leases and deposit',
  panels: [
    {
      ...{ kind: 'state-timeline', title: 'Status of the provider', unit: 'none', width: 12, states: statusTexts },
      question: 'When was each provider active? The chain ends the leases of a provider that goes inactive.',
      alerts: ['HubProviderInactive'],
      queries: [{ expr: ofProvider(stateNumber('hub_provider_status', 'status', statuses)), legend: '{{provider}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Deposit and unpaid hours', unit: 'grouped', width: 12 },
      question: 'Does the deposit cover the hours of all leases that are not paid yet?',
      alerts: ['HubLeaseDepositShort'],
      queries: [
        { expr: ofProvider('hub_provider_deposit_amount', 'denom'), legend: 'deposit, {{denom}}, {{provider}}' },
        { expr: ofProvider('hub_provider_committed_amount', 'denom'), legend: 'unpaid, {{denom}}, {{provider}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Leases of the provider', unit: 'none', width: 8 },
      question: 'How many leases does each provider have?',
      queries: [{ expr: ofProvider('hub_provider_leases'), legend: '{{provider}}' }],
    },
    {
      ...{ kind: 'table', title: 'Terms of the leases', unit: 'none', width: 16 },
      question:
        'When did the term of each lease begin, when does it end, what does an hour cost, and what is still locked?',
      emptyBecause: 'no lease of a watched node or provider runs.',
      rows: { lease_id: 'Lease', node: 'Node', provider: 'Provider' },
      queries: [
        { title: 'Began', expr: ofLease(asDate('hub_lease_start_timestamp_seconds')), unit: 'dateTime' },
        { title: 'Ends', expr: ofLease(asDate('hub_lease_end_timestamp_seconds')), unit: 'dateTime' },
        { title: 'Price of an hour', expr: ofLease('sum without (denom) (hub_lease_hourly_price)'), unit: 'grouped' },
        { title: 'Locked', expr: ofLease('sum without (denom) (hub_lease_locked_amount)'), unit: 'grouped' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Ends of leases', unit: 'none', width: 24, barsEvery: '1d' },
      question: 'How many leases of watched nodes and providers ended in the day before each bar, and why?',
      alerts: ['HubLeaseNotRenewed'],
      emptyBecause: 'no lease has ended since the ledger began.',
      queries: [{ expr: ofChain(earned('hub_lease_ends_total', '1d'), 'reason'), legend: '{{reason}}' }],
    },
  ],
};

const plans: PanelRow = {
  title: 'Plans and subscriptions',
  panels: [
    {
      ...{ kind: 'table', title: 'Plans', unit: 'none', width: 24 },
      question: 'What do the plans cost, how many nodes do they have, and who subscribes to them?',
      alerts: ['HubPlanNodeUnlinked'],
      emptyBecause: 'no watched provider has a plan.',
      rows: { plan_id: 'Plan', provider: 'Provider' },
      queries: [
        {
          ...{ title: 'Status', states: statusTexts },
          expr: ofPlan(stateNumber('hub_plan_status', 'status', statuses)),
        },
        { title: 'Nodes', expr: ofPlan('hub_plan_nodes') },
        { title: 'Active subscriptions', expr: ofPlan('hub_plan_subscriptions{status="active"}') },
        { title: 'Renewals within 24 h', expr: ofPlan('hub_plan_renewals{within="24h"}') },
        { title: 'Renewals within 7 days', expr: ofPlan('hub_plan_renewals{within="7d"}') },
        { title: 'Price', expr: ofPlan('sum without (denom) (hub_plan_price)'), unit: 'grouped' },
      ],
    },
    {
      ...{ kind: 'table', title: 'Subscriptions of watched accounts', unit: 'none', width: 16 },
      question: 'When do the subscriptions of watched accounts end, what do they cost, and will they be renewed?',
      alerts: ['HubSubscriptionRenewalBlocked'],
      emptyBecause: 'no watched account has a subscription.',
      rows: { subscription_id: 'Subscription', plan_id: 'Plan', account: 'Account' },
      queries: [
        {
          ...{ title: 'Status', states: statusTexts },
          expr: ofSubscription(stateNumber('hub_subscription_status', 'status', statuses)),
        },
        { title: 'Ends', expr: ofSubscription(asDate('hub_subscription_end_timestamp_seconds')), unit: 'fromNow' },
        {
          ...{ title: 'Renewal', unit: 'fromNow' },
          expr: ofSubscription(asDate('hub_subscription_renewal_timestamp_seconds')),
        },
        { title: 'Cost', expr: ofSubscription('sum without (denom) (hub_subscription_price)'), unit: 'grouped' },
        { title: 'Will be renewed', expr: ofSubscription('hub_subscription_renewal_expected'), states: yesIsGood },
      ],
    },
    {
      ...{ kind: 'table', title: 'What prevents renewals of subscriptions', unit: 'none', width: 8 },
      question: 'Which precondition of the renewal of a subscription fails first?',
      alerts: ['HubSubscriptionRenewalBlocked'],
      emptyBecause: 'nothing prevents a renewal.',
      rows: { subscription_id: 'Subscription', reason: 'Reason' },
      queries: [
        { title: 'Fails', expr: `${ofChain('hub_subscription_renewal_blocker', 'subscription_id', 'reason')} == 1` },
      ],
    },
    {
      ...{ kind: 'bargauge', title: 'Used part of allocations', unit: 'percent', width: 24, colours: partUsed },
      question: 'Which part of the bytes that a watched account may use in the period did it use?',
      emptyBecause: 'no watched account shares a subscription.',
      queries: [
        {
          expr: ofChain(
            'hub_subscription_allocation_utilised_bytes / (hub_subscription_allocation_granted_bytes > 0)',
            'subscription_id',
            'account',
          ),
          legend: 'subscription {{subscription_id}}, {{account}}',
        },
      ],
    },
  ],
};

const money: PanelRow = {
  title: 'Money in the shown time',
  panels: [
    {
      ...{ kind: 'stat', title: 'Paid, refunded and received', unit: 'grouped', width: 8, height: 8 },
      question: 'What did the providers pay for lease hours, get refunded from leases, and receive for subscriptions?',
      queries: [
        {
          expr: `sum by (denom) (${ofProvider(earned('hub_provider_paid_amount_total', '$__range'), 'denom')})`,
          legend: 'paid, {{denom}}',
        },
        {
          expr: `sum by (denom) (${ofProvider(earned('hub_provider_refunded_amount_total', '$__range'), 'denom')})`,
          legend: 'refunded, {{denom}}',
        },
        {
          expr: `sum by (denom) (${ofProvider(earned('hub_provider_received_amount_total', '$__range'), 'denom')})`,
          legend: 'received, {{denom}}',
        },
      ],
    },
    {
      ...{
        kind: 'timeseries',
        title: 'Paid and received by day',
        unit: 'grouped',
        width: 16,
        barsEvery: '1d',
        isStacked: false,
      },
      question: 'What did each provider pay and receive in the day before each bar?',
      queries: [
        {
          expr: ofProvider(earned('hub_provider_paid_amount_total', '1d'), 'denom'),
          legend: 'paid, {{denom}}, {{provider}}',
        },
        {
          expr: ofProvider(earned('hub_provider_received_amount_total', '1d'), 'denom'),
          legend: 'received, {{denom}}, {{provider}}',
        },
      ],
    },
  ],
};

const parameters: PanelRow = {
  title: 'Parameters of the chain',
  panels: [
    {
      ...{ kind: 'stat', title: 'Times and terms', unit: 'seconds', width: 12, height: 6 },
      question:
        'Which limits does the chain set for terms of leases and sessions, and how long is an ended subscription kept?',
      alerts: ['HubParametersChanged'],
      queries: [
        { expr: ofChain('hub_lease_term_limit_seconds', 'bound'), legend: 'lease, {{bound}}' },
        { expr: ofChain('hub_session_term_limit_seconds', 'bound'), legend: 'session, {{bound}}' },
        { expr: ofChain('hub_subscription_status_timeout_seconds'), legend: 'subscription' },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Traffic of a session', unit: 'bytes', width: 6, height: 6 },
      question: 'How much traffic can be bought with a session, at least and at most?',
      queries: [{ expr: ofChain('hub_session_traffic_limit_bytes', 'bound'), legend: '{{bound}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Share of stakers', unit: 'percent', width: 6, height: 6 },
      question: 'Which share of a payment goes to stakers?',
      alerts: ['HubParametersChanged'],
      queries: [{ expr: ofChain('hub_staking_share_ratio', 'module'), legend: '{{module}}' }],
    },
    {
      ...{ kind: 'stat', title: 'Accounts of a subscription', unit: 'none', width: 6, height: 6 },
      question: 'How many accounts can share a subscription?',
      queries: [{ expr: ofChain('hub_subscription_allocation_limit') }],
    },
    {
      ...{ kind: 'stat', title: 'Changes of parameters', unit: 'none', width: 18, height: 6 },
      question: 'How often did the parameters of each module change in the selected time range?',
      alerts: ['HubParametersChanged'],
      queries: [
        { expr: ofChain(changesWithin('hub_parameter_changes_total', '$__range'), 'module'), legend: '{{module}}' },
      ],
    },
  ],
};

/** For people who lease nodes and sell plans. */
export const provider: Dashboard = {
  name: 'provider',
  title: 'Provider',
  about: 'Do balance and deposit cover the renewals ahead, which renewals will fail, and what do plans bring?',
  subjects: ['provider'],
  from: 'now-7d',
  refresh: '1m',
  rows: [cost, leases, plans, money, parameters],
};
