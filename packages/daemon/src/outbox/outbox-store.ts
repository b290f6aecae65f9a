import { randomUUID } from 'node:crypto';
import type { Notice } from '../alerts/alert.js';
import type { Store } from '../store/store.js';
import type { Delivery } from './channel.js';

/** Delivered and given up rows that are kept. */
const keptEnded = 5_000;

export interface QueueState {
  readonly entries: number;
  /** When the oldest waiting notice was written, milliseconds. */
  readonly oldestMs: number | undefined;
}

/** Notices on their way. A row is waiting until the channel accepted it or it was given up. */
export interface OutboxStore {
  /** Writes a notice once for each channel. Call inside the commit of the change that it tells of. */
  enqueue(notice: Notice, channels: readonly string[]): void;
  /** For each alert its first waiting notice: those that may be sent now, oldest first. */
  due(channel: string): readonly Delivery[];
  delivered(id: string, atMs: number): void;
  failed(id: string, failure: string): void;
  giveUp(id: string, failure: string, atMs: number): void;
  queue(channel: string): QueueState;
}

export const createOutboxStore = (store: Store): OutboxStore => {
  const end = (id: string, state: 'delivered' | 'dead', atMs: number, failure: string | null): void => {
    store.transaction(() => {
      store.run(
        'UPDATE outbox SET state = ?, ended_ms = ?, attempts = attempts + 1, last_failure = coalesce(?, last_failure) WHERE id = ?',
        state,
        atMs,
        failure,
        id,
      );
      store.run("DELETE FROM outbox WHERE state <> 'waiting' AND seq <= (SELECT max(seq) FROM outbox) - ?", keptEnded);
    });
  };
  return {
    enqueue({ kind, alert, title, text, atMs }, channels) {
      for (const channel of channels) {
        const id = randomUUID();
        const thread = store.all(
          'SELECT thread_id FROM outbox WHERE alert_id = ? AND channel = ? ORDER BY seq LIMIT 1',
          alert.id,
          channel,
        )[0];
        const threadId = thread === undefined ? id : String(thread['thread_id']);
        const delivery: Delivery = {
          id,
          threadId,
          kind,
          rule: alert.rule,
          severity: alert.severity,
          title,
          text,
          atMs,
        };
        store.run(
          'INSERT INTO outbox (id, alert_id, thread_id, channel, notice, created_ms) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          alert.id,
          threadId,
          channel,
          JSON.stringify(delivery),
          atMs,
        );
      }
    },
    due: (channel) =>
      store
        .all(
          "SELECT notice FROM outbox WHERE seq IN (SELECT min(seq) FROM outbox WHERE channel = ? AND state = 'waiting' GROUP BY alert_id) ORDER BY seq",
          channel,
        )
        .map((row) => JSON.parse(String(row['notice'])) as Delivery),
    delivered: (id, atMs) => {
      end(id, 'delivered', atMs, null);
    },
    giveUp: (id, failure, atMs) => {
      end(id, 'dead', atMs, failure);
    },
    failed: (id, failure) => {
      store.run('UPDATE outbox SET attempts = attempts + 1, last_failure = ? WHERE id = ?', failure, id);
    },
    queue(channel) {
      const row = store.all(
        "SELECT count(*) AS entries, min(created_ms) AS oldest FROM outbox WHERE channel = ? AND state = 'waiting'",
        channel,
      )[0];
      const oldest = row?.['oldest'];
      return { entries: Number(row?.['entries'] ?? 0), oldestMs: typeof oldest === 'number' ? oldest : undefined };
    },
  };
};
