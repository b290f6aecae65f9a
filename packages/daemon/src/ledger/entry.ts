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
  /** Addresses; empty where the block does not tell. Of a plan's link the account is the one that sent the message. */
  readonly node: string;
  readonly provider: string;
  readonly account: string;
  /** Id of the lease, session, subscription or plan; hash of a swap, upper-case hex. */
  readonly record: string;
  /** What the receiver got, or what was put into a deposit or taken from it, in the base unit of `denom`. */
  readonly amount: string | undefined;
  /** What stakers got of the same payment. */
  readonly stakers: string | undefined;
  readonly denom: string | undefined;
  /**
   * Reason of an end, renewal policy of a lease that was created or updated, or what made a node inactive or removed its link
   * to a plan.
   */
  readonly detail: string | undefined;
  /** Hours of the term of a lease that was created or renewed. */
  readonly hours: number | undefined;
}
