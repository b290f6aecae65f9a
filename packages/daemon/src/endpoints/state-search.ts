/** What one state query at a height says of it. `unclear` (a rate limit, a time-out, another backend) says nothing. */
export type StateProbe = 'held' | 'not_held' | 'unclear';

/** What is known of the lowest height whose state is held: it lies above `notHeld` and at or below `held`. */
export interface StateBracket {
  readonly held: bigint;
  readonly notHeld: bigint;
  /** Newest state when this was found out. */
  readonly newest: bigint;
  /** A hole was looked for below: `notHeld` is no single state that an upgrade left out. */
  readonly isConfirmed: boolean;
  /** It moved last by as much as prune runs explain, so that the next such move is one, and no hole that ends there. */
  readonly isByRuns: boolean;
  /** Blocks between two prune runs, as far as it was learned. */
  readonly step: bigint | undefined;
}

export interface SearchResult {
  readonly bracket: StateBracket;
  /** State queries that were made. */
  readonly queries: number;
  /** Why it is not at its end, if it is not. */
  readonly stopped: 'unclear' | 'budget' | undefined;
}

export interface SearchParts {
  readonly probe: (height: bigint) => Promise<StateProbe>;
  /** 0 up to and without 1; a search must not meet the same hole every time. */
  readonly random: () => number;
}

/** State queries of a first search, for chains of up to 30 million blocks. */
export const coldQueries = 27;
/** State queries of a look at a bound that is known. */
export const warmQueries = 3;

/** States that an upgrade may leave out in one place, at most. */
const holeWidth = 4n;
/** Depth that most nodes do not reach: the usual pruning keeps 362 880 states, and public nodes about 100 000. */
const usualDepth = 400_000n;
/** Blocks between prune runs unless others were seen. */
const usualStep = 10n;
/** Blocks that lie between prune runs at most, where nothing unusual is configured. */
const greatestStep = 1_024n;
/** Part of the range by which the middle is missed on purpose. */
const jitter = 256;

/** Whether nothing is left to find out. */
export const isExact = ({ held, notHeld, isConfirmed }: StateBracket): boolean => isConfirmed && held === notHeld + 1n;

/** Nothing known but that the newest state is held and that there is none before the first height. */
export const unknownBracket = (first: bigint, newest: bigint): StateBracket => ({
  held: newest,
  notHeld: first - 1n,
  newest,
  isConfirmed: true,
  isByRuns: false,
  step: undefined,
});

/**
 * Looks for the bound by halving, at most `budget` state queries; what it could not finish is taken up by the next call. A
 * refusal counts only when it says that the state is not held. The end is confirmed a little below, because a state that an
 * upgrade left out looks like the bound; then the search goes on below it.
 */
export const searchBound = async (
  start: StateBracket,
  first: bigint,
  budget: number,
  { probe, random }: SearchParts,
): Promise<SearchResult> => {
  let { held, notHeld, isConfirmed } = start;
  const { newest, step, isByRuns } = start;
  /** Heights refused in this call, from which the search goes on below a hole; a node may have been restored before it. */
  const refused: bigint[] = [];
  let queries = 0;
  const result = (stopped: SearchResult['stopped']): SearchResult => ({
    bracket: { held, notHeld, newest, isConfirmed, isByRuns: isByRuns && held === start.held, step },
    queries,
    stopped,
  });
  const isFirst = held === newest && notHeld === first - 1n;
  // What an earlier call was refused may be held again since, by a node that was restored.
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
      // Held below a refused height, or held by now: that one was a hole, or the node was restored.
      held = height;
      notHeld = refused.filter((one) => one < height).reduce((top, one) => (one > top ? one : top), first - 1n);
      isConfirmed = notHeld === first - 1n;
    } else held = height;
  }

  /** Height to look at whether the bound is refused still, and no hole; `undefined` when that is known. */
  function below(bound: bigint): bigint | undefined {
    if (isConfirmed || bound < first) return undefined;
    if (!refused.includes(bound)) return bound;
    // Nothing before the first height was ever there, so that a bound next to it needs no look.
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

/** Looks again at a bound that was found, at most three state queries. `newest`: the newest state now. */
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
    // More is held than before: the node was restored from an older copy, and nothing that was known holds.
    return stop(below === 'not_held' ? same : { ...unknownBracket(first, notHeld), newest, step });
  }
  // Pruned meanwhile. It moves by whole steps when a multiple of the step is reached, and by as much as the head did.
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

  /** It moved, and not as expected: by no more than the greatest step, which the next looks narrow down. */
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

  /** The step after a move: where the bound moved twice as far as the head it was one run, and not several small ones. */
  function learned(bracket: StateBracket): StateBracket {
    if (!isExact(bracket) || !isExact(known)) return bracket;
    const move = bracket.held - held;
    return move > 0n && 2n * (newest - known.newest) <= move ? { ...bracket, step: move } : bracket;
  }
};

/** Range up to which an open bracket is narrowed a few queries at a time. */
const narrow = 4_096n;

/**
 * One look at the bound with what is known of it: a first search, a look whether it still is where it was, or the rest of a
 * search that had to stop. `stopped: 'unclear'` means that nothing can be said this time.
 */
export const lookAtBound = async (
  known: StateBracket | undefined,
  first: bigint,
  newest: bigint,
  parts: SearchParts,
): Promise<SearchResult> => {
  // A head below what was held: the node began anew.
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
