/** State of one subject in a round. */
export interface Seen {
  readonly subject: string;
  readonly term: string;
  readonly isFiring: boolean;
  /** Number of changes of the subject; included in titles. */
  readonly version: number;
}

/** A row of the outbox in the program's store. */
export interface KeptRow {
  readonly channel: string;
  readonly recipient: string;
  readonly state: string;
  /** The delivery as JSON. */
  readonly notice: string;
}

/** Message from the parent to the program. */
export type Order = { readonly seen: readonly Seen[] } | { readonly silence: string };
