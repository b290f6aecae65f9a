/** The known word that a mistyped one most likely means; `undefined` when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the letters may be wrong: `chek` is near, `lock` is not.
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters to insert, delete, replace or swap with the next. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, at(i - 2, j - 2) + 1);
      }
      row.push(distance);
    }
  }
  return at(a.length, b.length);
}

/** `; did you mean "output"?`, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
