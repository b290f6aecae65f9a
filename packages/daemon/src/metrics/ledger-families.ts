import { counter, type Family, type Sample, sample } from '../checks/family.js';
import type { LedgerTotals } from '../ledger/totals.js';

const unit = 'in the base unit of the denomination';

const payouts = counter('hub_lease_payouts_total', ['lease_id'], 'Hours paid of a lease since the ledger began');
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
  `What the node got, ${unit}; the source is lease or session`,
);
const providerReceived = counter(
  'hub_provider_received_amount_total',
  ['provider', 'denom'],
  `What the provider got for subscriptions, ${unit}`,
);
const providerPaid = counter(
  'hub_provider_paid_amount_total',
  ['provider', 'denom'],
  `What the provider paid for lease hours, stakers included, ${unit}`,
);
const providerRefunded = counter(
  'hub_provider_refunded_amount_total',
  ['provider', 'denom'],
  `What the provider got back at the end or renewal of leases, ${unit}`,
);

const families: readonly (readonly [Family, keyof Omit<LedgerTotals, 'add'>])[] = [
  [payouts, 'payouts'],
  [nodeEnds, 'leaseEnds'],
  [started, 'sessionsStarted'],
  [ended, 'sessionsEnded'],
  [nodeReceived, 'nodeReceived'],
  [providerReceived, 'providerReceived'],
  [providerPaid, 'providerPaid'],
  [providerRefunded, 'providerRefunded'],
];

/** Families that are fed by the ledger: counters that miss no block, whatever was down when it came. */
export const ledgerFamilies: readonly Family[] = families.map(([family]) => family);

export const ledgerSamples = (totals: LedgerTotals): readonly Sample[] =>
  families.flatMap(([family, sums]) =>
    [...totals[sums]].map(([key, sum]) => sample(family, key.split(' '), Number(sum))),
  );
