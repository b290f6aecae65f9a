import type { Entry } from './entry.js';

/**
 * Why a lease ended. `renewal_failed`: its policy allows renewal, but a precondition failed; `term`: no renewal, or
 * unknown.
 */
export const leaseEnds = ['term', 'cancelled', 'renewal_failed', 'node_inactive', 'provider_inactive'] as const;
export type LeaseEnd = (typeof leaseEnds)[number];

/**
 * Adds the reasons why leases ended. The chain emits an inactive status after the leases that it ends, in the transaction or,
 * if a deadline passed, at the begin of the block. A lease whose end is followed by the status of another node ended by its
 * term, because the chain handles leases before nodes.
 */
export const withReasons = (
  entries: readonly Entry[],
  { isOfBlock }: { readonly isOfBlock: boolean },
): readonly Entry[] =>
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
