import type { BlockResultsResult, RpcResult } from '@hubwatch/client/rpc';
import type { Entry, EntryKind } from './entry.js';
import { withCauses } from './causes.js';
import { withReasons } from './lease-ends.js';

type Event = BlockResultsResult['beginBlockEvents'][number];

interface Reader {
  readonly kind: EntryKind | ((text: Text) => EntryKind | undefined);
  readonly record?: string;
  readonly coins?: string | ((account: string, transfer: Event | undefined) => string | undefined);
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
const plan = { record: 'plan_id' };

/** The swap event has no amount; the transfer before it has. */
const receivedIn = (account: string, transfer: Event | undefined): string | undefined => {
  const plain = (key: string): string | undefined =>
    transfer?.attributes.find((attribute) => attribute.key === key)?.value;
  return plain('recipient') === account ? plain('amount') : undefined;
};

/** Stored types of hub events, and the position of their values. */
const readers: Readonly<Record<string, Reader>> = {
  'hub.lease.v1.EventCreate': {
    kind: 'lease_created',
    ...lease,
    detail: 'renewal_price_policy',
    hours: 'max_hours',
  },
  'hub.lease.v1.EventUpdateDetails': { kind: 'lease_updated', ...lease, detail: 'renewal_price_policy' },
  'hub.lease.v1.EventPay': { kind: 'lease_paid', ...lease, coins: 'payment' },
  'hub.lease.v1.EventRefund': { kind: 'lease_refunded', ...lease, coins: 'value' },
  'hub.lease.v1.EventRenew': { kind: 'lease_renewed', ...lease, hours: 'max_hours' },
  'hub.lease.v1.EventEnd': { kind: 'lease_ended', ...lease },
  'hub.node.v3.EventUpdateStatus': { kind: byStatus('node_active', 'node_inactive') },
  'hub.provider.v3.EventUpdateStatus': { kind: byStatus('provider_active', 'provider_inactive') },
  'hub.plan.v3.EventLinkNode': { kind: 'plan_linked', ...plan },
  'hub.plan.v3.EventUnlinkNode': { kind: 'plan_unlinked', ...plan },
  'hub.node.v3.EventCreateSession': { kind: 'session_started', ...session },
  'hub.subscription.v3.EventCreateSession': { kind: 'session_started', ...session },
  'hub.node.v3.EventPay': { kind: 'session_paid', ...session, coins: 'payment' },
  'hub.node.v3.EventRefund': { kind: 'session_refunded', ...session, coins: 'value' },
  'hub.session.v3.EventEnd': { kind: 'session_ended', ...session },
  'hub.subscription.v3.EventCreate': { kind: 'subscription_created', ...subscription },
  'hub.subscription.v3.EventPay': { kind: 'subscription_paid', ...subscription, coins: 'payment' },
  'hub.subscription.v3.EventRenew': { kind: 'subscription_renewed', ...subscription },
  'hub.subscription.v3.EventEnd': { kind: 'subscription_ended', ...subscription },
  'hub.deposit.v2.EventAdd': { kind: 'deposit_added', coins: 'value' },
  'hub.deposit.v2.EventSubtract': { kind: 'deposit_subtracted', coins: 'value' },
  'hub.swap.v1.EventSwap': { kind: 'swapped', record: 'tx_hash', coins: receivedIn },
};

/**
 * Entries of a block, from successful transactions only. Values of typed events are JSON texts; a plain event of the
 * same name is skipped.
 */
export const hubEntries = (block: RpcResult<'block_results'>): readonly Entry[] => {
  const ofBlock = (events: readonly Event[]): readonly Entry[] =>
    withCauses(withReasons(entriesOf(events), { isOfBlock: true }), { sender: undefined });
  return withAddresses([
    ...ofBlock(block.beginBlockEvents),
    ...block.txsResults.flatMap(({ code, events }) => [
      ...feesOf(events),
      ...withCauses(withReasons(code === 0 ? entriesOf(events) : [], { isOfBlock: false }), {
        sender: senderOf(events),
      }),
    ]),
    ...ofBlock(block.endBlockEvents),
    ...ofBlock(block.finalizeBlockEvents),
  ]);
};

/** Nodes whose prices or addresses changed in a block. */
export const changedNodes = (block: RpcResult<'block_results'>): readonly string[] =>
  block.txsResults
    .filter(({ code }) => code === 0)
    .flatMap(({ events }) => events)
    .filter(({ type }) => type === 'hub.node.v3.EventUpdateDetails')
    .flatMap((event) => textReader(event)('node_address') ?? []);

/** The account that signed the message of a transaction; empty if the events do not name it. */
const senderOf = (events: readonly Event[]): string =>
  events
    .filter(({ type }) => type === 'message')
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'sender'))[0]?.value ?? '';

