import type { Severity } from '../checks/verdict.js';
import type { Row, Store } from '../store/store.js';
import type { Alert, AlertState } from './alert.js';

/** Ended alerts that are kept for people to look at. */
const keptEnded = 5_000;

export interface AlertStore {
  active(): readonly Alert[];
  /** Newest first. */
  ended(limit: number): readonly Alert[];
  /** Ended alerts whose recovery is not told yet, in the order in which they ended. */
  owing(): readonly Alert[];
  put(alert: Alert): void;
  /** The recovery of these is told. */
  settled(ids: readonly string[]): void;
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
  firedClockMs: optional(row['fired_clock_ms']),
  endedClockMs: optional(row['ended_clock_ms']),
  notified: row['notified'] === 1,
  title: String(row['title']),
  text: String(row['text']),
  groupId: typeof row['group_id'] === 'string' ? row['group_id'] : undefined,
  owesRecovery: row['owes_recovery'] === 1,
});

export const createAlertStore = (store: Store): AlertStore => ({
  active: () => store.all("SELECT * FROM alerts WHERE state <> 'resolved' ORDER BY since_ms, rowid").map(alertOf),
  ended: (limit) =>
    store
      .all("SELECT * FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC, rowid DESC LIMIT ?", limit)
      .map(alertOf),
  owing: () => store.all('SELECT * FROM alerts WHERE owes_recovery = 1 ORDER BY ended_ms, rowid').map(alertOf),
  settled: (ids) => {
    for (const id of ids) store.run('UPDATE alerts SET owes_recovery = 0 WHERE id = ?', id);
  },
  remove: (id) => {
    store.run('DELETE FROM alerts WHERE id = ?', id);
  },
  put(alert) {
    store.run(
      'INSERT OR REPLACE INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
      alert.groupId ?? null,
      alert.owesRecovery ? 1 : 0,
      alert.firedClockMs ?? null,
      alert.endedClockMs ?? null,
    );
    if (alert.state !== 'resolved') return;
    store.run(
      "DELETE FROM alerts WHERE state = 'resolved' AND ended_ms < (SELECT ended_ms FROM alerts WHERE state = 'resolved' ORDER BY ended_ms DESC LIMIT 1 OFFSET ?)",
      keptEnded,
    );
  },
});
