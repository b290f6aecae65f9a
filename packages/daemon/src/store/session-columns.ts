/**
 * Sessions of one node, ascending by id, as columns with 32 bytes per session. A node with a hundred thousand sessions
 * takes 3 MB in memory and as much in the store.
 */
export interface SessionColumns {
  readonly ids: BigUint64Array;
  readonly downloads: Float64Array;
  readonly uploads: Float64Array;
  /**
   * Block time in milliseconds at which an active session lapses; `ending` or `lapsed` if it is not active any more.
   */
  readonly deadlines: Float64Array;
}

export const ending = 0;
/** Ending because no usage was reported before its deadline. */
export const lapsed = -1;

/** A session as read by a poll. */
export interface SessionRow {
  readonly id: bigint;
  readonly download: bigint;
  readonly upload: bigint;
  readonly deadline: number;
}

/** Collects rows while pages arrive. */
export interface ColumnsBuilder {
  add(row: SessionRow): void;
  done(): SessionColumns;
}

const column = (length: number): SessionColumns => ({
  ids: new BigUint64Array(length),
  downloads: new Float64Array(length),
  uploads: new Float64Array(length),
  deadlines: new Float64Array(length),
});

/** Copies the rows from one index up to but excluding another. */
export const rowsOf = (
  { ids, downloads, uploads, deadlines }: SessionColumns,
  from: number,
  to: number,
): SessionColumns => ({
  ids: ids.slice(from, to),
  downloads: downloads.slice(from, to),
  uploads: uploads.slice(from, to),
  deadlines: deadlines.slice(from, to),
});

export const emptySessions: SessionColumns = column(0);

export const sameColumns = (a: SessionColumns, b: SessionColumns): boolean =>
  bytesOf(a).every((bytes, at) => bytes.equals(bytesOf(b)[at] ?? bytes));

const bytesOf = ({ ids, downloads, uploads, deadlines }: SessionColumns): readonly Buffer[] =>
  [ids, downloads, uploads, deadlines].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );

export const createColumnsBuilder = (): ColumnsBuilder => {
  let columns = column(64);
  let length = 0;
  let isSorted = true;
  const grow = (): void => {
    const wider = column(columns.ids.length * 2);
    wider.ids.set(columns.ids);
    wider.downloads.set(columns.downloads);
    wider.uploads.set(columns.uploads);
    wider.deadlines.set(columns.deadlines);
    columns = wider;
  };
  return {
    add({ id, download, upload, deadline }) {
      if (length === columns.ids.length) grow();
      columns.ids[length] = id;
      isSorted &&= length === 0 || (columns.ids[length - 1] ?? 0n) < id;
      columns.downloads[length] = exact(download);
      columns.uploads[length] = exact(upload);
      columns.deadlines[length] = deadline;
      length += 1;
    },
    done: () => (isSorted ? rowsOf(columns, 0, length) : sorted(columns, length)),
  };
};

/** Sorts by id and removes duplicate ids. The chain already lists by id, but an endpoint may not. */
const sorted = ({ ids, downloads, uploads, deadlines }: SessionColumns, length: number): SessionColumns => {
  const idAt = (at: number): bigint => ids[at] ?? 0n;
  const order = Array.from({ length }, (_, at) => at)
    .sort((a, b) => (idAt(a) < idAt(b) ? -1 : idAt(a) > idAt(b) ? 1 : 0))
    .filter((at, place, all) => place === 0 || idAt(all[place - 1] ?? 0) !== idAt(at));
  return {
    ids: BigUint64Array.from(order, idAt),
    downloads: Float64Array.from(order, (at) => downloads[at] ?? 0),
    uploads: Float64Array.from(order, (at) => uploads[at] ?? 0),
    deadlines: Float64Array.from(order, (at) => deadlines[at] ?? 0),
  };
};

/** Limits a byte count to the safe integer range, about nine petabytes; no session transfers more. */
const exact = (bytes: bigint): number => Math.min(Number(bytes), Number.MAX_SAFE_INTEGER);

export const columnsToText = (columns: SessionColumns): string => Buffer.concat(bytesOf(columns)).toString('base64');

export const columnsOfText = (text: string): SessionColumns => {
  const { buffer } = Uint8Array.from(Buffer.from(text, 'base64'));
  const length = Math.floor(buffer.byteLength / 32);
  return {
    ids: new BigUint64Array(buffer, 0, length),
    downloads: new Float64Array(buffer, 8 * length, length),
    uploads: new Float64Array(buffer, 16 * length, length),
    deadlines: new Float64Array(buffer, 24 * length, length),
  };
};