/**
 * The fee of a transaction, paid regardless of success. If the transaction concerns exactly one node, the entry names
 * it.
 */
const feesOf = (events: readonly Event[]): readonly Entry[] => {
  const paid = events.find(
    ({ type, attributes }) => type === 'tx' && attributes.some(({ key }) => key === 'fee_payer'),
  );
  const plain = (key: string): string => paid?.attributes.find((attribute) => attribute.key === key)?.value ?? '';
  const [account, fee] = [plain('fee_payer'), plain('fee')];
  if (account === '' || fee === '') return [];
  const nodes = new Set(
    events
      .filter(({ type }) => type === 'hub.node.v3.EventUpdateStatus')
      .flatMap((event) => textReader(event)('node_address') ?? []),
  );
  const [node = ''] = nodes.size === 1 ? nodes : [];
  const record = { record: '', provider: '', stakers: undefined, detail: undefined, hours: undefined };
  return coinsOf(fee).map((coin): Entry => ({ kind: 'fee_paid', account, node, ...record, ...coin }));
};

const entriesOf = (events: readonly Event[]): Entry[] => {
  let transfer: Event | undefined;
  return events.flatMap((event) => {
    if (event.type === 'transfer') transfer = event;
    return entryOf(event, transfer);
  });
};

/** One entry per denomination. */
const entryOf = (event: Event, transfer: Event | undefined): Entry[] => {
  const reader = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
  if (reader === undefined) return [];
  const text = textReader(event);
  const kind = typeof reader.kind === 'function' ? reader.kind(text) : reader.kind;
  const record = reader.record === undefined ? '' : text(reader.record);
  const node = text('node_address') ?? '';
  const provider = text('prov_address') ?? '';
  const account = text('acc_address') ?? text('receiver') ?? '';
  if (kind === undefined || record === undefined || [record, node, provider, account].every((one) => one === ''))
    return [];
  const { coins } = reader;
  const written = typeof coins === 'function' ? coins(account, transfer) : coins === undefined ? coins : text(coins);
  return coinsOf(written).map((coin) => ({
    kind,
    node,
    provider,
    account,
    record: reader.record === 'tx_hash' ? Buffer.from(record, 'base64').toString('hex').toUpperCase() : record,
    ...coin,
    stakers: coin.amount === undefined ? undefined : coinsOf(text('staking_reward'))[0]?.amount,
    detail: reader.detail === undefined ? undefined : text(reader.detail),
    hours: reader.hours === undefined ? undefined : hoursOf(text(reader.hours)),
  }));
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
      // A plain event of the same name is not a typed hub event.
      return undefined;
    }
  };

/** Hours that exceed the range of a number are dropped: such a lease never ends in practice. */
const hoursOf = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;

/** Coins of a list, such as `5udvpn,7uother`; one without an amount if none can be parsed. */
const coinsOf = (text = ''): readonly Pick<Entry, 'amount' | 'denom'>[] =>
  text.split(',').map((coin) => {
    const match = /^(\d+)([a-zA-Z][\w/:.-]*)?$/.exec(coin);
    return { amount: match?.[1], denom: match === null ? undefined : (match[2] ?? '') };
  });

/** Refund events contain only a record id; other events of the block contain its owner. */
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
