import { turn } from '../turn.js';
import {
  columnsOfText,
  columnsToText,
  ending,
  lapsed,
  emptySessions,
  rowsOf,
  sameColumns,
  type SessionColumns,
} from './session-columns.js';
import { cutSessions } from './session-pieces.js';
import type { Store } from './store.js';

/** Ended sessions that are named; the others are counted. */
const namesKept = 20;
/** Sessions of a node that are compared and written in one go: milliseconds of the loop, and 170 kB on disk. */
const rowsInPiece = 4_096;

/** What a poll of a node's sessions tells beside the one before. */
export interface SessionNews {
  /** Sessions that were here at the last poll and are not any more: settled, or gone with their block unread. */
  readonly ended: number;
  /** The last of them by id. */
  readonly endedIds: readonly bigint[];
  /** Sessions that end because no usage was reported before their deadline. */
  readonly lapsed: number;
  /**
   * Sessions that lapsed one after the other, gone ones too, since any session of the node had a usage update. One that was
   * silent while another was updated is idle, and not among them.
   */
  readonly silent: number;
}

export interface TransferredBytes {
  readonly download: bigint;
  readonly upload: bigint;
}

/** Sessions of every watched node at the last poll, and the bytes that they were seen to move, across restarts. */
export interface SessionHistory {
  /**
   * Takes the whole list of a node, in pieces between which the event loop goes round. A session that is ending comes with
   * `-time`, the block time since when it does, as its deadline, which is replaced by `lapsed` or `ending` here. What ends
   * in the middle, by a crash too, is taken up by the next list: what a piece moved is added with the piece.
   */
  take(node: string, columns: SessionColumns): Promise<SessionNews>;
  /** Bytes moved since the node was first looked at; `undefined` before that. */
  transferred(node: string): TransferredBytes | undefined;
}

/** Sessions by the id that their range begins at, ascending. */
type Pieces = Map<bigint, SessionColumns>;

interface Known extends TransferredBytes, Silence {
  readonly pieces: Pieces;
}

interface Silence {
  /** Deadline of the session that had the latest usage update: as late after it as any deadline is. 0 when none was seen. */
  readonly reported: number;
  readonly silent: number;
}

