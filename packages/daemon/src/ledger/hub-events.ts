import type { BlockResultsResult, RpcResult } from '@hubwatch/client/rpc';

type Event = BlockResultsResult['beginBlockEvents'][number];

/** What the ledger keeps of a block, in the order of the block. */
export interface Entry {
  readonly kind:
    | 'lease_created'
    | 'lease_paid'
    | 'lease_refunded'
    | 'lease_renewed'
    | 'lease_ended'
    | 'node_active'
    | 'node_inactive';
  /** Node address; empty for a refund of a lease of which the block says nothing else. */
  readonly node: string;
  readonly leaseId: string | undefined;
  readonly provider: string | undefined;
  /** Base unit of `denom`. */
  readonly amount: string | undefined;
  readonly denom: string | undefined;
}

const leaseKinds: Readonly<Record<string, Entry['kind']>> = {
  'hub.lease.v1.EventCreate': 'lease_created',
  'hub.lease.v1.EventPay': 'lease_paid',
  'hub.lease.v1.EventRefund': 'lease_refunded',
  'hub.lease.v1.EventRenew': 'lease_renewed',
  'hub.lease.v1.EventEnd': 'lease_ended',
};

/** Lease and node status events of a block. Values of typed events are JSON texts; one that is not is left out. */
export const hubEntries = (block: RpcResult<'block_results'>): readonly Entry[] => {
  const events = [
    ...block.beginBlockEvents,
    ...block.txsResults.flatMap((result) => (result.code === 0 ? result.events : [])),
    ...block.endBlockEvents,
    ...block.finalizeBlockEvents,
  ];
  const entries = events.flatMap(entryOf);
  const nodes = new Map(entries.flatMap(({ leaseId, node }) => (leaseId && node ? [[leaseId, node] as const] : [])));
  return entries.map((entry) => (entry.node === '' ? { ...entry, node: nodes.get(entry.leaseId ?? '') ?? '' } : entry));
};

const entryOf = (event: Event): Entry[] => {
  const text = textReader(event);
  if (event.type === 'hub.node.v3.EventUpdateStatus') {
    const status = text('status');
    const node = text('node_address');
    if (node === undefined || (status !== 'active' && status !== 'inactive')) return [];
    const kind = status === 'active' ? 'node_active' : 'node_inactive';
    return [{ kind, node, leaseId: undefined, provider: undefined, amount: undefined, denom: undefined }];
  }
  const kind = leaseKinds[event.type];
  const leaseId = text('lease_id');
  if (kind === undefined || leaseId === undefined) return [];
  const coin = coinOf(text('value') ?? text('payment'));
  return [{ kind, node: text('node_address') ?? '', leaseId, provider: text('prov_address'), ...coin }];
};

const textReader =
  (event: Event) =>
  (key: string): string | undefined => {
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

const coinOf = (text: string | undefined): Pick<Entry, 'amount' | 'denom'> => {
  const match = /^(\d+)([a-zA-Z][\w/:.-]*)?$/.exec(text ?? '');
  return { amount: match?.[1], denom: match === null ? undefined : (match[2] ?? '') };
};
