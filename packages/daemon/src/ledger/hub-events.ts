import type { BlockResultsResult, RpcResult } from '@hubwatch/client/rpc';

type Event = BlockResultsResult['beginBlockEvents'][number];

/** What the ledger keeps, in the words of its reports. */
export const entryKinds = [
  'lease_created',
  'lease_updated',
  'lease_paid',
  'lease_refunded',
  'lease_renewed',
  'lease_ended',
  'node_active',
  'node_inactive',
  'provider_active',
  'provider_inactive',
  'session_started',
  'session_paid',
  'session_refunded',
  'session_ended',
  'subscription_created',
  'subscription_paid',
  'subscription_renewed',
  'subscription_ended',
  'swapped',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Why a lease ended. `renewal_failed`: its term was over, and its policy was to renew. */
export const leaseEnds = ['term', 'cancelled', 'renewal_failed', 'node_inactive', 'provider_inactive'] as const;
export type LeaseEnd = (typeof leaseEnds)[number];

/** An event that moved money or a status, in the order of its block. */
export interface Entry {
  readonly kind: EntryKind;
  /** Addresses; empty where the block does not tell. */
  readonly node: string;
  readonly provider: string;
  readonly account: string;
  /** Id of the lease, session or subscription; hash of a swap. */
  readonly record: string;
  /** What the receiver got, in the base unit of `denom`. */
  readonly amount: string | undefined;
  /** What stakers got of the same payment. */
  readonly stakers: string | undefined;
  readonly denom: string | undefined;
  /** Reason of an end, or renewal policy of a lease that was created or updated. */
  readonly detail: string | undefined;
  /** Hours of the term of a lease that was created or renewed. */
  readonly hours: number | undefined;
}

interface Reader {
  readonly kind: EntryKind | ((text: Text) => EntryKind | undefined);
  readonly record?: string;
  readonly coin?: string;
  readonly detail?: string;
  readonly hours?: string;
}

type Text = (key: string) => string | undefined;

const byStatus =
  (active: EntryKind, inactive: EntryKind) =>
  (text: Text): EntryKind | undefined => {
    const status = text('status');
    return status === 'active' ? active : status === 'inactive' ? inactive : undefined;
  };

const lease = { record: 'lease_id' };
const session = { record: 'session_id' };
const subscription = { record: 'subscription_id' };

/** Types of hub events that are kept, and where their values stand. */
const readers: Readonly<Record<string, Reader>> = {
  'hub.lease.v1.EventCreate': {
    kind: 'lease_created',
    ...lease,
    detail: 'renewal_price_policy',
    hours: 'max_hours',
  },
  'hub.lease.v1.EventUpdateDetails': { kind: 'lease_updated', ...lease, detail: 'renewal_price_policy' },
  'hub.lease.v1.EventPay': { kind: 'lease_paid', ...lease, coin: 'payment' },
  'hub.lease.v1.EventRefund': { kind: 'lease_refunded', ...lease, coin: 'value' },
  'hub.lease.v1.EventRenew': { kind: 'lease_renewed', ...lease, hours: 'max_hours' },
  'hub.lease.v1.EventEnd': { kind: 'lease_ended', ...lease },
  'hub.node.v3.EventUpdateStatus': { kind: byStatus('node_active', 'node_inactive') },
  'hub.provider.v3.EventUpdateStatus': { kind: byStatus('provider_active', 'provider_inactive') },
  'hub.node.v3.EventCreateSession': { kind: 'session_started', ...session },
  'hub.subscription.v3.EventCreateSession': { kind: 'session_started', ...session },
  'hub.node.v3.EventPay': { kind: 'session_paid', ...session, coin: 'payment' },
  'hub.node.v3.EventRefund': { kind: 'session_refunded', ...session, coin: 'value' },
  'hub.session.v3.EventEnd': { kind: 'session_ended', ...session },
  'hub.subscription.v3.EventCreate': { kind: 'subscription_created', ...subscription },
  'hub.subscription.v3.EventPay': { kind: 'subscription_paid', ...subscription, coin: 'payment' },
  'hub.subscription.v3.EventRenew': { kind: 'subscription_renewed', ...subscription },
  'hub.subscription.v3.EventEnd': { kind: 'subscription_ended', ...subscription },
  'hub.swap.v1.EventSwap': { kind: 'swapped', record: 'tx_hash' },
};

/**
 * What happened in a block, of transactions those that succeeded. Values of typed events are JSON texts; an event of the
 * same name that is none is left out.
 */
export const hubEntries = (block: RpcResult<'block_results'>): readonly Entry[] => {
  const transactions = block.txsResults.map((result) => (result.code === 0 ? result.events : []));
  const parts = [block.beginBlockEvents, ...transactions, block.endBlockEvents, block.finalizeBlockEvents];
  return withAddresses(
    parts.flatMap((events, part) =>
      withReasons(events.flatMap(entryOf), { isOfBlock: part === 0 || part > transactions.length }),
    ),
  );
};

const entryOf = (event: Event): Entry[] => {
  const reader = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
  if (reader === undefined) return [];
  const text = textReader(event);
  const kind = typeof reader.kind === 'function' ? reader.kind(text) : reader.kind;
  const record = reader.record === undefined ? '' : text(reader.record);
  const node = text('node_address') ?? '';
  const provider = text('prov_address') ?? '';
  if (kind === undefined || record === undefined || (record === '' && node === '' && provider === '')) return [];
  const coin = coinOf(reader.coin === undefined ? undefined : text(reader.coin));
  return [
    {
      kind,
      node,
      provider,
      account: text('acc_address') ?? text('receiver') ?? '',
      record,
      ...coin,
      stakers: coin.amount === undefined ? undefined : coinOf(text('staking_reward')).amount,
      detail: reader.detail === undefined ? undefined : text(reader.detail),
      hours: reader.hours === undefined ? undefined : hoursOf(text(reader.hours)),
    },
  ];
};

const textReader =
  (event: Event): Text =>
  (key) => {
    const written = event.attributes.find((attribute) => attribute.key === key)?.value;
    if (written === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(written);
      return typeof value === 'string' ? value : undefined;
    } catch {
      // A plain event of the same name would not be a typed one; it is none of ours.
      return undefined;
    }
  };

/** A lease of more hours than a number holds does not end in anybody's time. */
const hoursOf = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;

const coinOf = (text: string | undefined): Pick<Entry, 'amount' | 'denom'> => {
  const match = /^(\d+)([a-zA-Z][\w/:.-]*)?$/.exec(text ?? '');
  return { amount: match?.[1], denom: match === null ? undefined : (match[2] ?? '') };
};

/**
 * Says why leases ended. A status that turns inactive is told after the leases that it ends, within its transaction or,
 * of a node whose deadline passed, within the begin of a block; what another node's status stands between, ended before
 * the nodes were looked at, by its term. @source hub messages §4.4, §5.1
 */
const withReasons = (entries: readonly Entry[], { isOfBlock }: { readonly isOfBlock: boolean }): readonly Entry[] =>
  entries.map((entry, at) => {
    if (entry.kind !== 'lease_ended') return entry;
    const isInactive = ({ kind }: Entry): boolean => kind === 'node_inactive' || kind === 'provider_inactive';
    const isCause = ({ kind, node, provider }: Entry): boolean =>
      kind === 'node_inactive' ? node === entry.node : kind === 'provider_inactive' && provider === entry.provider;
    const later = entries.slice(at + 1);
    const cause = isOfBlock ? later.find(isInactive) : later.find(isCause);
    const detail: LeaseEnd =
      cause !== undefined && isCause(cause) ? (cause.kind as LeaseEnd) : isOfBlock ? 'term' : 'cancelled';
    return { ...entry, detail };
  });

/** Refunds name only a record; who it belongs to is told by other events of the block. */
const withAddresses = (entries: readonly Entry[]): readonly Entry[] => {
  const groups = new Map<string, { node: string; provider: string }>();
  const groupOf = ({ kind, record }: Entry): string => `${kind.replace(/_.*/, '')} ${record}`;
  for (const entry of entries) {
    const known = groups.get(groupOf(entry));
    const [node, provider] = [known?.node || entry.node, known?.provider || entry.provider];
    if (entry.record !== '') groups.set(groupOf(entry), { node, provider });
  }
  return entries.map((entry) => {
    const { node = '', provider = '' } = groups.get(groupOf(entry)) ?? {};
    return { ...entry, node: entry.node || node, provider: entry.provider || provider };
  });
};
