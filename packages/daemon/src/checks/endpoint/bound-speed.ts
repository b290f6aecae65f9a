/** A bound and the block time at which it was read. */
export interface BoundMove {
  readonly timeMs: number;
  readonly height: bigint;
}

/** Movement of a bound and its speed. */
export interface BoundSpeed {
  /** Stored for the next poll. */
  readonly moves: readonly BoundMove[];
  /** Blocks per second of chain time, over up to one day; `undefined` until the bound moved. */
  readonly blocksPerSecond: number | undefined;
}

const dayMs = 86_400_000;

/** Speed after one more poll, from the movements of the last day. */
export const speedWith = (known: readonly BoundMove[], now: BoundMove): BoundSpeed => {
  const moves = [...known, now].filter(({ timeMs }) => timeMs > now.timeMs - dayMs);
  // A bound that decreased belongs to another copy of the data, whose history does not apply.
  const from = moves.findLastIndex((one, index) => one.height < (moves[index - 1]?.height ?? one.height));
  const recent = moves.slice(Math.max(0, from));
  // The first entry for each height, and the latest poll.
  const kept = recent.filter((one, index) => index === recent.length - 1 || one.height !== recent[index - 1]?.height);
  const [first] = recent;
  const isMoved = first !== undefined && now.height !== first.height && now.timeMs > first.timeMs;
  return {
    moves: kept,
    blocksPerSecond: isMoved ? Number(now.height - first.height) / ((now.timeMs - first.timeMs) / 1_000) : undefined,
  };
};

/** When a bound that moves at this speed passes a height, in milliseconds; `undefined` if this cannot be predicted. */
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
