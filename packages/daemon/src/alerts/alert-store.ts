import type { Severity } from '../checks/verdict.js';
import type { Row, Store } from '../store/store.js';
import type { Alert, AlertState } from './alert.js';

/** Ended alerts that are kept for people to look at. */
const keptEnded = 1_000;

export interface AlertStore {
  active(): readonly Alert[];
  /** Newest first. */
  ended(limit: number): readonly Alert[];
  put(alert: Alert): void;
  remove(id: string): void;
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
  notified: row['notified'] === 1,
  title: String(row['title']),
  text: String(row['text']),
});

export const createAlertStore = (store: Store): AlertStore => ({
  active: () => store.all("SELECT * FROM alerts WHERE state <> 'resolved' ORDER BY since_ms, rowid").map(alertOf),
  ended: (limit) =>
    store
      .all("SELECT * FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC, rowid DESC LIMIT ?", limit)
      .map(alertOf),
  remove: (id) => {
    store.run('DELETE FROM alerts WHERE id = ?', id);
  },
  put(alert) {
    store.run(
      'INSERT OR REPLACE INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
    );
    if (alert.state !== 'resolved') return;
    store.run(
      "DELETE FROM alerts WHERE state = 'resolved' AND ended_ms < (SELECT ended_ms FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC LIMIT 1 OFFSET ?)",
      keptEnded,
    );
  },
});
