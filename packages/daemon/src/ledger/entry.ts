/** Kinds of ledger entries, by their names in reports. */
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
  'plan_linked',
  'plan_unlinked',
  'session_started',
  'session_paid',
  'session_refunded',
  'session_ended',
  'subscription_created',
  'subscription_paid',
  'subscription_renewed',
  'subscription_ended',
  'deposit_added',
  'deposit_subtracted',
  'swapped',
  'fee_paid',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** An event that moved money or a status, in the order of its block. */
export interface Entry {
  readonly kind: EntryKind;
  /**
   * Addresses; empty if the block does not contain them. For a link to a plan, the account is the sender of the
   * message.
   */
  readonly node: string;
  readonly provider: string;
  readonly account: string;
  /** Id of the lease, session, subscription or plan; hash of a swap, upper-case hex. */
  readonly record: string;
  /** Amount that the receiver got, or that was added to or removed from a deposit, in the base unit of `denom`. */
  readonly amount: string | undefined;
  /** Stakers' share of the same payment. */
  readonly stakers: string | undefined;
  readonly denom: string | undefined;
  /**
   * Reason of an end, renewal policy of a created or updated lease, or the cause of an inactive node or a removed link
   * to a plan.
   */
  readonly detail: string | undefined;
  /** Term in hours of a lease that was created or renewed. */
  readonly hours: number | undefined;
}
