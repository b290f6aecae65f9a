import type { Alert } from './alert.js';
import { BySubject } from './by-subject.js';

/** Pending and firing alerts, in the order in which they began and by rule and subject. */
export class ActiveAlerts {
  readonly #byId = new Map<string, Alert>();
  /** A subject has more than one alert only if a new term has begun and the old one is not closed yet. */
  readonly #bySubject = new BySubject<readonly Alert[]>();

  constructor(alerts: Iterable<Alert>) {
    for (const alert of alerts) this.set(alert);
  }

  all(): readonly Alert[] {
    return [...this.#byId.values()];
  }

  *ofRules(rules: Iterable<string>): Generator<Alert, void> {
    for (const rule of rules) for (const alerts of this.ofRule(rule).values()) yield* alerts;
  }

  /** Alerts of one rule, by subject. */
  ofRule(rule: string): ReadonlyMap<string, readonly Alert[]> {
    return this.#bySubject.ofRule(rule);
  }

  rules(): Iterable<string> {
    return this.#bySubject.rules();
  }

  get(rule: string, subject: string, term: string): Alert | undefined {
    return this.#bySubject.get({ rule, subject })?.find((alert) => alert.term === term);
  }

  withId(id: string): Alert | undefined {
    return this.#byId.get(id);
  }

  /** Adds an alert; replaces one of the same rule, subject and term. */
  set(alert: Alert): void {
    const others = this.#without(alert, alert.id);
    this.#byId.set(alert.id, alert);
    this.#bySubject.set(alert, [...others, alert]);
  }

  delete(alert: Pick<Alert, 'rule' | 'subject' | 'term'>): void {
    const left = this.#without(alert);
    if (left.length > 0) this.#bySubject.set(alert, left);
    else this.#bySubject.delete(alert);
  }

  /** Alerts of a subject in other terms. Those in this term are removed, except for the position of `keptId` in the order. */
  #without(alert: Pick<Alert, 'rule' | 'subject' | 'term'>, keptId?: string): readonly Alert[] {
    const known = this.#bySubject.get(alert) ?? [];
    for (const { id, term } of known) if (term === alert.term && id !== keptId) this.#byId.delete(id);
    return known.filter(({ term }) => term !== alert.term);
  }
}
