/** What a round sees of one subject. */
export interface Seen {
  readonly subject: string;
  readonly term: string;
  readonly isFiring: boolean;
  /** Counts the changes of the subject; titles carry it. */
  readonly version: number;
}

/** A row of the outbox as the program's store holds it. */
export interface KeptRow {
  readonly channel: string;
  readonly recipient: string;
  readonly state: string;
  /** The delivery, as JSON. */
  readonly notice: string;
}

/** What the parent of the program sends to it. */
export type Order = { readonly seen: readonly Seen[] } | { readonly silence: string };
