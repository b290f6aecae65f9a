import { counter, type Family, type Sample, sample } from '../checks/family.js';
import type { LedgerTotals } from '../ledger/totals.js';

const unit = 'in the base unit of the denomination';

const payouts = counter('hub_lease_payouts_total', ['lease_id'], 'Paid hours of a lease since the ledger began');
const ends = counter('hub_lease_ends_total', ['reason'], 'Ends of leases of watched nodes and providers, by reason');
const nodeEnds = counter(
  'hub_node_leases_ended_total',
  ['node', 'reason'],
  'Leases that ended on the node, by reason: term, cancelled, renewal_failed, node_inactive, provider_inactive',
);
const started = counter('hub_node_sessions_started_total', ['node'], 'Sessions that started on the node');
const ended = counter('hub_node_sessions_ended_total', ['node'], 'Sessions of the node that were settled');
const nodeReceived = counter(
  'hub_node_received_amount_total',
  ['node', 'denom', 'source'],
  `Amount that the node received, ${unit}; the source is lease or session`,
);
const nodeRefunded = counter(
  'hub_node_refunded_amount_total',
  ['node', 'denom', 'source'],
  `Refunds to the providers and clients of the node, ${unit}; the source is lease or session`,
);
const providerReceived = counter(
  'hub_provider_received_amount_total',
  ['provider', 'denom'],
  `Amount that the provider received for subscriptions, ${unit}`,
);
const providerPaid = counter(
  'hub_provider_paid_amount_total',
  ['provider', 'denom'],
  `Amount that the provider paid for lease hours, stakers included, ${unit}`,
);
const providerRefunded = counter(
  'hub_provider_refunded_amount_total',
  ['provider', 'denom'],
  `Refunds to the provider at the end or renewal of leases, ${unit}`,
);
const accountPaid = counter(
  'hub_account_paid_amount_total',
  ['account', 'denom', 'source'],
  `Amount that the account paid as a client, stakers included, ${unit}; the source is session or subscription`,
);
const accountRefunded = counter(
  'hub_account_refunded_amount_total',
  ['account', 'denom'],
  `Refunds to the account when its sessions were settled, ${unit}`,
);
const accountDeposited = counter(
  'hub_account_deposit_added_amount_total',
  ['account', 'denom'],
  `Amount added to the deposit of the account, ${unit}`,
);
const accountWithdrawn = counter(
  'hub_account_deposit_subtracted_amount_total',
  ['account', 'denom'],
  `Amount taken from the deposit of the account, paid or refunded, ${unit}`,
);
const accountSwapped = counter(
  'hub_account_swap_received_amount_total',
  ['account', 'denom'],
  `Amount that the account received from swaps, ${unit}`,
);

const families: readonly (readonly [Family, keyof Omit<LedgerTotals, 'add'>])[] = [
  [payouts, 'payouts'],
  [ends, 'ends'],
  [nodeEnds, 'leaseEnds'],
  [started, 'sessionsStarted'],
  [ended, 'sessionsEnded'],
  [nodeReceived, 'nodeReceived'],
  [nodeRefunded, 'nodeRefunded'],
  [providerReceived, 'providerReceived'],
  [providerPaid, 'providerPaid'],
  [providerRefunded, 'providerRefunded'],
  [accountPaid, 'accountPaid'],
  [accountRefunded, 'accountRefunded'],
  [accountDeposited, 'accountDeposited'],
  [accountWithdrawn, 'accountWithdrawn'],
  [accountSwapped, 'accountSwapped'],
];

/** Families fed by the ledger: counters that miss no block, regardless of outages at that time. */
export const ledgerFamilies: readonly Family[] = families.map(([family]) => family);

export const ledgerSamples = (totals: LedgerTotals): readonly Sample[] =>
  families.flatMap(([family, sums]) =>
    [...totals[sums]].map(([key, sum]) => sample(family, key.split(' '), Number(sum))),
  );
