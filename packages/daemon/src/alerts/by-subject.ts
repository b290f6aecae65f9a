interface OfSubject {
  readonly rule: string;
  readonly subject: string;
}

/** One value for each rule and subject. Rounds look up thousands, so no key is built from the two names. */
export class BySubject<T extends OfSubject> {
  readonly #byRule = new Map<string, Map<string, T>>();

  constructor(values: Iterable<T> = []) {
    for (const value of values) this.set(value);
  }

  get({ rule, subject }: OfSubject): T | undefined {
    return this.#byRule.get(rule)?.get(subject);
  }

  set(value: T): void {
    const ofRule = this.#byRule.get(value.rule);
    if (ofRule === undefined) this.#byRule.set(value.rule, new Map([[value.subject, value]]));
    else ofRule.set(value.subject, value);
  }

  delete({ rule, subject }: OfSubject): void {
    this.#byRule.get(rule)?.delete(subject);
  }

  /** Those of one rule, by subject. */
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
