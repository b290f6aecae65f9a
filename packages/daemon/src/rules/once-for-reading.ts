import type { Target } from '../checks/check.js';
import type { Verdict } from '../checks/verdict.js';

/**
 * A judgement that follows from the target and its reading alone, made once for each reading: of thousands of targets few are
 * read between two rounds.
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
