import { randomUUID } from 'node:crypto';
import type { Verdict } from '../checks/verdict.js';
import type { Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Judged } from '../rules/evaluate.js';
import type { Rule } from '../rules/rule.js';
import type { Store } from '../store/store.js';
import type { Alert, Notice } from './alert.js';
import type { AlertStore } from './alert-store.js';
import { createGathering } from './gathering.js';
import { groupFiring, groupRecovered, type Member } from './group-notice.js';
import { inhibitionOf, inOrderOfInhibition } from './inhibition.js';
import { step } from './machine.js';
import { createOwedRecoveries, type Owed } from './owed-recoveries.js';
import type { QuietNow } from './quiet.js';
import { cut } from '../words.js';

/** Present of the two times that rules count in. */
export interface Present {
  readonly chainMs: number | undefined;
  readonly clockMs: number;
}

/** What came of one round. */
export interface Round {
  /** Notices that were written. */
  readonly notices: number;
  /** When notices that wait for others should be looked at again, by the daemon's clock; `undefined` when none waits. */
  readonly againMs: number | undefined;
}

/** All alerts that are pending or firing. */
export interface AlertBook {
  active(): readonly Alert[];
  ended(limit: number): readonly Alert[];
  /** Takes one round of verdicts. Every change and its notices are in one commit; without a change nothing is written. */
  apply(judged: readonly Judged[], now: Present): Round;
}

export interface GroupSettings {
  /** Notices of one rule beyond so many go out as one. */
  readonly group_above: number;
  /** How long the first of many waits for the others, milliseconds. */
  readonly group_wait: number;
}

export interface AlertBookParts {
  readonly store: Store;
  readonly alertStore: AlertStore;
  /** Writes a notice for every channel, inside the commit of the change. */
  readonly enqueue: (notice: Notice) => void;
  readonly groups: GroupSettings;
  /** What keeps notices back by somebody's wish, at a time of the daemon's clock. */
  readonly quietAt: (nowMs: number) => QuietNow;
  readonly nowMs: number;
  readonly own: OwnMetrics;
  readonly logger: Logger;
}

/** Characters of a title and of a text that are kept: what an endpoint wrote into them is not bounded. */
const titleLength = 300;
const textLength = 20_000;

const bounded = (verdict: Verdict): Verdict => ({
  ...verdict,
  title: cut(verdict.title, titleLength),
  text: cut(verdict.text, textLength),
});

const identity = ({ rule, subject, term }: Pick<Alert, 'rule' | 'subject' | 'term'>): string =>
  JSON.stringify([rule, subject, term]);

/** Verdict on an alert of an earlier term: over, in the words of the present verdict if that is good news. */
const endOfTerm = (old: Alert, verdict: Verdict): Verdict =>
  verdict.state === 'ok'
    ? verdict
    : { ...verdict, state: 'ok', title: `${old.title}: over`, text: `It came anew: ${verdict.title}` };

