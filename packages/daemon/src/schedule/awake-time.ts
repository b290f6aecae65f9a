import type { Cancel, Clock } from '@hubwatch/client';
import { speedOf } from '../clock.js';

/** A period in which this process did not run, by monotonic time. */
interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A jump of the time of day that monotonic time did not make. */
interface ClockJump {
  readonly atMs: number;
  /** Size of the jump, negative if backwards; at the pace of the time of day. */
  readonly byMs: number;
}

/**
 * Time in which this process was able to run. A process that gets no CPU time, or is suspended, sees its requests time
 * out although only the process itself was slow. Results from that time prove nothing about endpoints.
 */
export interface AwakeTime {
  /**
   * Monotonic time at the pace of the time of day, without the times in which the process was suspended. Used for hold
   * times and the ages of readings.
   */
  nowMs(): number;
  /** How long the process was suspended since a moment of monotonic time, milliseconds. */
  lostMs(sinceMs: number): number;
  /** End of the last stall that made earlier readings obsolete, by monotonic time; `undefined` if there was none. */
  lastStallMs(): number | undefined;
  /** The last jump of the time of day; `undefined` if there was none. */
  lastJump(): ClockJump | undefined;
  /** Monotonic time at which measuring began. */
  readonly beganMs: number;
  stop(): void;
}

/** Interval between two ticks. */
const tickMs = 1_000;
/** Delay from which a tick counts as a stall. */
const lateMs = 500;
/** Duration from which a stall makes earlier readings obsolete. */
const longStallMs = 5_000;
/** Jumps of the time of day below this size are ignored: a smoothly adjusted clock makes none of this size. */
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

  /** The stall since the last tick, if any. */
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
