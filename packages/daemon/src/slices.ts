import { turn } from './turn.js';

/** Longest time that work in pieces keeps the event loop. */
const sliceMs = 10;

/** Runs work in pieces for a moment. */
export const advance = <R>(work: Generator<void, R>): IteratorResult<void, R> => {
  const untilMs = performance.now() + sliceMs;
  let step = work.next();
  while (step.done !== true && performance.now() < untilMs) step = work.next();
  return step;
};

/** Runs work in pieces to its end, between which the event loop goes round. */
export const drain = async <R>(work: Generator<void, R>): Promise<R> => {
  for (;;) {
    const step = advance(work);
    if (step.done === true) return step.value;
    await turn();
  }
};

/** Runs work to its end at once: before the daemon serves anything. */
export const finish = <R>(work: Generator<unknown, R>): R => {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
};
