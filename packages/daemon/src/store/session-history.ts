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

/** Maximum number of ended sessions that are listed by id; the others are only counted. */
const namesKept = 20;
/** Number of sessions compared and written at a time: milliseconds of event loop time, and 170 kB on disk. */
const rowsInPiece = 4_096;

/** Differences between two consecutive polls of a node's sessions. */
export interface SessionNews {
  /** Number of sessions that are no longer listed: settled, or removed in a block that was not read. */
  readonly ended: number;
  /** The last of them by id. */
  readonly endedIds: readonly bigint[];
  /** Number of sessions that end because no usage was reported before their deadline. */
  readonly lapsed: number;
  /**
   * Number of consecutively lapsed sessions, removed ones included, since the last usage update of any session of the
   * node. A session that was silent while another was updated is idle and not counted.
   */
  readonly silent: number;
}

export interface TransferredBytes {
  readonly download: bigint;
  readonly upload: bigint;
}

/** Sessions of every watched node at the last poll, and the bytes observed as transferred, across restarts. */
export interface SessionHistory {
  /**
   * Records the complete list of a node, in pieces between which the event loop runs. An ending session has `-time` as
   * its deadline, where time is the block time since when it is ending; it is replaced by `lapsed` or `ending`. After
   * an interruption, also a crash, the next list continues: the bytes of a piece are added together with the piece.
   */
  take(node: string, columns: SessionColumns): Promise<SessionNews>;
  /** Bytes transferred since the first poll of the node; `undefined` before that. */
  transferred(node: string): TransferredBytes | undefined;
}

/** Sessions by the id at which their range begins, ascending. */
type Pieces = Map<bigint, SessionColumns>;

interface Known extends TransferredBytes, Silence {
  readonly pieces: Pieces;
}

interface Silence {
  /**
   * Deadline of the session with the latest usage update; all deadlines have the same distance from their update. 0 if
   * there was none.
   */
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

  /**
   * Stores the first list of a node: there is nothing to compare with, and the node is unknown until all of it is
   * written.
   */
  const begin = async (node: string, columns: SessionColumns): Promise<SessionNews> => {
    // Removes the remains of an interrupted first list.
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
  /** Latest deadline of a session with a usage update since the previous list. */
  readonly reported: number;
  /** Deadlines at which sessions lapsed since then. */
  readonly lapses: readonly number[];
  readonly download: number;
  readonly upload: number;
}

/**
 * Compares two lists side by side, both ascending by id. All bytes of a new session were transferred since the previous
 * list. Counters never decrease on the chain, so a decreased one belongs to a different history and is not counted.
 * Without a previous list no bytes are counted. Also sets the marks of `now`.
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

/** Whether an active session had a usage update since the previous list; a new one had if it has transferred bytes. */
const isUpdate = (deadline: number, was: number | undefined, now: SessionColumns, place: number): boolean =>
  deadline > ending &&
  (was === undefined ? (now.downloads[place] ?? 0) + (now.uploads[place] ?? 0) > 0 : deadline > was);

/**
 * Mark of an ending session. It lapsed if it was active at the last poll and has been ending since its deadline at that
 * time; if it has been ending from before that, it was cancelled.
 */
const markOf = (mark: number, before: number | undefined): number => {
  if (mark >= lapsed) return mark;
  if (before === undefined || before === ending) return ending;
  return before === lapsed || -mark >= before ? lapsed : ending;
};
