import { earned, ofAccount, ofChain, ofNode, ofProvider } from './expressions.js';
import { intervalsMissed } from './judgements.js';
import type { Dashboard, PanelRow } from './panel.js';

const anyIsWrong = { base: 'green', thresholds: [{ from: 1, colour: 'red' }] } as const;
const received = (time: string): string => ofNode(earned('hub_node_received_amount_total', time), 'denom', 'source');

const byDay: PanelRow = {
  title: 'By day',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Received by nodes, by day', unit: 'grouped', width: 24, barsEvery: '1d' },
      question:
        'What did each node receive in the day before each bar, in the base unit? Bars are at midnight of your time zone.',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [{ expr: `sum by (alias, denom) (${received('1d')})`, legend: '{{alias}} {{denom}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Leases and sessions, by day', unit: 'grouped', width: 12, barsEvery: '1d' },
      question: 'Did the income of the nodes come from leases or from sessions in the day before each bar?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      queries: [{ expr: `sum by (source, denom) (${received('1d')})`, legend: '{{source}} {{denom}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Refunded by nodes, by day', unit: 'grouped', width: 12, barsEvery: '1d' },
      question: 'What was refunded from leases and sessions of each node in the day before each bar?',
      queries: [
        {
          expr: `sum by (alias, source, denom) (${ofNode(earned('hub_node_refunded_amount_total', '1d'), 'denom', 'source')})`,
          legend: '{{alias}} {{source}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Paid by providers, by day', unit: 'grouped', width: 12, barsEvery: '1d' },
      question:
        'What did each provider pay for lease hours in the day before each bar, including the share of stakers?',
      emptyBecause: 'no provider is watched.',
      queries: [
        {
          expr: ofProvider(earned('hub_provider_paid_amount_total', '1d'), 'denom'),
          legend: '{{provider}} {{denom}}',
        },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Paid by accounts, by day', unit: 'grouped', width: 12, barsEvery: '1d' },
      question:
        'What did each account pay for sessions and subscriptions in the day before each bar, including the share of stakers?',
      emptyBecause: 'no account is watched.',
      queries: [
        {
          expr: ofAccount(earned('hub_account_paid_amount_total', '1d'), 'denom', 'source'),
          legend: '{{alias}} {{source}} {{denom}}',
        },
      ],
    },
  ],
};

const sums: PanelRow = {
  title: 'Sums of the shown time',
  panels: [
    {
      ...{ kind: 'table', title: 'Nodes', unit: 'grouped', width: 24 },
      question: 'What did each node receive from leases and sessions, and what was refunded?',
      emptyBecause: 'no watched node has received anything since the ledger began.',
      rows: { alias: 'Node', node: 'Address', denom: 'Denomination' },
      sortBy: { column: 'From leases', descending: true },
      queries: [
        {
          title: 'From leases',
          expr: ofNode(earned('hub_node_received_amount_total{source="lease"}', '$__range'), 'denom'),
        },
        {
          title: 'From sessions',
          expr: ofNode(earned('hub_node_received_amount_total{source="session"}', '$__range'), 'denom'),
        },
        {
          title: 'Refunded',
          expr: `sum by (alias, node, denom) (${ofNode(earned('hub_node_refunded_amount_total', '$__range'), 'denom', 'source')})`,
        },
      ],
    },
    {
      ...{ kind: 'table', title: 'Providers', unit: 'grouped', width: 24 },
      question: 'What did each provider pay, get refunded and receive?',
      emptyBecause: 'no provider is watched.',
      rows: { provider: 'Provider', denom: 'Denomination' },
      queries: [
        { title: 'Paid', expr: ofProvider(earned('hub_provider_paid_amount_total', '$__range'), 'denom') },
        { title: 'Refunded', expr: ofProvider(earned('hub_provider_refunded_amount_total', '$__range'), 'denom') },
        { title: 'Received', expr: ofProvider(earned('hub_provider_received_amount_total', '$__range'), 'denom') },
      ],
    },
    {
      ...{ kind: 'table', title: 'Accounts', unit: 'grouped', width: 24 },
      question: 'What did each account pay, get refunded, deposit, withdraw from its deposit, and receive from swaps?',
      emptyBecause: 'no account is watched, or it never did any of these.',
      rows: { alias: 'Account', account: 'Address', denom: 'Denomination' },
      queries: [
        {
          title: 'Paid',
          expr: `sum by (alias, account, denom) (${ofAccount(earned('hub_account_paid_amount_total', '$__range'), 'denom', 'source')})`,
        },
        { title: 'Refunded', expr: ofAccount(earned('hub_account_refunded_amount_total', '$__range'), 'denom') },
        { title: 'Deposited', expr: ofAccount(earned('hub_account_deposit_added_amount_total', '$__range'), 'denom') },
        {
          title: 'Taken out',
          expr: ofAccount(earned('hub_account_deposit_subtracted_amount_total', '$__range'), 'denom'),
        },
        { title: 'By swaps', expr: ofAccount(earned('hub_account_swap_received_amount_total', '$__range'), 'denom') },
      ],
    },
  ],
};

const trust: PanelRow = {
  title: 'Is the ledger complete?',
  panels: [
    {
      ...{
        kind: 'timeseries',
        title: 'Blocks whose events are not stored',
        unit: 'blocks',
        width: 8,
        colours: intervalsMissed,
      },
      question: 'How many blocks is the ledger behind the head? It reads blocks by height, so none is lost.',
      queries: [{ expr: 'max by (instance) (hubwatch_unprocessed_blocks)', legend: '{{instance}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Blocks read later', unit: 'perSecond', width: 8 },
      question: 'How many past blocks are read belatedly, and why?',
      emptyBecause: 'no block was missed since the monitor started.',
      queries: [
        {
          expr: 'sum by (reason, instance) (rate(hubwatch_backfilled_blocks_total[$__rate_interval]))',
          legend: '{{reason}} ({{instance}})',
        },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Deposits that do not add up', unit: 'none', width: 8, height: 8, colours: anyIsWrong },
      question: 'How many accounts have a deposit that differs from the one calculated from their sessions and leases?',
      alerts: ['HubwatchDepositDisagrees'],
      queries: [
        {
          expr: 'sum(max by (account, denom) (hubwatch_deposit_difference_amount) != bool 0)',
          legend: 'watched accounts',
        },
        { expr: 'sum(max by (denom) (hub_deposit_difference_amount) != bool 0)', legend: 'network' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Deposits', unit: 'grouped', width: 24 },
      question: 'What is the deposit of each account?',
      queries: [{ expr: ofAccount('hub_account_deposit', 'denom'), legend: '{{alias}} {{denom}}' }],
    },
  ],
};

const network: PanelRow = {
  title: 'The whole network',
  panels: [
    {
      ...{ kind: 'timeseries', title: 'Nodes of the network', unit: 'none', width: 8, isStacked: true },
      question: 'How many nodes does the network have, by status?',
      queries: [{ expr: ofChain('hub_nodes', 'status'), legend: '{{status}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Sessions of the network', unit: 'none', width: 8, isStacked: true },
      question: 'How many sessions exist in the network, by kind and status?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [{ expr: ofChain('hub_sessions', 'kind', 'status'), legend: '{{kind}} {{status}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Traffic of present sessions', unit: 'bytes', width: 8 },
      question: 'How many bytes were reported for the sessions that exist in the network now?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [{ expr: ofChain('hub_session_live_bytes', 'kind', 'direction'), legend: '{{kind}} {{direction}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Leases of the network', unit: 'none', width: 8, isStacked: true },
      question: 'How many leases are running in the network, by renewal policy?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [{ expr: ofChain('hub_leases', 'renewal_policy'), legend: '{{renewal_policy}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Leases of the network that end soon', unit: 'none', width: 8 },
      question: 'How many leases in the network end within each time? Longer times include the shorter ones.',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [{ expr: ofChain('hub_leases_ending', 'within'), legend: 'within {{within}}' }],
    },
    {
      ...{ kind: 'timeseries', title: 'Deposits and unpaid hours of the network', unit: 'grouped', width: 8 },
      question:
        'What is the total of all deposits in the network, and which part is for lease hours that are not paid yet?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [
        { expr: ofChain('hub_deposit_amount', 'denom'), legend: 'deposits, {{denom}}' },
        { expr: ofChain('hub_lease_committed_amount', 'denom'), legend: 'unpaid hours, {{denom}}' },
      ],
    },
    {
      ...{ kind: 'timeseries', title: 'Providers, plans and subscriptions', unit: 'none', width: 12 },
      question: 'How many providers, plans, subscriptions and swaps does the network have?',
      emptyBecause: 'sweeps are off (`sweeps.enabled`).',
      queries: [
        { expr: ofChain('hub_providers', 'status'), legend: 'providers, {{status}}' },
        { expr: ofChain('hub_plans', 'status'), legend: 'plans, {{status}}' },
        { expr: ofChain('hub_subscriptions', 'status'), legend: 'subscriptions, {{status}}' },
        { expr: ofChain('hub_swaps'), legend: 'swaps' },
      ],
    },
    {
      ...{ kind: 'stat', title: 'Open proposals', unit: 'none', width: 4, height: 8 },
      question: 'How many proposals are open, by their stage?',
      alerts: ['HubProposalOpen'],
      queries: [{ expr: ofChain('hub_proposals', 'status'), legend: '{{status}}' }],
    },
    {
      ...{ kind: 'table', title: 'Prices of the oracle', unit: 'none', width: 8 },
      question: 'Which price does the oracle have for each denomination, and how many blocks ago did it last change?',
      alerts: ['HubOraclePriceStale'],
      emptyBecause: 'the oracle has no assets.',
      rows: { denom: 'Denomination' },
      queries: [
        { title: 'Price', expr: ofChain('hub_oracle_asset_price', 'denom') },
        { title: 'Of height', expr: ofChain('hub_oracle_asset_price_height', 'denom'), unit: 'grouped' },
        {
          ...{ title: 'Unchanged for', unit: 'blocks' },
          expr: ofChain(
            '-(hub_oracle_asset_price_seen_height - on (job, instance) group_left () hub_head_height)',
            'denom',
          ),
        },
      ],
    },
  ],
};

/** For people who do the accounting. */
export const ledger: Dashboard = {
  name: 'ledger',
  title: 'Ledger',
  about: 'What did nodes, providers and accounts receive and pay, day by day, and are the books complete?',
  subjects: ['node', 'provider', 'account'],
  from: 'now-30d',
  refresh: '5m',
  rows: [byDay, sums, trust, network],
};
