const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
};

/** The allowed key that a mistyped one was most likely meant to be; `undefined` when none is close. */
export const nearestKey = (written: string, allowed: readonly string[]): string | undefined => {
  // Longer than any name that is close to it; the distance takes time by the product of both lengths.
  if (written.length > 64) return undefined;
  const ranked = allowed
    .filter((key) => Math.abs(key.length - written.length) <= 32)
    .map((key) => ({ key, away: distance(written.toLowerCase().replace(/-/g, '_'), key.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.max(2, Math.floor(best.key.length / 3)) ? best.key : undefined;
};
