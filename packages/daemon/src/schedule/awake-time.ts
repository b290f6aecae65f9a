import type { Cancel, Clock } from '@hubwatch/client';
import { speedOf } from '../clock.js';

/** A time in which this process did not run, by monotonic time. */
interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A step of the time of day that monotonic time did not make. */
interface ClockJump {
  readonly atMs: number;
  /** How far it went, negative for a step back; at the pace of the time of day. */
  readonly byMs: number;
}

/**
 * Time in which this process was able to run. A process that gets no processor, or is suspended, sees its requests time
 * out although nobody was slow but itself; what was collected meanwhile says nothing of endpoints.
 */
export interface AwakeTime {
  /**
   * Monotonic time at the pace of the time of day, without the times in which the process stood still: what holds, and the
   * ages of what was seen, are counted in.
   */
  nowMs(): number;
  /** How long the process stood still since a moment of monotonic time, milliseconds. */
  lostMs(sinceMs: number): number;
  /** End of the last stall that made earlier readings obsolete, by monotonic time; `undefined` without one. */
  lastStallMs(): number | undefined;
  /** The last step of the time of day; `undefined` without one. */
  lastJump(): ClockJump | undefined;
  /** Monotonic time at which the watch began. */
  readonly beganMs: number;
  stop(): void;
}

/** Time between two ticks. */
const tickMs = 1_000;
/** A tick that comes later than this after its time is a stall. */
const lateMs = 500;
/** A stall from which on readings of before it are obsolete. */
const longStallMs = 5_000;
/** Steps of the time of day that are not noted: a clock that is adjusted smoothly makes none of this size. */
const smallestJumpMs = 5_000;
/** Stalls older than this are forgotten. */
const keptMs = 3_600_000;

export interface AwakeTimeParts {
  readonly clock: Clock;
  /** Called when the process runs again after a stall that made readings obsolete. */
  readonly onLongStall?: () => void;
}

export const startAwakeTime = ({ clock, onLongStall }: AwakeTimeParts): AwakeTime => {
  const speed = speedOf(clock);
  const beganMs = clock.monotonicMs();
  let stalls: Stall[] = [];
  let lastStallMs: number | undefined;
  let jump: ClockJump | undefined;
  let tick = { monotonicMs: beganMs, wallMs: clock.nowMs() };
  let awakeMs = 0;
  let cancel: Cancel = () => undefined;

  /** The stall since the last tick, when there is one. */
  const current = (): Stall | undefined => {
    const nowMs = clock.monotonicMs();
    const dueMs = tick.monotonicMs + tickMs;
    return nowMs - dueMs > lateMs ? { fromMs: dueMs, toMs: nowMs } : undefined;
  };

  const onTick = (): void => {
    const nowMs = clock.monotonicMs();
    const wallMs = clock.nowMs();
    const stall = current();
    awakeMs += stall === undefined ? nowMs - tick.monotonicMs : tickMs;
    const byMs = wallMs - tick.wallMs - (nowMs - tick.monotonicMs) * speed;
    if (Math.abs(byMs) >= smallestJumpMs * speed) jump = { atMs: nowMs, byMs };
    tick = { monotonicMs: nowMs, wallMs };
    cancel = clock.setTimeout(onTick, tickMs);
    if (stall === undefined) return;
    stalls = [...stalls.filter(({ toMs }) => nowMs - toMs < keptMs), stall];
    if (stall.toMs - stall.fromMs < longStallMs) return;
    lastStallMs = nowMs;
    onLongStall?.();
  };
  cancel = clock.setTimeout(onTick, tickMs);

  return {
    beganMs,
    nowMs: () => {
      const sinceTickMs = clock.monotonicMs() - tick.monotonicMs;
      return speed * (awakeMs + (current() === undefined ? sinceTickMs : tickMs));
    },
    lostMs: (sinceMs) =>
      [...stalls, current()].reduce(
        (sum, stall) => sum + (stall === undefined ? 0 : Math.max(0, stall.toMs - Math.max(stall.fromMs, sinceMs))),
        0,
      ),
    lastStallMs: () => {
      const stall = current();
      return stall !== undefined && stall.toMs - stall.fromMs >= longStallMs ? stall.toMs : lastStallMs;
    },
    lastJump: () => jump,
    stop: () => cancel(),
  };
};
