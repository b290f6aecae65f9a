import { turn } from './turn.js';

/** Maximum time that work in pieces blocks the event loop, milliseconds. */
const sliceMs = 10;

/** Runs work in pieces for at most one slice. */
export const advance = <R>(work: Generator<void, R>): IteratorResult<void, R> => {
  const untilMs = performance.now() + sliceMs;
  let step = work.next();
  while (step.done !== true && performance.now() < untilMs) step = work.next();
  return step;
};

/** Runs work in pieces to its end; the event loop runs between slices. */
export const drain = async <R>(work: Generator<void, R>): Promise<R> => {
  for (;;) {
    const step = advance(work);
    if (step.done === true) return step.value;
    await turn();
  }
};

/** Runs work to its end at once: before the daemon serves requests. */
export const finish = <R>(work: Generator<unknown, R>): R => {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
};
