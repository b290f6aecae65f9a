import type { SessionColumns } from './session-columns.js';

/** Rows of a new list, from one place to before another, that belong to the range that begins at `first`. */
export interface SessionCut {
  readonly first: bigint;
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a list at the ranges that the pieces of the list before had, so that each is compared and written by itself. What is new
 * comes at the end, as the chain counts ids upwards: it fills up the last piece and goes on in pieces of their own. Pieces
 * shrink as sessions end and go with the last one; two are never made one.
 */
export const cutSessions = (
  before: readonly (readonly [first: bigint, rows: SessionColumns])[],
  { ids }: SessionColumns,
  pieceRows: number,
): readonly SessionCut[] => {
  const cuts: SessionCut[] = [];
  let from = 0;
  for (const [index, [first, rows]] of before.entries()) {
    const next = before[index + 1]?.[0];
    const inside = placeOf(ids, next ?? lastOf(first, rows) + 1n);
    const to = next === undefined ? Math.max(inside, Math.min(from + pieceRows, ids.length)) : inside;
    cuts.push({ first, from, to });
    from = to;
  }
  for (; from < ids.length; from += pieceRows)
    cuts.push({ first: ids[from] ?? 0n, from, to: Math.min(from + pieceRows, ids.length) });
  return cuts;
};

/** Greatest id of a piece; not below its first, so that no piece after it begins at the same. */
const lastOf = (first: bigint, { ids }: SessionColumns): bigint => {
  const last = ids.at(-1) ?? first;
  return last > first ? last : first;
};

/** First place of an id that is not below `id`. */
const placeOf = (ids: BigUint64Array, id: bigint): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0n) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};
