import type { Head } from './head.js';

/** How an endpoint's newest block moved, as far as it was asked. Times are awake time, which a clock step does not change. */
export interface Movement {
  readonly head: Head;
  /** When this height was seen first. */
  readonly sinceMs: number;
  /** Times that the endpoint was asked since without reporting a newer block. */
  readonly looks: number;
  /** Chain time that passed for each part of time at its last step, once it was seen to step. */
  readonly pace: number | undefined;
  /** Whether it was seen to get a newer block; before that nothing is known of its pace. */
  readonly hasMoved: boolean;
}

/** The movement after one more look. */
export const moved = (before: Movement | undefined, head: Head, nowMs: number): Movement => {
  if (before === undefined) return { head, sinceMs: nowMs, looks: 0, pace: undefined, hasMoved: false };
  if (head.height === before.head.height) return { ...before, looks: before.looks + 1 };
  const passedMs = nowMs - before.sinceMs;
  // Reports of one moment tell nothing of its pace.
  const pace = passedMs > 0 ? (head.timeMs - before.head.timeMs) / passedMs : before.pace;
  const hasMoved = before.hasMoved || head.height > before.head.height;
  return { head, sinceMs: nowMs, looks: 0, pace, hasMoved };
};

/** Looks without a newer block that are needed: with a clock that runs fast, as in a demo, long times pass between two. */
const looksNeeded = 3;

/** How long an endpoint has reported nothing newer although it was asked several times, milliseconds; 0 while it does. */
export const stillFor = (movement: Movement | undefined, nowMs: number): number =>
  movement === undefined || movement.looks < looksNeeded ? 0 : nowMs - movement.sinceMs;
