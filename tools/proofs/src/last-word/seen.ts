/** What a round sees of one subject. */
export interface Seen {
  readonly subject: string;
  readonly term: string;
  readonly isFiring: boolean;
  /** Counts the changes of the subject; titles carry it. */
  readonly version: number;
}
