/** What a part keeps of a subject between its runs. The object itself is the key. */
export interface Kept<T> {
  /** State of a subject that was not seen before. */
  make(): T;
}

/** What checks keep between their runs. A daemon has one, so that two in one process share nothing; a restart begins anew. */
export class Memory {
  private readonly parts = new Map<Kept<unknown>, Map<string, unknown>>();

  /** State of a part about a subject, made at its first use. */
  of<T>(part: Kept<T>, subject: string): T {
    const subjects = this.parts.get(part) ?? new Map<string, unknown>();
    this.parts.set(part, subjects);
    if (!subjects.has(subject)) subjects.set(subject, part.make());
    return subjects.get(subject) as T;
  }
}