export const createAlertBook = (parts: AlertBookParts): AlertBook => {
  const { store, alertStore, enqueue, own, logger } = parts;
  const settings = { above: parts.groups.group_above, waitMs: parts.groups.group_wait };
  const gathering = createGathering(settings);
  const owed = createOwedRecoveries(settings, alertStore.owing(), parts.nowMs);
  let active = new Map(alertStore.active().map((alert) => [identity(alert), alert]));
  let notices = 0;

  const tell = (
    kind: Notice['kind'],
    stream: string,
    of: Alert,
    words: Pick<Member, 'title' | 'text'>,
    now: Present,
  ) => {
    const { title, text } = words;
    enqueue({ kind, stream, rule: of.rule, severity: of.severity, title, text, atMs: now.clockMs });
    notices += 1;
  };

  const applied = (judged: readonly Judged[], now: Present): Map<string, Alert> => {
    const next = new Map(active);
    const quiet = parts.quietAt(now.clockMs);
    const change = (
      rule: Rule,
      inhibited: boolean,
      before: Alert | undefined,
      verdict: Verdict,
    ): Member | undefined => {
      const nowMs = rule.time === 'chain' ? now.chainMs : now.clockMs;
      const wish = quiet({ rule: rule.name, subject: verdict.subject });
      const isHeld = inhibited || wish !== undefined;
      const result = step(rule, before, verdict, {
        nowMs,
        clockMs: now.clockMs,
        inhibited: isHeld,
        newId: randomUUID,
      });
      if (result.isSuppressed)
        own.notificationsSuppressed.inc({ reason: inhibited ? 'inhibition' : (wish?.reason ?? 'inhibition') });
      const { title, text } = verdict;
      if (result.tell === 'recovered' && result.alert?.groupId !== undefined) {
        const alert = { ...result.alert, owesRecovery: true };
        save(next, before, alert, title);
        owed.add({ alert, title, text }, now.clockMs);
        return undefined;
      }
      // A notice that fires is not given before it is known how many others there are.
      const isNew = result.tell === 'firing';
      const alert = isNew && result.alert !== undefined ? { ...result.alert, notified: false } : result.alert;
      save(next, before, alert, title);
      if (alert === undefined) return undefined;
      if (result.tell === 'recovered') tell('recovered', alert.id, alert, verdict, now);
      return isNew ? { alert, title, text } : undefined;
    };

    for (const { rule, verdicts, isPartial, isUnchanged } of inOrderOfInhibition(judged)) {
      if (verdicts === undefined) continue;
      const due: Member[] = [];
      const isQuiet = inhibitionOf(rule, next.values());
      const bySubject = new Map<string, Alert[]>();
      for (const alert of next.values())
        if (alert.rule === rule.name) bySubject.set(alert.subject, [...(bySubject.get(alert.subject) ?? []), alert]);
      if (isUnchanged === true && bySubject.size === 0) continue;
      for (const full of verdicts) {
        // Without an alert there is nothing to end.
        if (full.state !== 'firing' && !bySubject.has(full.subject)) continue;
        const verdict = bounded(full);
        const id = identity({ rule: rule.name, ...verdict });
        // An alert of an earlier term is over as soon as its subject is known to be in another one.
        for (const old of bySubject.get(verdict.subject) ?? []) {
          if (verdict.state !== 'unknown' && identity(old) !== id)
            change(rule, isQuiet(verdict), old, endOfTerm(old, verdict));
        }
        const member = change(rule, isQuiet(verdict), next.get(id), verdict);
        if (member !== undefined) due.push(member);
      }
      for (const { subject } of verdicts) bySubject.delete(subject);
      if (isPartial !== true) for (const orphan of [...bySubject.values()].flat()) drop(next, orphan);
      tellFiring(next, rule.name, due, now);
    }
    const names = new Set(judged.map(({ rule }) => rule.name));
    for (const orphan of [...next.values()].filter((alert) => !names.has(alert.rule))) drop(next, orphan);
    for (const group of owed.due(next.values(), now.clockMs)) tellRecovered(group, now);
    return next;
  };

  const tellFiring = (next: Map<string, Alert>, rule: string, due: readonly Member[], now: Present): void => {
    const told = gathering.decide(rule, due.length, now.clockMs);
    const [first] = due;
    if (first === undefined || told === 'later') return;
    const groupId = told === 'together' ? randomUUID() : undefined;
    for (const { alert, title, text } of due) {
      const notified: Alert = { ...alert, notified: true, groupId };
      save(next, alert, notified, title);
      if (groupId === undefined) tell('firing', alert.id, alert, { title, text }, now);
    }
    if (groupId === undefined) return;
    tell('firing', groupId, first.alert, groupFiring(due), now);
    own.notificationsSuppressed.inc({ reason: 'grouping' }, due.length - 1);
  };

  const tellRecovered = ({ groupId, over, remaining }: Owed, now: Present): void => {
    const [first] = over;
    if (first === undefined) return;
    tell('recovered', groupId, first.alert, groupRecovered(over, remaining), now);
    alertStore.settled(over.map(({ alert }) => alert.id));
    owed.settled(groupId);
    own.notificationsSuppressed.inc({ reason: 'grouping' }, over.length - 1);
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
      const undo = [gathering.checkpoint(), owed.checkpoint()];
      try {
        active = changes(judged) ? store.transaction(() => applied(judged, now)) : active;
      } catch (error) {
        for (const forget of undo) forget();
        throw error;
      }
      count();
      return { notices, againMs: earliest(gathering.nextMs(), owed.nextMs()) };
    },
  };

  /** A round in which nothing fires, and nothing did, needs no commit. */
  function changes(judged: readonly Judged[]): boolean {
    const firing = judged.some(({ verdicts }) => verdicts?.some(({ state }) => state === 'firing') === true);
    return active.size > 0 || !owed.isEmpty || firing;
  }
};

const earliest = (...times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
