import type { Entry } from './entry.js';

/** Why a lease ended. `renewal_failed`: its term was over, and its policy was to renew; `term`: it was not to, or is not known to. */
export const leaseEnds = ['term', 'cancelled', 'renewal_failed', 'node_inactive', 'provider_inactive'] as const;
export type LeaseEnd = (typeof leaseEnds)[number];

/**
 * Says why leases ended. A status that turns inactive is told after the leases that it ends, within its transaction or,
 * of a node whose deadline passed, within the begin of a block; what another node's status stands between, ended before
 * the nodes were looked at, by its term. @source hub messages §4.4, §5.1
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
