import type { Entry } from './entry.js';

/** What made a node inactive: its deadline passed, or a status message of its own. */
export type InactiveCause = 'deadline' | 'message';
/** What removed the link of a node to a plan: the end of the lease that the link depends on, or a message of the provider. */
export type UnlinkCause = 'lease_end' | 'message';

/**
 * Adds to entries of one begin of block, or of one transaction, why a node went inactive and why a link was removed. Deadlines
 * are handled at the begin of a block; everything in a transaction is the doing of its sender. The end of a lease comes after
 * the links that it removes. @source hub messages §4.4, §5.1
 * @param sender of the transaction; `undefined` for events of a block
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
