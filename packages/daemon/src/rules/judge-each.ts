import type { Verdict } from '../checks/verdict.js';

/** A verdict for each subject, each made only when the evaluator takes it, so that other work can run between them. */
export function* judgeEach<T>(subjects: Iterable<T>, judge: (subject: T) => Verdict): Generator<Verdict, void> {
  for (const subject of subjects) yield judge(subject);
}
