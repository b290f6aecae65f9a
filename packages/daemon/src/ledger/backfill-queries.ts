import { convertAddress } from '@hubwatch/client/address';
import type { Naming } from '@hubwatch/types/runtime/naming';

/** A search that finds all blocks, or transactions, with a certain event of a subject. */
export interface SubjectSearch {
  readonly method: 'block_search' | 'tx_search';
  /** Neutral name of the event, and the attribute that contains the subject. */
  readonly event: string;
  readonly attribute: string;
  /** Account that is searched instead of the subject, as plain text. */
  readonly payer?: string;
}

interface Kind {
  readonly prefix: string;
  readonly attribute: string;
  readonly begin: readonly string[];
  readonly tx: readonly string[];
}

/**
 * Smallest set of event types that finds every block of a subject. Events that always accompany another are not
 * queried, such as a refund with the end of its lease. @source proto/spec/events.yaml, emitted
 */
const kinds: readonly Kind[] = [
  {
    prefix: 'sentnode1',
    attribute: 'node_address',
    begin: [
      'lease.v1.EventPay',
      'lease.v1.EventRenew',
      'lease.v1.EventEnd',
      'node.v3.EventUpdateStatus',
      'session.v3.EventEnd',
    ],
    tx: [
      'lease.v1.EventCreate',
      'lease.v1.EventUpdateDetails',
      'lease.v1.EventRenew',
      'lease.v1.EventEnd',
      'node.v3.EventUpdateStatus',
      'plan.v3.EventLinkNode',
      'plan.v3.EventUnlinkNode',
      'node.v3.EventCreateSession',
      'subscription.v3.EventCreateSession',
    ],
  },
  {
    prefix: 'sentprov1',
    attribute: 'prov_address',
    begin: ['lease.v1.EventPay', 'lease.v1.EventRenew', 'lease.v1.EventEnd', 'subscription.v3.EventPay'],
    tx: [
      'lease.v1.EventCreate',
      'lease.v1.EventUpdateDetails',
      'lease.v1.EventRenew',
      'lease.v1.EventEnd',
      'provider.v3.EventUpdateStatus',
      'plan.v3.EventLinkNode',
      'plan.v3.EventUnlinkNode',
      'subscription.v3.EventPay',
    ],
  },
  {
    prefix: 'sent1',
    attribute: 'acc_address',
    begin: [
      'deposit.v2.EventAdd',
      'deposit.v2.EventSubtract',
      'session.v3.EventEnd',
      'subscription.v3.EventPay',
      'subscription.v3.EventEnd',
    ],
    tx: [
      'deposit.v2.EventAdd',
      'deposit.v2.EventSubtract',
      'node.v3.EventCreateSession',
      'subscription.v3.EventCreateSession',
      'subscription.v3.EventPay',
      'swap.v1.EventSwap',
    ],
  },
];

/** The set of searches that finds all events of a watched address. */
export const searchesOf = (address: string): readonly SubjectSearch[] => {
  const kind = kinds.find(({ prefix }) => address.startsWith(prefix));
  if (kind === undefined) return [];
  const of = (method: SubjectSearch['method'], events: readonly string[]): SubjectSearch[] =>
    events.map((event) => ({
      method,
      event: `hub.${event}`,
      attribute: event === 'swap.v1.EventSwap' ? 'receiver' : kind.attribute,
    }));
  return [...of('block_search', kind.begin), ...of('tx_search', kind.tx), feesOf(address)];
};

/** An event of the framework: its values are plain text and contain the account itself. */
const feesOf = (address: string): SubjectSearch => ({
  method: 'tx_search',
  event: 'tx',
  attribute: 'fee_payer',
  payer: address.startsWith('sent1') ? address : convertAddress(address, 'account'),
});

/**
 * Search text with the event names of a node. `exact` compares with the JSON text of the address. The engine of hub v12
 * accepts its double quotes; other engines of the same version line reject them. Otherwise the query uses CONTAINS,
 * which takes longer.
 */
export const backfillSearch = (
  { method, event, attribute, payer }: SubjectSearch,
  address: string,
  first: bigint,
  last: bigint,
  naming: Naming,
  exact: boolean,
): string => {
  const height = method === 'block_search' ? 'block.height' : 'tx.height';
  const typed = exact ? `= '"${address}"'` : `CONTAINS '${address}'`;
  const subject = payer === undefined ? typed : `= '${payer}'`;
  return `${naming.eventToWire(event)}.${attribute} ${subject} AND ${height} >= ${first} AND ${height} <= ${last}`;
};
