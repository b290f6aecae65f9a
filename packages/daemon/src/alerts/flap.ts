/** When a subject that changes all the time is reported as such, instead of each change. Times are monotonic. */
export interface FlapSettings {
  /** Notices that it fires, within the window, that are sent one by one. */
  readonly above: number;
  readonly windowMs: number;
  /** How long it must not change before its state is reported again. */
  readonly settleMs: number;
}

/** How often one subject of one rule has changed. */
export interface Flap {
  /** When people were told that it fires, oldest first; no older than the window. */
  readonly firedMs: readonly number[];
  /** Set while it flaps: when it changed last. */
  readonly changedMs: number | undefined;
  /** How long it must not change this time; it doubles when it flaps again soon. */
  readonly settleMs: number;
  /** When it last stopped flapping. */
  readonly settledMs: number | undefined;
}

export const calm: Flap = { firedMs: [], changedMs: undefined, settleMs: 0, settledMs: undefined };

/** A subject that changes once in so long is not stable. */
const longestSettleMs = 2 * 3_600_000;

/** What becomes of it when people are to be told that it fires: with too many notices in the window it flaps. */
export const afterFiring = (flap: Flap, nowMs: number, { above, windowMs, settleMs }: FlapSettings): Flap => {
  const firedMs = [...flap.firedMs.filter((at) => nowMs - at < windowMs), nowMs];
  if (firedMs.length <= above) return { ...flap, firedMs };
  const isAgain = flap.settledMs !== undefined && nowMs - flap.settledMs < 4 * flap.settleMs;
  const longer = isAgain ? Math.min(2 * flap.settleMs, Math.max(longestSettleMs, settleMs)) : settleMs;
  return { ...flap, firedMs, changedMs: nowMs, settleMs: longer };
};

/** It has not changed for long enough: its state can be told. */
export const isSettled = ({ changedMs, settleMs }: Flap, nowMs: number): boolean =>
  changedMs !== undefined && nowMs - changedMs >= settleMs;

export const afterSettling = (flap: Flap, nowMs: number): Flap => ({ ...flap, changedMs: undefined, settledMs: nowMs });

/** Nothing of it is worth remembering. */
export const isForgotten = (
  { firedMs, changedMs, settledMs, settleMs }: Flap,
  nowMs: number,
  windowMs: number,
): boolean =>
  changedMs === undefined &&
  firedMs.every((at) => nowMs - at >= windowMs) &&
  (settledMs === undefined || nowMs - settledMs >= 4 * settleMs);
