import { distance } from 'fastest-levenshtein';

/** Finds the known word closest to a mistyped one; `undefined` if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the letters may be wrong, and two letters may be swapped: `chekc` is close, `lock` is not.
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const away = distance(word.toLowerCase(), candidate.toLowerCase());
    if (away < Math.min(bestDistance, candidate.length / 2)) [best, bestDistance] = [candidate, away];
  }
  return best;
}

/** `; did you mean "output"?`, or an empty text. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
