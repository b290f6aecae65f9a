/** Result of one state query at a height. `unclear` (a rate limit, a time-out, a different backend) proves nothing. */
export type StateProbe = 'held' | 'not_held' | 'unclear';

/** Known range of the lowest available state: above `notHeld` and at or below `held`. */
export interface StateBracket {
  readonly held: bigint;
  readonly notHeld: bigint;
  /** Latest state when this was determined. */
  readonly newest: bigint;
  /** A hole was searched for below: `notHeld` is not a single state that an upgrade left out. */
  readonly isConfirmed: boolean;
  /**
   * The last move of the bound matches pruning runs. The next such move is then pruning, and not a hole that ends
   * there.
   */
  readonly isByRuns: boolean;
  /** Number of blocks between two pruning runs, if it was determined. */
  readonly step: bigint | undefined;
}

export interface SearchResult {
  readonly bracket: StateBracket;
  /** Number of state queries made. */
  readonly queries: number;
  /** Why the search is incomplete, if it is. */
  readonly stopped: 'unclear' | 'budget' | undefined;
}

export interface SearchParts {
  readonly probe: (height: bigint) => Promise<StateProbe>;
  /** From 0 up to but excluding 1; a search must not hit the same hole every time. */
  readonly random: () => number;
}

/** State queries of a first search, for chains of up to 30 million blocks. */
export const coldQueries = 27;
/** State queries of a check of a known bound. */
export const warmQueries = 3;

/** Maximum number of consecutive states that an upgrade may leave out. */
const holeWidth = 4n;
/** Depth that most nodes do not reach: the usual pruning keeps 362 880 states, and public nodes about 100 000. */
const usualDepth = 400_000n;
/** Assumed number of blocks between pruning runs until others are observed. */
const usualStep = 10n;
/** Maximum number of blocks between pruning runs in usual configurations. */
const greatestStep = 1_024n;
/** Fraction of the range by which the middle is deliberately missed. */
const jitter = 256;

/** Whether the bound is fully determined. */
export const isExact = ({ held, notHeld, isConfirmed }: StateBracket): boolean => isConfirmed && held === notHeld + 1n;

/** Initial range: the latest state is available, and there is none before the first height. */
export const unknownBracket = (first: bigint, newest: bigint): StateBracket => ({
  held: newest,
  notHeld: first - 1n,
  newest,
  isConfirmed: true,
  isByRuns: false,
  step: undefined,
});

/**
 * Searches for the bound by bisection, with at most `budget` state queries; the next call continues an unfinished
 * search. A refusal counts only if it reports that the state is not available. The result is confirmed slightly below,
 * because a state that an upgrade left out looks like the bound; in that case the search continues below it.
 */
export const searchBound = async (
  start: StateBracket,
  first: bigint,
  budget: number,
  { probe, random }: SearchParts,
): Promise<SearchResult> => {
  let { held, notHeld, isConfirmed } = start;
  const { newest, step, isByRuns } = start;
  /**
   * Heights refused in this call, from which the search continues below a hole. Earlier refusals do not count: the node
   * may have been restored since.
   */
  const refused: bigint[] = [];
  let queries = 0;
  const result = (stopped: SearchResult['stopped']): SearchResult => ({
    bracket: { held, notHeld, newest, isConfirmed, isByRuns: isByRuns && held === start.held, step },
    queries,
    stopped,
  });
  const isFirst = held === newest && notHeld === first - 1n;
  // A state refused in an earlier call may be available again if the node was restored.
  if (!isFirst && notHeld >= first) isConfirmed = false;
  for (;;) {
    const height = held > notHeld + 1n ? middle(held, notHeld, isFirst && queries === 0, random) : below(notHeld);
    if (height === undefined) {
      isConfirmed = true;
      return result(undefined);
    }
    if (queries >= budget) return result('budget');
    queries += 1;
    const answer = await probe(height);
    if (answer === 'unclear') return result('unclear');
    if (answer === 'not_held') {
      refused.push(height);
      if (height > notHeld) [notHeld, isConfirmed] = [height, false];
      else if (height < notHeld) isConfirmed = true;
    } else if (height <= notHeld) {
      // Available below a refused height, or available by now: that height was a hole, or the node was restored.
      held = height;
      notHeld = refused.filter((one) => one < height).reduce((top, one) => (one > top ? one : top), first - 1n);
      isConfirmed = notHeld === first - 1n;
    } else held = height;
  }

  /** Next height to query to decide whether the bound is still refused and not a hole; `undefined` if that is known. */
  function below(bound: bigint): bigint | undefined {
    if (isConfirmed || bound < first) return undefined;
    if (!refused.includes(bound)) return bound;
    // No state existed before the first height, so a bound next to it needs no query.
    const height = bound - holeWidth < first ? first : bound - holeWidth;
    return refused.includes(height) ? undefined : height;
  }
};

