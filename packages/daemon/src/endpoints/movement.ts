import type { BlockHead } from './head.js';

/** A moment on two clocks, both at the pace of the time of day; clock adjustments affect neither. */
export interface LookMoment {
  /** Awake time: it stops while this process is suspended and makes no queries. */
  readonly awakeMs: number;
  /** Monotonic time: the chain continues while this process is suspended. */
  readonly steadyMs: number;
}

/** How an endpoint's latest block moved, as far as it was queried. */
export interface Movement {
  readonly head: BlockHead;
  /** When this height was seen first. */
  readonly since: LookMoment;
  /** Number of queries since then that returned no newer block. */
  readonly looks: number;
  /** Chain time per monotonic time at its last step; `undefined` before a step was observed. */
  readonly pace: number | undefined;
  /** Whether a newer block was observed; before that its pace is unknown. */
  readonly hasMoved: boolean;
}

/** Returns the movement updated with one more query. */
export const moved = (before: Movement | undefined, head: BlockHead, now: LookMoment): Movement => {
  if (before === undefined) return { head, since: now, looks: 0, pace: undefined, hasMoved: false };
  if (head.height === before.head.height) return { ...before, looks: before.looks + 1 };
  const passedMs = now.steadyMs - before.since.steadyMs;
  // Two reports at the same moment give no pace.
  const pace = passedMs > 0 ? (head.timeMs - before.head.timeMs) / passedMs : before.pace;
  const hasMoved = before.hasMoved || head.height > before.head.height;
  return { head, since: now, looks: 0, pace, hasMoved };
};

/**
 * Number of queries without a newer block that are required: with a fast clock, as in a demo, much time passes between
 * two.
 */
const looksNeeded = 3;

/** How long several queries to an endpoint returned no newer block, milliseconds; 0 while blocks arrive. */
export const stillFor = (movement: Movement | undefined, awakeMs: number): number =>
  movement === undefined || movement.looks < looksNeeded ? 0 : awakeMs - movement.since.awakeMs;
