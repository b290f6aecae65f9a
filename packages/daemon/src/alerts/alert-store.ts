import type { Severity } from '../checks/verdict.js';
import type { Row, Store } from '../store/store.js';
import { limits } from '../store/tables.js';
import type { Alert, AlertState } from './alert.js';
import type { Changes } from './changes.js';
import type { Told } from './told.js';

/** Alerts on disk. Times that must survive a restart are stored as wall-clock times. */
export interface AlertStore {
  active(): readonly Alert[];
  /** Newest first. */
  ended(limit: number): readonly Alert[];
  told(): readonly Told[];
  /** Must be called in a commit. Can be repeated. */
  write(changes: Omit<Changes, 'notices'>): void;
}

const optional = (value: unknown): number | undefined => (value === null ? undefined : Number(value));

const alertOf = (row: Row): Alert => ({
  id: String(row['id']),
  rule: String(row['rule']),
  subject: String(row['subject']),
  term: String(row['term']),
  state: row['state'] as AlertState,
  severity: row['severity'] as Severity,
  sinceMs: Number(row['since_ms']),
  firingMs: optional(row['firing_ms']),
  endedMs: optional(row['ended_ms']),
  firedClockMs: optional(row['fired_clock_ms']),
  endedClockMs: optional(row['ended_clock_ms']),
  notified: row['notified'] === 1,
  hold: { ranMs: Number(row['hold_ran_ms']), sinceMs: optional(row['hold_since_ms']) },
  title: String(row['title']),
  text: String(row['text']),
});

export const createAlertStore = (store: Store): AlertStore => {
  const put = (alert: Alert): void => {
    store.run(
      'INSERT OR REPLACE INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      alert.id,
      alert.rule,
      alert.subject,
      alert.term,
      alert.state,
      alert.severity,
      alert.sinceMs,
      alert.firingMs ?? null,
      alert.endedMs ?? null,
      alert.notified ? 1 : 0,
      alert.title,
      alert.text,
      alert.firedClockMs ?? null,
      alert.endedClockMs ?? null,
      Math.round(alert.hold.ranMs),
      alert.hold.sinceMs === undefined ? null : Math.round(alert.hold.sinceMs),
    );
    if (alert.state !== 'resolved') return;
    store.run(
      "DELETE FROM alerts WHERE state = 'resolved' AND ended_ms < (SELECT ended_ms FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC LIMIT 1 OFFSET ?)",
      limits.endedAlerts,
    );
  };
  return {
    active: () => store.all("SELECT * FROM alerts WHERE state <> 'resolved' ORDER BY since_ms, rowid").map(alertOf),
    ended: (limit) =>
      store
        .all("SELECT * FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC, rowid DESC LIMIT ?", limit)
        .map(alertOf),
    told: () => store.all('SELECT state FROM told').map(({ state }) => JSON.parse(String(state)) as Told),
    write(changes) {
      for (const id of changes.removed) store.run('DELETE FROM alerts WHERE id = ?', id);
      for (const alert of changes.put) put(alert);
      for (const told of changes.told)
        store.run(
          'INSERT OR REPLACE INTO told (rule, subject, state) VALUES (?, ?, ?)',
          told.rule,
          told.subject,
          JSON.stringify(told),
        );
      for (const { rule, subject } of changes.forgotten)
        store.run('DELETE FROM told WHERE rule = ? AND subject = ?', rule, subject);
    },
  };
};
