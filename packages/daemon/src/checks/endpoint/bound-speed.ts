/** A bound as it stood at a block time. */
export interface BoundMove {
  readonly timeMs: number;
  readonly height: bigint;
}

/** How a bound moved, and how fast that is. */
export interface BoundSpeed {
  /** What is kept for the next look. */
  readonly moves: readonly BoundMove[];
  /** Blocks by which it moved in a second of chain time, over up to a day; `undefined` until it moved. */
  readonly blocksPerSecond: number | undefined;
}

const dayMs = 86_400_000;

/** The speed after one more look, over the moves of the last day. */
export const speedWith = (known: readonly BoundMove[], now: BoundMove): BoundSpeed => {
  const moves = [...known, now].filter(({ timeMs }) => timeMs > now.timeMs - dayMs);
  // What went back is another copy, whose past says nothing.
  const from = moves.findLastIndex((one, index) => one.height < (moves[index - 1]?.height ?? one.height));
  const recent = moves.slice(Math.max(0, from));
  // The first of each height, and the newest look.
  const kept = recent.filter((one, index) => index === recent.length - 1 || one.height !== recent[index - 1]?.height);
  const [first] = recent;
  const isMoved = first !== undefined && now.height !== first.height && now.timeMs > first.timeMs;
  return {
    moves: kept,
    blocksPerSecond: isMoved ? Number(now.height - first.height) / ((now.timeMs - first.timeMs) / 1_000) : undefined,
  };
};

/** When a height is lost below a bound that moves so, milliseconds; `undefined` while nothing says that it will be. */
export const boundLossMs = (
  required: bigint | undefined,
  bound: bigint | undefined,
  blocksPerSecond: number | undefined,
  nowMs: number,
): number | undefined => {
  if (required === undefined || bound === undefined || blocksPerSecond === undefined || blocksPerSecond <= 0)
    return undefined;
  return bound > required ? undefined : nowMs + (Number(required + 1n - bound) / blocksPerSecond) * 1_000;
};
