import type { Target } from '../checks/check.js';
import type { Verdict } from '../checks/verdict.js';

/**
 * Caches a verdict that depends only on the target and its reading, for each reading. Only few of thousands of targets are read
 * between two rounds.
 */
export const onceForReading = <T extends Target, R extends object>(
  judge: (target: T, reading: R) => Verdict,
): ((target: T, reading: R) => Verdict) => {
  const last = new WeakMap<T, { readonly reading: R; readonly verdict: Verdict }>();
  return (target, reading) => {
    const known = last.get(target);
    if (known?.reading === reading) return known.verdict;
    const verdict = judge(target, reading);
    last.set(target, { reading, verdict });
    return verdict;
  };
};
