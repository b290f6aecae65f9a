import type { RuleCase } from './rule-case.js';

/** Test cases for alerts about the chain. */
export const chainCases: readonly RuleCase[] = [
  {
    alert: 'HubChainHalted',
    about: 'at an upgrade',
    fires: { 'hub_chain_state{state="upgrade"}': 1, 'hub_chain_state{state="moving"}': 0 },
    quiet: { 'hub_chain_state{state="upgrade"}': 0, 'hub_chain_state{state="moving"}': 1 },
  },
  {
    alert: 'HubChainHalted',
    about: 'no new block for three minutes, with a time in which the head was not known',
    fires: { hub_head_height: '90+5x2 100 stale _x3 100x10' },
    quiet: { hub_head_height: '90+5x2 100 stale _x3 100+1x10' },
    atMinutes: 9,
  },
  {
    alert: 'HubUpgradeScheduled',
    fires: { 'hub_upgrade_plan_info{name="v13"}': 1 },
    quiet: { 'hub_upgrade_plan_info{name="v13"}': '1x1 stale _x500' },
    labels: { name: 'v13' },
  },
  {
    alert: 'HubUpgradeSoon',
    fires: { hub_upgrade_plan_estimated_timestamp_seconds: 86_399, hub_head_timestamp_seconds: 0 },
    quiet: { hub_upgrade_plan_estimated_timestamp_seconds: 86_400 },
  },
  {
    alert: 'HubUpgradeSoon',
    about: 'at its height',
    fires: { hub_upgrade_plan_height: 100, hub_head_height: 100 },
    quiet: { hub_head_height: 99 },
  },
  {
    alert: 'HubUpgradeWindow',
    fires: { hub_upgrade_plan_height: 100, hub_head_height: 81 },
    quiet: { hub_head_height: 80 },
  },
  {
    alert: 'HubUpgradeBinaryMissing',
    fires: {
      'hub_upgrade_plan_binary_present{endpoint="own"}': 0,
      hub_upgrade_plan_estimated_timestamp_seconds: 21_599,
      hub_head_timestamp_seconds: 0,
    },
    quiet: { 'hub_upgrade_plan_binary_present{endpoint="own"}': 1 },
    labels: { endpoint: 'own' },
  },
  {
    alert: 'HubUpgradeBinaryMissing',
    about: 'not needed yet',
    fires: {
      'hub_upgrade_plan_binary_present{endpoint="own"}': 0,
      hub_upgrade_plan_height: 100,
      hub_head_height: 101,
    },
    quiet: { hub_head_height: 99 },
    labels: { endpoint: 'own' },
  },
  {
    alert: 'HubProposalOpen',
    fires: {
      'hub_proposal_voting_end_timestamp_seconds{proposal_id="7"}': 4_000,
      hub_head_timestamp_seconds: 400,
    },
    quiet: { hub_head_timestamp_seconds: 4_000 },
    labels: { proposal_id: '7' },
    value: 3_600,
  },
  {
    alert: 'HubOraclePriceStale',
    fires: { 'hub_oracle_asset_price_seen_height{denom="u"}': 1_000, hub_head_height: 2_801 },
    quiet: { hub_head_height: 2_800 },
    labels: { denom: 'u' },
    value: 1_801,
  },
  {
    alert: 'HubParametersChanged',
    fires: { 'hub_parameter_changes_total{module="node"}': '0x5 2x30', hubwatch_rule_evaluations_total: 1 },
    quiet: { 'hub_parameter_changes_total{module="node"}': 0 },
    labels: { module: 'node' },
    atMinutes: 10,
  },
  {
    alert: 'HubHeadUnknown',
    fires: { hubwatch_rule_evaluations_total: 1 },
    quiet: { hub_head_height: 5 },
  },
];
