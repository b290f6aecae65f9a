import type { Alert, Notice } from './alert.js';
import { type Told, toldKey } from './told.js';

/** Changes of one round, stored in one commit. Persistent times are times of day, because they outlive the process. */
export interface Changes {
  /** Current state of changed alerts. */
  readonly put: readonly Alert[];
  /** Ids of alerts that left no trace. */
  readonly removed: readonly string[];
  readonly told: readonly Told[];
  /** Entries that are no longer needed. */
  readonly forgotten: readonly Pick<Told, 'rule' | 'subject'>[];
  readonly notices: readonly Notice[];
}

export class ChangeSet implements Changes {
  readonly #put = new Map<string, Alert>();
  readonly #removed = new Set<string>();
  readonly #told = new Map<string, Told>();
  readonly #forgotten = new Map<string, Pick<Told, 'rule' | 'subject'>>();
  readonly notices: Notice[] = [];

  putAlert(alert: Alert): void {
    this.#put.set(alert.id, alert);
  }

  has(alertId: string): boolean {
    return this.#put.has(alertId);
  }

  removeAlert(id: string): void {
    this.#put.delete(id);
    this.#removed.add(id);
  }

  putTold(told: Told): void {
    this.#forgotten.delete(toldKey(told));
    this.#told.set(toldKey(told), told);
  }

  forgetTold(told: Told): void {
    this.#told.delete(toldKey(told));
    this.#forgotten.set(toldKey(told), told);
  }

  get put(): readonly Alert[] {
    return [...this.#put.values()];
  }

  get removed(): readonly string[] {
    return [...this.#removed];
  }

  get told(): readonly Told[] {
    return [...this.#told.values()];
  }

  get forgotten(): readonly Pick<Told, 'rule' | 'subject'>[] {
    return [...this.#forgotten.values()];
  }

  get isEmpty(): boolean {
    return (
      this.notices.length === 0 &&
      [this.#put, this.#removed, this.#told, this.#forgotten].every(({ size }) => size === 0)
    );
  }
}
