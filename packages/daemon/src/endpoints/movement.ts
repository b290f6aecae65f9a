import type { BlockHead } from './head.js';

/** A moment in two times, both at the pace of the time of day; a clock step changes neither. */
export interface LookMoment {
  /** Awake time: it does not pass while this process stands still, and nobody looks. */
  readonly awakeMs: number;
  /** Monotonic time: the chain continues while this process stands still. */
  readonly steadyMs: number;
}

/** How an endpoint's newest block moved, as far as it was asked. */
export interface Movement {
  readonly head: BlockHead;
  /** When this height was seen first. */
  readonly since: LookMoment;
  /** Times that the endpoint was asked since without reporting a newer block. */
  readonly looks: number;
  /** Chain time that passed for each part of monotonic time at its last step, once it was seen to step. */
  readonly pace: number | undefined;
  /** Whether it was seen to get a newer block; before that nothing is known of its pace. */
  readonly hasMoved: boolean;
}

/** The movement after one more look. */
export const moved = (before: Movement | undefined, head: BlockHead, now: LookMoment): Movement => {
  if (before === undefined) return { head, since: now, looks: 0, pace: undefined, hasMoved: false };
  if (head.height === before.head.height) return { ...before, looks: before.looks + 1 };
  const passedMs = now.steadyMs - before.since.steadyMs;
  // Reports of one moment tell nothing of its pace.
  const pace = passedMs > 0 ? (head.timeMs - before.head.timeMs) / passedMs : before.pace;
  const hasMoved = before.hasMoved || head.height > before.head.height;
  return { head, since: now, looks: 0, pace, hasMoved };
};

/** Looks without a newer block that are needed: with a clock that runs fast, as in a demo, long times pass between two. */
const looksNeeded = 3;

/** How long an endpoint has reported nothing newer although it was asked several times, milliseconds; 0 while it does. */
export const stillFor = (movement: Movement | undefined, awakeMs: number): number =>
  movement === undefined || movement.looks < looksNeeded ? 0 : awakeMs - movement.since.awakeMs;
