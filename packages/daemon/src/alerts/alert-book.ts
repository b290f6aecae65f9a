import { randomUUID } from 'node:crypto';
import type { Verdict } from '../checks/verdict.js';
import type { Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Judged } from '../rules/evaluate.js';
import type { Rule } from '../rules/rule.js';
import type { Store } from '../store/store.js';
import type { Alert, Notice } from './alert.js';
import type { AlertStore } from './alert-store.js';
import { step } from './machine.js';

/** Present of the two times that rules count in. */
export interface Present {
  readonly chainMs: number | undefined;
  readonly clockMs: number;
}

/** All alerts that are pending or firing. */
export interface AlertBook {
  active(): readonly Alert[];
  ended(limit: number): readonly Alert[];
  /**
   * Takes one round of verdicts. Every change and its notices are in one commit; without a change nothing is written.
   * Answers how many notices it wrote.
   */
  apply(judged: readonly Judged[], now: Present): number;
}

export interface AlertBookParts {
  readonly store: Store;
  readonly alertStore: AlertStore;
  /** Writes a notice for every channel, inside the commit of the change. */
  readonly enqueue: (notice: Notice) => void;
  readonly own: OwnMetrics;
  readonly logger: Logger;
}

const identity = ({ rule, subject, term }: Pick<Alert, 'rule' | 'subject' | 'term'>): string =>
  JSON.stringify([rule, subject, term]);

/** Verdict on an alert of an earlier term: over, in the words of the present verdict if that is good news. */
const endOfTerm = (old: Alert, verdict: Verdict): Verdict =>
  verdict.state === 'ok'
    ? verdict
    : { ...verdict, state: 'ok', title: `${old.title}: over`, text: `It came anew: ${verdict.title}` };

export const createAlertBook = ({ store, alertStore, enqueue, own, logger }: AlertBookParts): AlertBook => {
  let active = new Map(alertStore.active().map((alert) => [identity(alert), alert]));

  let notices = 0;

  const applied = (judged: readonly Judged[], now: Present): Map<string, Alert> => {
    const next = new Map(active);
    const fires = (name: string): boolean =>
      [...next.values()].some((alert) => alert.rule === name && alert.state === 'firing');

    const change = (rule: Rule, before: Alert | undefined, verdict: Verdict): void => {
      const result = step(rule, before, verdict, {
        nowMs: rule.time === 'chain' ? now.chainMs : now.clockMs,
        inhibited: rule.inhibitedBy?.some(fires) ?? false,
        newId: randomUUID,
      });
      if (result.isSuppressed) own.notificationsSuppressed.inc({ reason: 'inhibition' });
      save(next, before, result.alert, verdict.title);
      if (result.tell === undefined || result.alert === undefined) return;
      const { title, text } = verdict;
      const { id, severity } = result.alert;
      enqueue({ kind: result.tell, stream: id, rule: rule.name, severity, title, text, atMs: now.clockMs });
      notices += 1;
    };

    for (const { rule, verdicts } of judged) {
      if (verdicts === undefined) continue;
      const ofRule = [...next.values()].filter((alert) => alert.rule === rule.name);
      for (const verdict of verdicts) {
        const id = identity({ rule: rule.name, ...verdict });
        // An alert of an earlier term is over as soon as its subject is known to be in another one.
        for (const old of ofRule.filter((alert) => alert.subject === verdict.subject && identity(alert) !== id)) {
          if (verdict.state !== 'unknown') change(rule, old, endOfTerm(old, verdict));
        }
        change(rule, next.get(id), verdict);
      }
      const subjects = new Set(verdicts.map(({ subject }) => subject));
      for (const orphan of ofRule.filter((alert) => !subjects.has(alert.subject))) drop(next, orphan);
    }
    const names = new Set(judged.map(({ rule }) => rule.name));
    for (const orphan of [...next.values()].filter((alert) => !names.has(alert.rule))) drop(next, orphan);
    return next;
  };

  const save = (next: Map<string, Alert>, before: Alert | undefined, after: Alert | undefined, title: string): void => {
    const alert = after ?? before;
    if (alert === undefined) return;
    if (after === undefined || after.state === 'resolved') next.delete(identity(alert));
    else next.set(identity(alert), after);
    if (after === undefined) alertStore.remove(alert.id);
    else if (before?.state !== after.state || before.notified !== after.notified) alertStore.put(after);
    const to = after?.state ?? 'inactive';
    if ((before?.state ?? 'inactive') === to) return;
    own.alertTransitions.inc({ alertname: alert.rule, to });
    const line = { rule: alert.rule, subject: alert.subject, to, title };
    if (to === 'pending' || to === 'inactive') logger.debug(line, 'alert');
    else logger.info(line, 'alert');
  };

  /** Ends an alert whose subject or rule is no longer configured. Nobody is told: nothing was mended. */
  const drop = (next: Map<string, Alert>, alert: Alert): void => {
    logger.info({ rule: alert.rule, subject: alert.subject }, 'alert dropped: no longer watched');
    next.delete(identity(alert));
    alertStore.remove(alert.id);
  };

  const count = (): void => {
    own.alerts.reset();
    for (const { rule, state, severity } of active.values()) own.alerts.inc({ alertname: rule, state, severity });
  };
  count();

  return {
    active: () => [...active.values()],
    ended: (limit) => alertStore.ended(limit),
    apply(judged, now) {
      notices = 0;
      active = changes(judged) ? store.transaction(() => applied(judged, now)) : active;
      count();
      return notices;
    },
  };

  /** A round in which nothing fires, and nothing did, needs no commit. */
  function changes(judged: readonly Judged[]): boolean {
    return active.size > 0 || judged.some(({ verdicts }) => verdicts?.some(({ state }) => state === 'firing') === true);
  }
};
