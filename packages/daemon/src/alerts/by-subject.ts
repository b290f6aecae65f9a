interface OfSubject {
  readonly rule: string;
  readonly subject: string;
}

/** Map from rule and subject to a value. Rounds look up thousands of entries, so the two names are not joined into one key. */
export class BySubject<T> {
  readonly #byRule = new Map<string, Map<string, T>>();

  get({ rule, subject }: OfSubject): T | undefined {
    return this.#byRule.get(rule)?.get(subject);
  }

  set({ rule, subject }: OfSubject, value: T): void {
    const ofRule = this.#byRule.get(rule);
    if (ofRule === undefined) this.#byRule.set(rule, new Map([[subject, value]]));
    else ofRule.set(subject, value);
  }

  delete({ rule, subject }: OfSubject): void {
    const ofRule = this.#byRule.get(rule);
    ofRule?.delete(subject);
    if (ofRule?.size === 0) this.#byRule.delete(rule);
  }

  /** Values of one rule, by subject. */
  ofRule(rule: string): ReadonlyMap<string, T> {
    return this.#byRule.get(rule) ?? none;
  }

  rules(): Iterable<string> {
    return this.#byRule.keys();
  }

  *values(): Generator<T, void> {
    for (const ofRule of this.#byRule.values()) yield* ofRule.values();
  }
}

const none: ReadonlyMap<string, never> = new Map<string, never>();
