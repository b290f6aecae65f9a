import type { NoticeMember } from '../alerts/alert.js';
import type { Row, Store } from '../store/store.js';
import { limits } from '../store/tables.js';
import type { Delivery } from './channel.js';

/** A notice for one recipient, as stored. */
export interface OutboxRow {
  readonly seq: number;
  readonly channel: string;
  readonly recipient: string;
  readonly stream: string;
  readonly isShort: boolean;
  readonly delivery: Delivery;
}

/** `overtaken`: not sent, because a later notice about the same alerts is sent instead. `dead`: given up. */
export type RowEnd = 'delivered' | 'overtaken' | 'dead';

/** Outbox rows on disk. Every write can be repeated. */
export interface OutboxStore {
  /** Rows to send, in the order in which they were written. */
  waiting(): readonly OutboxRow[];
  /** Number of the last row ever written. */
  lastSeq(): number;
  /** Id of the first notice of a stream on a channel. */
  threadOf(stream: string, channel: string): string | undefined;
  insert(row: OutboxRow): void;
  end(seq: number, state: RowEnd, atMs: number, failure?: string): void;
  failed(seq: number, failure: string, isShort: boolean): void;
  /** Number of rows given up since this time. */
  givenUp(channel: string, sinceMs: number): number;
}

export const createOutboxStore = (store: Store): OutboxStore => ({
  waiting: () => store.all("SELECT * FROM outbox WHERE state = 'waiting' ORDER BY seq").map((row) => rowOf(store, row)),
  lastSeq: () => Number(store.all('SELECT max(seq) AS seq FROM outbox')[0]?.['seq'] ?? 0),
  threadOf(stream, channel) {
    const row = store.all(
      'SELECT thread_id FROM outbox WHERE stream = ? AND channel = ? ORDER BY seq LIMIT 1',
      stream,
      channel,
    )[0];
    return row && String(row['thread_id']);
  },
  insert({ seq, channel, recipient, stream, isShort, delivery }) {
    store.run(
      'INSERT OR REPLACE INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, is_short) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      seq,
      delivery.id,
      recipient,
      stream,
      delivery.threadId,
      channel,
      JSON.stringify(delivery),
      delivery.atMs,
      isShort ? 1 : 0,
    );
  },
  end(seq, state, atMs, failure) {
    store.run(
      'UPDATE outbox SET state = ?, ended_ms = ?, attempts = attempts + 1, last_failure = coalesce(?, last_failure) WHERE seq = ?',
      state,
      atMs,
      failure ?? null,
      seq,
    );
    store.run(
      "DELETE FROM outbox WHERE state <> 'waiting' AND seq <= (SELECT max(seq) FROM outbox) - ?",
      limits.endedNotices,
    );
  },
  failed: (seq, failure, isShort) => {
    store.run(
      'UPDATE outbox SET attempts = attempts + 1, is_short = ?, last_failure = ? WHERE seq = ?',
      isShort ? 1 : 0,
      failure,
      seq,
    );
  },
  givenUp(channel, sinceMs) {
    const row = store.all(
      "SELECT count(*) AS rows FROM outbox WHERE channel = ? AND state = 'dead' AND ended_ms >= ?",
      channel,
      sinceMs,
    )[0];
    return Number(row?.['rows'] ?? 0);
  },
});

const rowOf = (store: Store, row: Row): OutboxRow => {
  const stream = String(row['stream']);
  const delivery = JSON.parse(String(row['notice'])) as Delivery | Omit<Delivery, 'members'>;
  return {
    seq: Number(row['seq']),
    channel: String(row['channel']),
    recipient: String(row['recipient']),
    stream,
    isShort: row['is_short'] === 1,
    delivery: 'members' in delivery ? delivery : { ...delivery, members: membersOf(store, stream, delivery) },
  };
};

/** Alerts in a notice from a version that did not store them: those of its stream. */
const membersOf = (
  store: Store,
  stream: string,
  { title, kind }: Pick<Delivery, 'title' | 'kind'>,
): readonly NoticeMember[] => {
  const isFiring = kind === 'firing';
  const alerts = store.all('SELECT subject, title FROM alerts WHERE id = ? OR group_id = ?', stream, stream);
  if (alerts.length === 0) return [{ subject: stream, title, isFiring }];
  // The alert in a final notice is stored with the title that it had when it fired.
  const titleOf = (alert: Row): string => (alerts.length === 1 ? title : String(alert['title']));
  return alerts.map((alert) => ({ subject: String(alert['subject']), title: titleOf(alert), isFiring }));
};
