import { columnsOfText, columnsToText, ending, lapsed, type SessionColumns } from './session-columns.js';
import type { Store } from './store.js';

/** Ended sessions that are named; the others are counted. */
const namesKept = 20;

/** What a poll of a node's sessions tells beside the one before. */
export interface SessionNews {
  /** Sessions that were here at the last poll and are not any more: settled, or gone with their block unread. */
  readonly ended: number;
  /** The last of them by id. */
  readonly endedIds: readonly bigint[];
  /** Sessions that end because no usage was reported before their deadline. */
  readonly lapsed: number;
}

export interface TransferredBytes {
  readonly download: bigint;
  readonly upload: bigint;
}

/** Sessions of every watched node at the last poll, and the bytes that they were seen to move, across restarts. */
export interface SessionHistory {
  /**
   * Takes the whole list of a node. A session that is ending comes with `-time`, the block time since when it does, as its
   * deadline, which is replaced by `lapsed` or `ending` here.
   */
  take(node: string, columns: SessionColumns): SessionNews;
  /** Bytes moved since the node was first looked at; `undefined` before that. */
  transferred(node: string): TransferredBytes | undefined;
}

interface Known extends TransferredBytes {
  readonly columns: SessionColumns;
  readonly text: string;
}

export const createSessionHistory = (store: Store): SessionHistory => {
  const cache = new Map<string, Known>();
  const knownOf = (node: string): Known | undefined => {
    const cached = cache.get(node);
    if (cached !== undefined) return cached;
    const row = store.all('SELECT download, upload, sessions FROM node_sessions WHERE node = ?', node)[0];
    if (row === undefined) return undefined;
    const text = String(row['sessions']);
    const known = {
      download: BigInt(String(row['download'])),
      upload: BigInt(String(row['upload'])),
      columns: columnsOfText(text),
      text,
    };
    cache.set(node, known);
    return known;
  };
  return {
    transferred: knownOf,
    take(node, columns) {
      const before = knownOf(node);
      const { download, upload, news } = compare(before?.columns, columns);
      const known = {
        download: (before?.download ?? 0n) + BigInt(download),
        upload: (before?.upload ?? 0n) + BigInt(upload),
        columns,
        text: columnsToText(columns),
      };
      if (known.text !== before?.text)
        store.run(
          'INSERT OR REPLACE INTO node_sessions (node, download, upload, sessions) VALUES (?, ?, ?, ?)',
          ...[node, String(known.download), String(known.upload), known.text],
        );
      cache.set(node, known);
      return news;
    },
  };
};

interface Comparison {
  readonly download: number;
  readonly upload: number;
  readonly news: SessionNews;
}

/**
 * Walks two lists side by side, both ascending by id. A session that is new moved all its bytes since the list before;
 * counters never shrink on the chain, so that one that does belongs to another history and counts nothing. Without a list
 * before nothing is counted. Settles the marks of `now`.
 */
const compare = (before: SessionColumns | undefined, now: SessionColumns): Comparison => {
  let [download, upload, ended, lapsedCount, at] = [0, 0, 0, 0, 0];
  const endedIds: bigint[] = [];
  const end = (id: bigint): void => {
    ended += 1;
    endedIds.push(id);
    if (endedIds.length > namesKept) endedIds.shift();
  };
  for (let place = 0; place < now.ids.length; place += 1) {
    const id = now.ids[place] ?? 0n;
    while (before !== undefined && at < before.ids.length && (before.ids[at] ?? 0n) < id) end(before.ids[at++] ?? 0n);
    const known = before?.ids[at] === id ? before : undefined;
    if (before !== undefined) {
      download += Math.max(0, (now.downloads[place] ?? 0) - (known?.downloads[at] ?? 0));
      upload += Math.max(0, (now.uploads[place] ?? 0) - (known?.uploads[at] ?? 0));
    }
    const mark = markOf(now.deadlines[place] ?? 0, known?.deadlines[at]);
    now.deadlines[place] = mark;
    if (mark === lapsed) lapsedCount += 1;
    if (known !== undefined) at += 1;
  }
  while (before !== undefined && at < before.ids.length) end(before.ids[at++] ?? 0n);
  return { download, upload, news: { ended, endedIds, lapsed: lapsedCount } };
};

/** A session that was active at the last poll, and ends since its deadline of then, lapsed; before it, it was cancelled. */
const markOf = (mark: number, before: number | undefined): number => {
  if (mark >= lapsed) return mark;
  if (before === undefined || before === ending) return ending;
  return before === lapsed || -mark >= before ? lapsed : ending;
};
