import type { Head } from './head.js';

/** How an endpoint's newest block moved, as far as it was looked at. */
export interface Movement {
  readonly head: Head;
  /** The daemon's clock when this height was seen first. */
  readonly sinceMs: number;
  /** Times that the endpoint was asked since and told of nothing newer. */
  readonly looks: number;
  /** Chain time that passed for each part of time at its last step, once it was seen to step. */
  readonly pace: number | undefined;
}

/** The movement after one more look. */
export const moved = (before: Movement | undefined, head: Head, clockMs: number): Movement => {
  if (before === undefined) return { head, sinceMs: clockMs, looks: 0, pace: undefined };
  if (head.height === before.head.height) return { ...before, looks: before.looks + 1 };
  const passedMs = clockMs - before.sinceMs;
  // Reports of one moment tell nothing of its pace.
  const pace = passedMs > 0 ? (head.timeMs - before.head.timeMs) / passedMs : before.pace;
  return { head, sinceMs: clockMs, looks: 0, pace };
};

/** Looks in vain that are needed: with a clock that runs fast, as in a demo, long times pass between two of them. */
const looksNeeded = 3;

/** How long an endpoint has told of nothing newer although it was asked several times, milliseconds; 0 while it does. */
export const stillFor = (movement: Movement | undefined, clockMs: number): number =>
  movement === undefined || movement.looks < looksNeeded ? 0 : clockMs - movement.sinceMs;