const middle = (held: bigint, notHeld: bigint, isFirst: boolean, random: () => number): bigint => {
  if (isFirst && held - notHeld > 2n * usualDepth) return held - usualDepth;
  const range = held - notHeld;
  const offset = BigInt(Math.floor((random() - 0.5) * (Number(range) / jitter)));
  const found = notHeld + range / 2n + offset;
  return found <= notHeld ? notHeld + 1n : found >= held ? held - 1n : found;
};

/** Checks a known bound again with at most three state queries. `newest`: the latest state now. */
export const followBound = async (
  known: StateBracket,
  first: bigint,
  newest: bigint,
  { probe, random }: SearchParts,
): Promise<SearchResult> => {
  const { held, notHeld, step } = known;
  let queries = 0;
  const ask = (height: bigint): Promise<StateProbe> => {
    queries += 1;
    return probe(height);
  };
  const stop = (bracket: StateBracket, stopped?: SearchResult['stopped']): SearchResult => ({
    bracket,
    queries,
    stopped,
  });
  const same = { ...known, newest };
  const present = await ask(held);
  if (present === 'unclear') return stop(known, 'unclear');
  if (present === 'held') {
    if (!isExact(known)) return goOn({ ...known, newest });
    const below = notHeld < first ? 'not_held' : await ask(notHeld);
    if (below === 'unclear') return stop(known, 'unclear');
    // More states are available than before: the node was restored from an older copy, and earlier results are void.
    return stop(below === 'not_held' ? same : { ...unknownBracket(first, notHeld), newest, step });
  }
  // Pruned meanwhile. The bound moves by whole steps when a multiple of the step is reached, and by as much as the head
  // did.
  const by = step ?? usualStep;
  const expected = held + ((newest / by) * by - (known.newest / by) * by);
  const moved: StateBracket = { held: newest, notHeld: held, newest, isConfirmed: true, isByRuns: false, step };
  if (expected <= held || expected >= newest) return upFrom(held);
  const there = await ask(expected);
  if (there === 'unclear') return stop(moved, 'unclear');
  if (there === 'not_held') return upFrom(expected);
  const under = expected - 1n === held ? 'not_held' : await ask(expected - 1n);
  if (under === 'unclear') return stop({ ...moved, held: expected }, 'unclear');
  if (under === 'held') return stop({ ...moved, held: expected - 1n });
  return stop(
    learned({ ...moved, held: expected, notHeld: expected - 1n, isConfirmed: known.isByRuns, isByRuns: true }),
  );

  /** The bound moved, but not as expected: by at most the greatest step, which the next checks narrow down. */
  async function upFrom(notThere: bigint): Promise<SearchResult> {
    const far = notThere + greatestStep;
    if (far >= newest) return goOn({ ...moved, notHeld: notThere });
    const there = await ask(far);
    if (there === 'unclear') return stop(moved, 'unclear');
    return goOn(there === 'held' ? { ...moved, held: far, notHeld: notThere } : { ...moved, notHeld: far });
  }

  async function goOn(bracket: StateBracket): Promise<SearchResult> {
    const rest = await searchBound(bracket, first, warmQueries - queries, { probe, random });
    return { ...rest, bracket: learned(rest.bracket), queries: queries + rest.queries };
  }

  /** The step after a move: if the bound moved twice as far as the head, it was one run and not several small ones. */
  function learned(bracket: StateBracket): StateBracket {
    if (!isExact(bracket) || !isExact(known)) return bracket;
    const move = bracket.held - held;
    return move > 0n && 2n * (newest - known.newest) <= move ? { ...bracket, step: move } : bracket;
  }
};

/** Range up to which an open bracket is narrowed a few queries at a time. */
const narrow = 4_096n;

/**
 * Checks the bound once, starting from the known bracket. This is a first search, a check whether the bound is
 * unchanged, or the rest of an interrupted search. `stopped: 'unclear'` means that no result is possible this time.
 */
export const lookAtBound = async (
  known: StateBracket | undefined,
  first: bigint,
  newest: bigint,
  parts: SearchParts,
): Promise<SearchResult> => {
  // The head is below the known bound: the node was reset.
  if (known === undefined || newest <= known.held || newest < known.newest)
    return searchBound(unknownBracket(first, newest), first, coldQueries, parts);
  if (known.held - known.notHeld <= narrow) return followBound(known, first, newest, parts);
  const present = await parts.probe(known.held);
  if (present === 'unclear') return { bracket: known, queries: 1, stopped: 'unclear' };
  const open =
    present === 'held'
      ? { ...known, newest }
      : { ...known, held: newest, notHeld: known.held, newest, isConfirmed: true, isByRuns: false };
  const rest = await searchBound(open, first, coldQueries - 1, parts);
  return { ...rest, queries: rest.queries + 1 };
};
