/** State that a part stores per subject between runs. The object identifies the part. */
export interface Kept<T> {
  /** Creates the state of a new subject. */
  make(): T;
}

/**
 * State that checks store between runs. Each daemon has its own, so that two daemons in one process share nothing. Lost at a
 * restart.
 */
export class Memory {
  private readonly parts = new Map<Kept<unknown>, Map<string, unknown>>();

  /** Returns the state of a part for a subject; creates it on first use. */
  of<T>(part: Kept<T>, subject: string): T {
    const subjects = this.parts.get(part) ?? new Map<string, unknown>();
    this.parts.set(part, subjects);
    if (!subjects.has(subject)) subjects.set(subject, part.make());
    return subjects.get(subject) as T;
  }
}
