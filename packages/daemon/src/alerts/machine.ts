import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Alert } from './alert.js';

/** What a verdict makes of an alert. */
export interface Step {
  /** `undefined`: there is no alert, or a pending one went without a trace. */
  readonly alert: Alert | undefined;
  readonly tell: 'firing' | 'recovered' | undefined;
  /** A notice was due and was not given, because a rule above this one fires. */
  readonly isSuppressed: boolean;
}

export interface Circumstances {
  /** Now in the rule's time; `undefined` while the chain's time is not known, which makes every verdict unknown. */
  readonly nowMs: number | undefined;
  /** Now by the daemon's clock. */
  readonly clockMs: number;
  readonly inhibited: boolean;
  readonly newId: () => string;
}

/**
 * One step of one alert: nothing → pending → firing → resolved. `unknown` changes nothing. A notice that was held back while
 * inhibited is given when the inhibition ends and the trouble goes on; who was not told of a trouble is not told of its end.
 */
export const step = (
  rule: RuleDeclaration,
  before: Alert | undefined,
  verdict: Verdict,
  { nowMs, clockMs, inhibited, newId }: Circumstances,
): Step => {
  const same: Step = { alert: before, tell: undefined, isSuppressed: false };
  if (verdict.state === 'unknown' || nowMs === undefined) return same;
  if (verdict.state === 'ok') {
    if (before === undefined) return same;
    if (before.state === 'pending') return { ...same, alert: undefined };
    const ended: Alert = { ...before, state: 'resolved', endedMs: nowMs, endedClockMs: clockMs };
    return { ...same, alert: ended, tell: before.notified && verdict.passedOn !== true ? 'recovered' : undefined };
  }
  const present: Alert = {
    ...(before ?? begun(rule, verdict, nowMs, newId())),
    severity: rule.severity,
    title: verdict.title,
    text: verdict.text,
    dueMs: verdict.dueMs,
  };
  const holds = nowMs - present.sinceMs >= Math.min(rule.forMs, verdict.forMs ?? rule.forMs);
  if (present.state === 'pending' && !holds) return { ...same, alert: present };
  const firing: Alert = {
    ...present,
    state: 'firing',
    firingMs: present.firingMs ?? nowMs,
    firedClockMs: present.firedClockMs ?? clockMs,
  };
  if (firing.notified) return { ...same, alert: firing };
  if (inhibited) return { alert: firing, tell: undefined, isSuppressed: before?.state !== 'firing' };
  return { alert: { ...firing, notified: true }, tell: 'firing', isSuppressed: false };
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
  title: verdict.title,
  text: verdict.text,
  groupId: undefined,
  owesRecovery: false,
});
