import { distance } from 'fastest-levenshtein';

/** Longer than any allowed name. The limit bounds the run time, which grows with the product of both lengths. */
const longestName = 64;

/** Finds the allowed name closest to a mistyped one; `undefined` if none is close enough. */
export const nearestKey = (written: string, allowed: readonly string[]): string | undefined => {
  if (written.length > longestName) return undefined;
  const ranked = allowed
    .filter((key) => Math.abs(key.length - written.length) <= longestName / 2)
    .map((key) => ({ key, away: distance(written.toLowerCase().replace(/-/g, '_'), key.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.max(2, Math.floor(best.key.length / 3)) ? best.key : undefined;
};

/** Ends a message about an unknown name: `; did you mean own? Allowed: own, spare`. Without `nearest`, only the list. */
export const allowedNames = (nearest: string | undefined, allowed: readonly string[]): string =>
  `${nearest === undefined ? '.' : `; did you mean ${nearest}?`} Allowed: ${allowed.join(', ')}`;
