import type { Alert } from './alert.js';

/** Alerts that are pending or firing: in the order in which they began, and by rule and subject. */
export class ActiveAlerts {
  readonly #byId = new Map<string, Alert>();
  /** A subject has more than one alert only where a new term has begun and the old one is not closed yet. */
  readonly #byRule = new Map<string, Map<string, readonly Alert[]>>();

  constructor(alerts: Iterable<Alert>) {
    for (const alert of alerts) this.set(alert);
  }

  all(): readonly Alert[] {
    return [...this.#byId.values()];
  }

  *ofRules(rules: Iterable<string>): Generator<Alert, void> {
    for (const rule of rules) for (const alerts of this.ofRule(rule).values()) yield* alerts;
  }

  /** Those of one rule, by subject. */
  ofRule(rule: string): ReadonlyMap<string, readonly Alert[]> {
    return this.#byRule.get(rule) ?? none;
  }

  rules(): Iterable<string> {
    return this.#byRule.keys();
  }

  get(rule: string, subject: string, term: string): Alert | undefined {
    return this.ofRule(rule)
      .get(subject)
      ?.find((alert) => alert.term === term);
  }

  withId(id: string): Alert | undefined {
    return this.#byId.get(id);
  }

  /** Takes the place of an alert of the same rule, subject and term. */
  set(alert: Alert): void {
    const { id, rule, subject, term } = alert;
    const bySubject = this.#byRule.get(rule) ?? new Map<string, readonly Alert[]>();
    this.#byRule.set(rule, bySubject);
    const known = bySubject.get(subject) ?? [];
    const others = known.filter((one) => one.term !== term);
    for (const one of known) if (one.term === term && one.id !== id) this.#byId.delete(one.id);
    this.#byId.set(id, alert);
    bySubject.set(subject, [...others, alert]);
  }

  delete({ rule, subject, term }: Pick<Alert, 'rule' | 'subject' | 'term'>): void {
    const bySubject = this.#byRule.get(rule);
    const known = bySubject?.get(subject) ?? [];
    const left = known.filter((one) => one.term !== term);
    for (const one of known) if (one.term === term) this.#byId.delete(one.id);
    if (left.length > 0) bySubject?.set(subject, left);
    else bySubject?.delete(subject);
    if (bySubject?.size === 0) this.#byRule.delete(rule);
  }
}

const none: ReadonlyMap<string, readonly Alert[]> = new Map();
