import type { RuleCase, Series } from './rule-case.js';

const lease = (id: string): Series => ({
  [`hub_lease_info{lease_id="${id}",node="five",provider="p",denom="u",renewal_policy="always"}`]: 1,
  [`hub_lease_end_timestamp_seconds{lease_id="${id}"}`]: 80_000,
});
const head: Series = { hub_head_timestamp_seconds: 0 };
const ofLease = { lease_id: '1', node: 'five', provider: 'p' };

const blocked = (id: string, reason: string): Series => ({
  ...lease(id),
  [`hub_lease_renewal_expected{lease_id="${id}"}`]: 0,
  [`hub_lease_renewal_blocker{lease_id="${id}",reason="${reason}"}`]: 1,
});

/** Test cases for alerts about leases, providers, subscriptions and accounts. */
export const moneyCases: readonly RuleCase[] = [
  {
    alert: 'HubLeaseEndingSoon',
    about: 'not of a lease that is to be renewed',
    fires: { ...head, ...lease('1'), ...lease('2'), 'hub_lease_renewal_timestamp_seconds{lease_id="2"}': 80_000 },
    quiet: { 'hub_lease_renewal_timestamp_seconds{lease_id="1"}': 80_000 },
    labels: ofLease,
    value: 80_000,
  },
  {
    alert: 'HubLeaseEndingSoon',
    about: 'not before the last day',
    fires: { ...head, ...lease('1') },
    quiet: { 'hub_lease_end_timestamp_seconds{lease_id="1"}': 86_400 },
    labels: ofLease,
    value: 80_000,
  },
  {
    alert: 'HubLeaseRenewalBlocked',
    about: 'by the price',
    fires: { ...head, ...blocked('1', 'price_higher') },
    quiet: { 'hub_lease_renewal_blocker{lease_id="1",reason="policy_off"}': 1 },
    labels: ofLease,
  },
  {
    alert: 'HubLeaseRenewalBlocked',
    about: 'by the balance, once for a provider',
    fires: { ...head, ...blocked('1', 'balance_short'), ...blocked('2', 'balance_short') },
    quiet: { hub_head_timestamp_seconds: -10_000 },
    labels: { provider: 'p' },
    value: 2,
  },
  {
    alert: 'HubLeaseNotRenewed',
    fires: { 'hub_lease_ends_total{reason="renewal_failed"}': '1x5 2x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { 'hub_lease_ends_total{reason="renewal_failed"}': 1 },
    labels: { reason: 'renewal_failed' },
    atMinutes: 10,
  },
  {
    alert: 'HubLeaseNotRenewed',
    about: 'the first failure, of a daemon that has run for ten minutes',
    fires: { 'hub_lease_ends_total{reason="renewal_failed"}': '_x19 1x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { hubwatch_rule_evaluations_total: '_x19 1x30' },
    labels: { reason: 'renewal_failed' },
    atMinutes: 25,
  },
  {
    alert: 'HubLeasePayoutOverdue',
    about: 'not while hour after hour is paid late',
    fires: {
      ...lease('1'),
      'hub_lease_next_payout_timestamp_seconds{lease_id="1"}': 100,
      hub_head_timestamp_seconds: 400,
    },
    quiet: { 'hub_lease_next_payout_timestamp_seconds{lease_id="1"}': '-500+20x20' },
    labels: ofLease,
    value: 300,
    atMinutes: 5,
  },
  {
    alert: 'HubLeaseDepositShort',
    fires: {
      'hub_provider_deposit_amount{provider="p",denom="u"}': 5,
      'hub_provider_committed_amount{provider="p",denom="u"}': 9,
    },
    quiet: { 'hub_provider_deposit_amount{provider="p",denom="u"}': 9 },
    labels: { provider: 'p', denom: 'u' },
    value: 5,
  },
  {
    alert: 'HubProviderInactive',
    fires: {
      'hub_provider_status{provider="p",status="active"}': 0,
      'hub_provider_status{provider="p",status="inactive"}': 1,
    },
    quiet: {
      'hub_provider_status{provider="p",status="active"}': 1,
      'hub_provider_status{provider="p",status="inactive"}': 0,
    },
    labels: { provider: 'p' },
  },
  {
    alert: 'HubSubscriptionRenewalBlocked',
    fires: {
      ...head,
      'hub_subscription_info{subscription_id="4",account="a",plan_id="9",denom="u",renewal_policy="always"}': 1,
      'hub_subscription_end_timestamp_seconds{subscription_id="4"}': 80_000,
      'hub_subscription_renewal_expected{subscription_id="4"}': 0,
      'hub_subscription_renewal_blocker{subscription_id="4",reason="balance_short"}': 1,
    },
    quiet: { 'hub_subscription_renewal_blocker{subscription_id="4",reason="policy_off"}': 1 },
    labels: { subscription_id: '4', account: 'a', plan_id: '9' },
  },
  {
    alert: 'HubBalanceLow',
    fires: {
      'hub_account_balance{account="a",denom="u"}': 4_999_999,
      'hub_account_balance_minimum{account="a",denom="u"}': 5_000_000,
    },
    quiet: { 'hub_account_balance{account="a",denom="u"}': 5_000_000 },
    labels: { account: 'a', denom: 'u' },
    value: 4_999_999,
  },
  {
    alert: 'HubBalanceRunway',
    about: 'for each node that the account pays for',
    fires: {
      'hub_node_fee_payer_info{node="five",account="a"}': 1,
      'hub_account_runway_seconds{account="a",denom="u"}': 259_199,
    },
    quiet: { 'hub_account_runway_seconds{account="a",denom="u"}': 259_200 },
    labels: { node: 'five', account: 'a' },
    value: 259_199,
  },
  {
    alert: 'HubFeeGrantEnding',
    fires: { ...head, 'hub_account_fee_grant_expiry_timestamp_seconds{account="a",granter="g"}': 259_199 },
    quiet: { 'hub_account_fee_grant_expiry_timestamp_seconds{account="a",granter="g"}': 259_200 },
    labels: { account: 'a', granter: 'g' },
    value: 259_199,
  },
  {
    alert: 'HubwatchDepositDisagrees',
    fires: { 'hubwatch_deposit_difference_amount{account="a",denom="u"}': -1 },
    quiet: { 'hubwatch_deposit_difference_amount{account="a",denom="u"}': 0 },
    labels: { account: 'a', denom: 'u' },
    value: -1,
  },
  {
    alert: 'HubAccountNotRead',
    fires: { 'hub_account_config_info{account="a",alias="b"}': 1 },
    quiet: { 'hub_account_balance{account="a",denom="u"}': 0 },
    labels: { account: 'a', alias: 'b' },
  },
];
