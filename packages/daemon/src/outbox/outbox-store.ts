import { randomUUID } from 'node:crypto';
import type { Notice } from '../alerts/alert.js';
import type { Row, Store } from '../store/store.js';
import type { Attempt, Channel, Delivery } from './channel.js';

/** Delivered and given up rows that are kept. */
const keptEnded = 5_000;

/** A notice that one recipient does not have yet. */
export interface Waiting extends Attempt {
  readonly seq: number;
}

export interface QueueState {
  readonly entries: number;
  /** When the oldest waiting notice was written, milliseconds. */
  readonly oldestMs: number | undefined;
}

/** Notices on their way, one row for each recipient. A row waits until the channel accepted it or it was given up. */
export interface OutboxStore {
  /** Writes a notice for every recipient of each channel. Call inside the commit of the change that it tells of. */
  enqueue(notice: Notice, channels: readonly Pick<Channel, 'name' | 'recipients'>[]): void;
  /**
   * For each stream and recipient its first waiting notice: those that may be sent now. The least tried come first, so that
   * one that always fails is not asked for before all others.
   */
  due(channel: string): readonly Waiting[];
  delivered(seq: number, atMs: number): void;
  failed(seq: number, failure: string): void;
  /** The text was refused: the next attempt is in the short form. */
  shorten(seq: number, failure: string): void;
  giveUp(seq: number, failure: string, atMs: number): void;
  /**
   * Fits what waits to the channels of this start: rows of a store from before there were recipients are for all of them,
   * and what nobody is configured for any more is given up. Answers how many rows were.
   */
  reconcile(channels: readonly Pick<Channel, 'name' | 'recipients'>[], atMs: number): number;
  queue(channel: string): QueueState;
  /** Rows given up since then. */
  givenUp(channel: string, sinceMs: number): number;
}

export const createOutboxStore = (store: Store): OutboxStore => {
  const end = (seq: number, state: 'delivered' | 'dead', atMs: number, failure: string | null): void => {
    store.transaction(() => {
      store.run(
        'UPDATE outbox SET state = ?, ended_ms = ?, attempts = attempts + 1, last_failure = coalesce(?, last_failure) WHERE seq = ?',
        state,
        atMs,
        failure,
        seq,
      );
      store.run("DELETE FROM outbox WHERE state <> 'waiting' AND seq <= (SELECT max(seq) FROM outbox) - ?", keptEnded);
    });
  };
  const threadOf = (stream: string, channel: string): string | undefined => {
    const row = store.all(
      'SELECT thread_id FROM outbox WHERE stream = ? AND channel = ? ORDER BY seq LIMIT 1',
      stream,
      channel,
    )[0];
    return row && String(row['thread_id']);
  };
  const spread = (channel: string, recipients: readonly string[]): void => {
    const rows = store.all(
      "SELECT * FROM outbox WHERE channel = ? AND recipient = '' AND state = 'waiting' ORDER BY seq",
      channel,
    );
    for (const row of rows) {
      for (const recipient of recipients) insert(row, recipient);
      store.run('DELETE FROM outbox WHERE seq = ?', Number(row['seq']));
    }
  };
  const insert = (row: Row, recipient: string): void => {
    store.run(
      'INSERT OR IGNORE INTO outbox (id, recipient, stream, thread_id, channel, notice, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
      String(row['id']),
      recipient,
      String(row['stream']),
      String(row['thread_id']),
      String(row['channel']),
      String(row['notice']),
      Number(row['created_ms']),
    );
  };
  return {
    enqueue({ stream, ...facts }, channels) {
      for (const { name, recipients } of channels) {
        const id = randomUUID();
        const threadId = threadOf(stream, name) ?? id;
        const delivery: Delivery = { id, threadId, ...facts };
        const notice = JSON.stringify(delivery);
        const row = { id, stream, thread_id: threadId, channel: name, notice, created_ms: facts.atMs };
        for (const recipient of recipients) insert(row, recipient);
      }
    },
    due: (channel) =>
      store
        .all(
          "SELECT seq, recipient, is_short, notice FROM outbox WHERE seq IN (SELECT min(seq) FROM outbox WHERE channel = ? AND state = 'waiting' GROUP BY stream, recipient) ORDER BY attempts, seq",
          channel,
        )
        .map(waitingOf),
    delivered: (seq, atMs) => {
      end(seq, 'delivered', atMs, null);
    },
    giveUp: (seq, failure, atMs) => {
      end(seq, 'dead', atMs, failure);
    },
    failed: (seq, failure) => {
      store.run('UPDATE outbox SET attempts = attempts + 1, last_failure = ? WHERE seq = ?', failure, seq);
    },
    shorten: (seq, failure) => {
      store.run(
        'UPDATE outbox SET attempts = attempts + 1, is_short = 1, last_failure = ? WHERE seq = ?',
        failure,
        seq,
      );
    },
    reconcile(channels, atMs) {
      store.transaction(() => {
        for (const { name, recipients } of channels) if (!recipients.includes('')) spread(name, recipients);
      });
      const known = new Set(channels.flatMap(({ name, recipients }) => recipients.map((one) => `${name} ${one}`)));
      const strays = store
        .all("SELECT seq, channel, recipient FROM outbox WHERE state = 'waiting'")
        .filter((row) => !known.has(`${String(row['channel'])} ${String(row['recipient'])}`));
      store.transaction(() => {
        for (const row of strays) end(Number(row['seq']), 'dead', atMs, 'no longer configured');
      });
      return strays.length;
    },
    queue(channel) {
      const row = store.all(
        "SELECT count(*) AS entries, min(created_ms) AS oldest FROM outbox WHERE channel = ? AND state = 'waiting'",
        channel,
      )[0];
      const oldest = row?.['oldest'];
      return { entries: Number(row?.['entries'] ?? 0), oldestMs: typeof oldest === 'number' ? oldest : undefined };
    },
    givenUp(channel, sinceMs) {
      const row = store.all(
        "SELECT count(*) AS rows FROM outbox WHERE channel = ? AND state = 'dead' AND ended_ms >= ?",
        channel,
        sinceMs,
      )[0];
      return Number(row?.['rows'] ?? 0);
    },
  };
};

const waitingOf = (row: Row): Waiting => ({
  seq: Number(row['seq']),
  recipient: String(row['recipient']),
  isShort: row['is_short'] === 1,
  delivery: JSON.parse(String(row['notice'])) as Delivery,
});
