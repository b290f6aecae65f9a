import { randomUUID } from 'node:crypto';
import type { Row, Store } from '../store/store.js';

/** Suppresses notices for a limited time, by rule, subject or both. */
export interface Silence {
  readonly id: string;
  /** `undefined` for every rule. */
  readonly rule: string | undefined;
  /** `undefined` for every subject. */
  readonly subject: string | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly comment: string;
}

export interface SilenceStore {
  add(silence: Omit<Silence, 'id'>): Silence;
  /** Silences that have not ended yet, earliest end first. */
  current(nowMs: number): readonly Silence[];
  /** Ends a silence now; returns `false` if no current silence has this id. */
  end(id: string, nowMs: number): boolean;
}

export const createSilenceStore = (store: Store): SilenceStore => {
  const current = (nowMs: number): readonly Silence[] =>
    store.all('SELECT * FROM silences WHERE until_ms > ? ORDER BY until_ms, id', nowMs).map(silenceOf);
  return {
    current,
    add(facts) {
      const silence = { id: randomUUID().slice(0, 8), ...facts };
      const { id, rule, subject, fromMs, untilMs, comment } = silence;
      store.transaction(() => {
        store.run(
          'INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          rule ?? null,
          subject ?? null,
          fromMs,
          untilMs,
          comment,
        );
      });
      return silence;
    },
    end: (id, nowMs) =>
      store.transaction(() => {
        if (!current(nowMs).some((silence) => silence.id === id)) return false;
        store.run('UPDATE silences SET until_ms = ? WHERE id = ?', nowMs, id);
        return true;
      }),
  };
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const silenceOf = (row: Row): Silence => ({
  id: String(row['id']),
  rule: text(row['rule']),
  subject: text(row['subject']),
  fromMs: Number(row['from_ms']),
  untilMs: Number(row['until_ms']),
  comment: String(row['comment']),
});
