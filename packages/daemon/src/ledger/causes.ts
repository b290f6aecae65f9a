import type { Entry } from './entry.js';

/** Why a node became inactive: its deadline passed, or it sent a status message. */
export type InactiveCause = 'deadline' | 'message';
/** Why a node was unlinked from a plan: the lease behind the link ended, or the provider sent a message. */
export type UnlinkCause = 'lease_end' | 'message';

/**
 * Adds the causes of inactive nodes and removed links to the entries of one begin of block or one transaction.
 * Deadlines are handled at the begin of a block; the sender causes all changes in a transaction. The chain emits the
 * end of a lease after the links that it removes.
 * @param sender sender of the transaction; `undefined` for events of a block
 */
export const withCauses = (
  entries: readonly Entry[],
  { sender }: { readonly sender: string | undefined },
): readonly Entry[] =>
  entries.map((entry, at) => {
    const byDeadline: InactiveCause = sender === undefined ? 'deadline' : 'message';
    if (entry.kind === 'node_inactive') return { ...entry, detail: byDeadline };
    if (entry.kind !== 'plan_unlinked' && entry.kind !== 'plan_linked') return entry;
    const account = sender ?? '';
    if (entry.kind === 'plan_linked') return { ...entry, account };
    const endsLease = entries
      .slice(at + 1)
      .some(({ kind, node, provider }) => kind === 'lease_ended' && node === entry.node && provider === entry.provider);
    const cause: UnlinkCause = endsLease || sender === undefined ? 'lease_end' : 'message';
    return { ...entry, account, detail: cause };
  });
