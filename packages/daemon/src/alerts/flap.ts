/**
 * Thresholds for a subject that changes frequently, which is reported as flapping instead of each change. Times are monotonic.
 */
export interface FlapSettings {
  /** Number of firing notices within the window that are sent individually. */
  readonly above: number;
  readonly windowMs: number;
  /** Time without changes after which its state is reported again. */
  readonly settleMs: number;
}

/** Recent changes of one subject of one rule. */
export interface Flap {
  /** Times of firing notices, oldest first; none is older than the window. */
  readonly firedMs: readonly number[];
  /** Time of the last change; set while the subject flaps. */
  readonly changedMs: number | undefined;
  /** Required time without changes; doubled if the subject flaps again soon. */
  readonly settleMs: number;
  /** When it last stopped flapping. */
  readonly settledMs: number | undefined;
}

export const calm: Flap = { firedMs: [], changedMs: undefined, settleMs: 0, settledMs: undefined };

/** A subject that changes once in this time is not stable. */
const longestSettleMs = 2 * 3_600_000;

/** State after another firing notice: with too many notices in the window, the subject flaps. */
export const afterFiring = (flap: Flap, nowMs: number, { above, windowMs, settleMs }: FlapSettings): Flap => {
  const firedMs = [...flap.firedMs.filter((at) => nowMs - at < windowMs), nowMs];
  if (firedMs.length <= above) return { ...flap, firedMs };
  const isAgain = flap.settledMs !== undefined && nowMs - flap.settledMs < 4 * flap.settleMs;
  const longer = isAgain ? Math.min(2 * flap.settleMs, Math.max(longestSettleMs, settleMs)) : settleMs;
  return { ...flap, firedMs, changedMs: nowMs, settleMs: longer };
};

/** Whether it has not changed for long enough, so that its state can be reported. */
export const isSettled = ({ changedMs, settleMs }: Flap, nowMs: number): boolean =>
  changedMs !== undefined && nowMs - changedMs >= settleMs;

export const afterSettling = (flap: Flap, nowMs: number): Flap => ({ ...flap, changedMs: undefined, settledMs: nowMs });

/** Whether the entry is no longer needed. */
export const isForgotten = (
  { firedMs, changedMs, settledMs, settleMs }: Flap,
  nowMs: number,
  windowMs: number,
): boolean =>
  changedMs === undefined &&
  firedMs.every((at) => nowMs - at >= windowMs) &&
  (settledMs === undefined || nowMs - settledMs >= 4 * settleMs);
