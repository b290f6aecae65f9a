import type { SessionColumns } from './session-columns.js';

/** Rows of a new list, up to but excluding an end index, that belong to the range that begins at `first`. */
export interface SessionCut {
  readonly first: bigint;
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a list at the ranges of the stored pieces, so that each is compared and written separately. New sessions are at
 * the end, because the chain assigns ascending ids: they fill the last piece and continue in new pieces. Pieces shrink
 * as sessions end and are removed with their last session; pieces are never merged.
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

/** Greatest id of a piece; at least its first, so that no later piece begins at the same id. */
const lastOf = (first: bigint, { ids }: SessionColumns): bigint => {
  const last = ids.at(-1) ?? first;
  return last > first ? last : first;
};

/** First index whose id is at least `id`. */
const placeOf = (ids: BigUint64Array, id: bigint): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0n) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};
