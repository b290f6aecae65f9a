/** A line of lock or spec that a live node contradicts. */
export interface Drift {
  /** `proto/lock.json:42` */
  readonly line: string;
  readonly what: string;
}
