import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Alert, Hold } from './alert.js';

/** Current values of the clocks in which alerts are counted. */
export interface Present {
  /** Block time of the agreed head. `undefined` while it is not known; verdicts of rules in chain time are then unknown. */
  readonly chainMs: number | undefined;
  /** Time of day by the daemon's clock, for display. */
  readonly clockMs: number;
  /** Monotonic time in which this process ran, for all durations: neither a clock jump nor a stall changes it. */
  readonly steadyMs: number;
}

/**
 * Applies a verdict to an alert: nothing → pending → firing → resolved. `undefined` if there is no alert, or a pending one
 * ended without a trace. `unknown` changes nothing. A hold does not run while inhibited.
 */
export const step = (
  rule: RuleDeclaration,
  before: Alert | undefined,
  verdict: Verdict,
  now: Present,
  inhibited: boolean,
  newId: () => string,
): Alert | undefined => {
  const isChain = rule.time === 'chain';
  const nowMs = isChain ? now.chainMs : now.clockMs;
  const countedMs = isChain ? now.chainMs : now.steadyMs;
  if (verdict.state === 'unknown' || nowMs === undefined || countedMs === undefined) return before;
  if (verdict.state === 'ok') {
    if (before === undefined || before.state === 'pending') return undefined;
    return { ...before, state: 'resolved', endedMs: nowMs, endedClockMs: now.clockMs };
  }
  if (before?.state === 'firing' && hasSameWords(rule, before, verdict)) return before;
  const present: Alert = {
    ...(before ?? begun(rule, verdict, nowMs, newId())),
    severity: rule.severity,
    title: verdict.title,
    text: verdict.text,
    dueMs: verdict.dueMs,
    leases: verdict.leases,
  };
  if (present.state === 'firing') return present;
  const hold = after(present.hold, countedMs, inhibited);
  const forMs = Math.min(rule.forMs, verdict.forMs ?? rule.forMs);
  if (hold.ranMs < forMs || (inhibited && forMs > 0)) return { ...present, hold };
  return { ...present, hold, state: 'firing', firingMs: nowMs, firedClockMs: now.clockMs };
};

/** Thousands of alerts may fire, and most are the same as in the round before. */
const hasSameWords = (rule: RuleDeclaration, alert: Alert, verdict: Verdict): boolean =>
  alert.title === verdict.title &&
  alert.text === verdict.text &&
  alert.severity === rule.severity &&
  alert.dueMs === verdict.dueMs &&
  alert.leases === verdict.leases;

/** Advances a hold: the time since the last evaluation counts if the hold ran then and runs now. */
const after = ({ ranMs, sinceMs }: Hold, nowMs: number, inhibited: boolean): Hold => {
  if (inhibited) return { ranMs, sinceMs: undefined };
  return sinceMs === undefined
    ? { ranMs, sinceMs: nowMs }
    : { ranMs: ranMs + Math.max(0, nowMs - sinceMs), sinceMs: nowMs };
};

const begun = (rule: RuleDeclaration, verdict: Verdict, nowMs: number, id: string): Alert => ({
  id,
  rule: rule.name,
  subject: verdict.subject,
  term: verdict.term,
  state: 'pending',
  severity: rule.severity,
  sinceMs: nowMs,
  firingMs: undefined,
  endedMs: undefined,
  firedClockMs: undefined,
  endedClockMs: undefined,
  notified: false,
  hold: { ranMs: 0, sinceMs: undefined },
  title: verdict.title,
  text: verdict.text,
});
