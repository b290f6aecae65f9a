import type { Verdict } from '../checks/verdict.js';

/**
 * Yields a verdict for each subject. Each is created only when the evaluator requests it, so that other work can run in
 * between.
 */
export function* judgeEach<T>(subjects: Iterable<T>, judge: (subject: T) => Verdict): Generator<Verdict, void> {
  for (const subject of subjects) yield judge(subject);
}