export const createSessionHistory = (store: Store, pieceRows = rowsInPiece): SessionHistory => {
  const cache = new Map<string, Known>();
  const knownOf = (node: string): Known | undefined => {
    const cached = cache.get(node);
    if (cached !== undefined) return cached;
    const [row] = store.all('SELECT download, upload, reported, silent FROM node_sessions WHERE node = ?', node);
    if (row === undefined) return undefined;
    const pieces = store
      .all('SELECT first, sessions FROM session_pieces WHERE node = ?', node)
      .map((piece) => [BigInt(String(piece['first'])), columnsOfText(String(piece['sessions']))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const known = {
      download: BigInt(String(row['download'])),
      upload: BigInt(String(row['upload'])),
      reported: Number(row['reported']),
      silent: Number(row['silent']),
      pieces: new Map(pieces),
    };
    cache.set(node, known);
    return known;
  };
  const writeNode = (node: string, { download, upload, reported, silent }: TransferredBytes & Silence): void =>
    store.run(
      'INSERT OR REPLACE INTO node_sessions (node, download, upload, reported, silent) VALUES (?, ?, ?, ?, ?)',
      ...[node, String(download), String(upload), reported, silent],
    );
  const writePiece = (node: string, first: bigint, rows: SessionColumns): void => {
    if (rows.ids.length === 0)
      store.run('DELETE FROM session_pieces WHERE node = ? AND first = ?', node, String(first));
    else
      store.run(
        'INSERT OR REPLACE INTO session_pieces (node, first, sessions) VALUES (?, ?, ?)',
        ...[node, String(first), columnsToText(rows)],
      );
  };

  /** The first list of a node: nothing to compare with, and nothing known of it before all of it is written. */
  const begin = async (node: string, columns: SessionColumns): Promise<SessionNews> => {
    // What a start that did not come to its end has left.
    store.run('DELETE FROM session_pieces WHERE node = ?', node);
    const pieces: Pieces = new Map();
    let lapsedCount = 0;
    for (const { first, from, to } of cutSessions([], columns, pieceRows)) {
      const rows = rowsOf(columns, from, to);
      lapsedCount += compare(undefined, rows).lapsed;
      writePiece(node, first, rows);
      pieces.set(first, rows);
      await turn();
    }
    const known = { download: 0n, upload: 0n, reported: 0, silent: lapsedCount, pieces };
    writeNode(node, known);
    cache.set(node, known);
    return { ended: 0, endedIds: [], lapsed: lapsedCount, silent: lapsedCount };
  };

  const goOn = async (node: string, before: Known, columns: SessionColumns): Promise<SessionNews> => {
    const ended: bigint[] = [];
    const lapses: number[] = [];
    let [endedCount, lapsedCount] = [0, 0];
    let { download, upload, reported } = before;
    for (const { first, from, to } of cutSessions([...before.pieces], columns, pieceRows)) {
      const old = before.pieces.get(first) ?? emptySessions;
      const rows = rowsOf(columns, from, to);
      const found = compare(old, rows);
      endedCount += found.ended;
      ended.push(...found.endedIds);
      lapsedCount += found.lapsed;
      lapses.push(...found.lapses);
      reported = Math.max(reported, found.reported);
      if (!sameColumns(old, rows)) {
        download += BigInt(found.download);
        upload += BigInt(found.upload);
        const sums = { download, upload, reported: before.reported, silent: before.silent };
        store.transaction(() => {
          writePiece(node, first, rows);
          if (found.download > 0 || found.upload > 0) writeNode(node, sums);
        });
        const pieces = before.pieces.set(first, rows);
        if (rows.ids.length === 0) pieces.delete(first);
        cache.set(node, { ...sums, pieces });
      }
      await turn();
    }
    const news = { ended: endedCount, endedIds: ended.slice(-namesKept), lapsed: lapsedCount };
    const silent =
      (reported > before.reported ? 0 : before.silent) + lapses.filter((deadline) => deadline >= reported).length;
    if (reported !== before.reported || silent !== before.silent) {
      const known = { download, upload, reported, silent, pieces: before.pieces };
      writeNode(node, known);
      cache.set(node, known);
    }
    return { ...news, silent };
  };

  return {
    transferred: knownOf,
    take(node, columns) {
      const before = knownOf(node);
      return before === undefined ? begin(node, columns) : goOn(node, before, columns);
    },
  };
};

interface Comparison extends Omit<SessionNews, 'silent'> {
  /** Latest deadline of a session that had a usage update since the list before. */
  readonly reported: number;
  /** Deadlines at which sessions lapsed since then. */
  readonly lapses: readonly number[];
  readonly download: number;
  readonly upload: number;
}

/**
 * Walks two lists side by side, both ascending by id. A session that is new moved all its bytes since the list before;
 * counters never shrink on the chain, so that one that does belongs to another history and counts nothing. Without a list
 * before nothing is counted. Settles the marks of `now`.
 */
const compare = (before: SessionColumns | undefined, now: SessionColumns): Comparison => {
  let [download, upload, ended, lapsedCount, at] = [0, 0, 0, 0, 0];
  const endedIds: bigint[] = [];
  const lapses: number[] = [];
  let reported = 0;
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
    const was = known?.deadlines[at];
    const mark = markOf(now.deadlines[place] ?? 0, was);
    now.deadlines[place] = mark;
    if (mark === lapsed) {
      lapsedCount += 1;
      if (was !== undefined && was > ending) lapses.push(was);
    } else if (before !== undefined && isUpdate(mark, was, now, place)) reported = Math.max(reported, mark);
    if (known !== undefined) at += 1;
  }
  while (before !== undefined && at < before.ids.length) end(before.ids[at++] ?? 0n);
  return { download, upload, ended, endedIds, lapsed: lapsedCount, reported, lapses };
};

/** Whether an active session had a usage update since the list before; one that is new had if it has moved bytes. */
const isUpdate = (deadline: number, was: number | undefined, now: SessionColumns, place: number): boolean =>
  deadline > ending &&
  (was === undefined ? (now.downloads[place] ?? 0) + (now.uploads[place] ?? 0) > 0 : deadline > was);

/** A session that was active at the last poll, and ends since its deadline of then, lapsed; before it, it was cancelled. */
const markOf = (mark: number, before: number | undefined): number => {
  if (mark >= lapsed) return mark;
  if (before === undefined || before === ending) return ending;
  return before === lapsed || -mark >= before ? lapsed : ending;
};
