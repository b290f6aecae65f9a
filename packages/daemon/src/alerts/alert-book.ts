import { randomUUID } from 'node:crypto';
import type { Verdict } from '../checks/verdict.js';
import type { Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Judged } from '../rules/evaluate.js';
import type { Rule } from '../rules/rule.js';
import { finish } from '../slices.js';
import { cut } from '../words.js';
import { ActiveAlerts } from './active-alerts.js';
import type { Alert } from './alert.js';
import type { AlertStore } from './alert-store.js';
import { type Changes, ChangeSet } from './changes.js';
import { inhibitionOf, inOrderOfInhibition } from './inhibition.js';
import { type Present, step } from './machine.js';
import { Notifying, type NotifyingSettings } from './notifying.js';
import type { QuietNow } from './quiet.js';
import { shifted } from './told.js';

/** Result of one round. */
export interface AlertRound {
  /** Number of notices written. */
  readonly notices: number;
  /** Time in milliseconds after which waiting notices must be checked again; `undefined` if none waits. */
  readonly againInMs: number | undefined;
}

/** All pending and firing alerts. */
export interface AlertBook {
  active(): readonly Alert[];
  ended(limit: number): readonly Alert[];
  /** Applies one round of verdicts. All changes and notices are in one commit; nothing is written without a change. */
  apply(judged: readonly Judged[], now: Present): AlertRound;
  /**
   * The same in parts, so that a caller can let other work run in between: yields the number of verdicts applied. All changes
   * are stored at its end.
   */
  applying(judged: readonly Judged[], now: Present): Generator<number, AlertRound>;
}

export interface AlertBookParts {
  readonly alertStore: Pick<AlertStore, 'active' | 'ended' | 'told'>;
  /**
   * Stores the changes of a round and puts its notices in the outbox. The book continues from memory, so this must not fail.
   */
  readonly commit: (changes: Changes) => void;
  readonly settings: NotifyingSettings;
  /** Silences and maintenance windows that are in effect at a time of the daemon's clock. */
  readonly quietAt: (nowMs: number) => QuietNow;
  /** Current time at the start of the daemon. */
  readonly start: Pick<Present, 'clockMs' | 'steadyMs'>;
  readonly own: OwnMetrics;
  readonly logger: Logger;
}

/** Maximum stored length of titles and texts, in characters: text from an endpoint has no bound. */
const titleLength = 300;
const textLength = 20_000;
/** Number of verdicts after which a caller may let other work run. */
const pieceVerdicts = 50;
/** Share of a hold, and minimum time, after which a running hold is stored again: a restart loses at most this much. */
const keptShare = 0.1;
const keptEveryMs = 15_000;

const bounded = (verdict: Verdict): Verdict =>
  verdict.title.length <= titleLength && verdict.text.length <= textLength
    ? verdict
    : { ...verdict, title: cut(verdict.title, titleLength), text: cut(verdict.text, textLength) };

/** Verdict on an alert of an earlier term: over, with the text of the current verdict if that is a recovery. */
const endOfTerm = (old: Alert, verdict: Verdict): Verdict =>
  verdict.state === 'ok'
    ? verdict
    : { ...verdict, state: 'ok', title: `${old.title}: resolved`, text: `It fired again: ${verdict.title}` };

export const createAlertBook = (parts: AlertBookParts): AlertBook => new Book(parts);

class Book implements AlertBook {
  readonly #parts: AlertBookParts;
  readonly #notifying: Notifying;
  readonly #active: ActiveAlerts;
  /** Clock in which the holds of each rule are counted. */
  readonly #times = new Map<string, Rule['time']>();
  /** Stored part of each running hold, by the alert's id. */
  readonly #keptRanMs = new Map<string, number>();
  /** False once alerts began, ended or changed their state after the last count. */
  #isCounted = false;

  constructor(parts: AlertBookParts) {
    const { alertStore, settings, start, own } = parts;
    this.#parts = parts;
    this.#active = new ActiveAlerts(alertStore.active());
    this.#notifying = new Notifying(settings, alertStore.told(), start, own);
    this.#count();
  }

  active(): readonly Alert[] {
    return this.#active.all();
  }

  ended(limit: number): readonly Alert[] {
    return this.#parts.alertStore.ended(limit);
  }

  apply(judged: readonly Judged[], now: Present): AlertRound {
    return finish(this.applying(judged, now));
  }

  *applying(judged: readonly Judged[], now: Present): Generator<number, AlertRound> {
    const changes = new ChangeSet();
    const quiet = this.#parts.quietAt(now.clockMs);
    const open = this.#notifying.rules();
    for (const one of inOrderOfInhibition(judged)) {
      if (one.isUnchanged === true && !open.has(one.rule.name) && this.#active.ofRule(one.rule.name).size === 0)
        continue;
      yield* this.#applyRule(one, quiet, now, changes);
    }
    this.#dropRules(new Set(judged.map(({ rule }) => rule.name)), now, changes);
    this.#notifying.tellOwed(this.#active, now, changes);
    if (!changes.isEmpty) this.#parts.commit(this.#lasting(changes, now));
    this.#count();
    const nextMs = this.#notifying.nextMs(now.steadyMs);
    return {
      notices: changes.notices.length,
      againInMs: nextMs === undefined ? undefined : nextMs - now.steadyMs,
    };
  }

  *#applyRule(
    { rule, verdicts, isPartial }: Judged,
    quiet: QuietNow,
    now: Present,
    changes: ChangeSet,
  ): Generator<number, void> {
    if (verdicts === undefined) return;
    this.#times.set(rule.name, rule.time);
    const isInhibited = inhibitionOf(rule, this.#active.ofRules((rule.inhibitedBy ?? []).map((one) => one.rule)));
    const bySubject = new Map(this.#active.ofRule(rule.name));
    const told = this.#notifying.ofRule(rule.name);
    const isQuiet = bySubject.size === 0 && told.size === 0;
    let passed = 0;
    for (const full of verdicts) {
      if (++passed % pieceVerdicts === 0) yield pieceVerdicts;
      // Without an alert and without an open notice there is nothing to end.
      if (full.state !== 'firing' && (isQuiet || !(bySubject.has(full.subject) || told.get(full.subject)?.isFiring)))
        continue;
      this.#applyVerdict(rule, bounded(full), { bySubject, isInhibited, quiet }, now, changes);
    }
    yield passed % pieceVerdicts;
    if (isPartial !== true) {
      for (const orphan of [...bySubject.values()].flat()) this.#drop(orphan, now, changes);
      this.#notifying.dropMissing(
        rule.name,
        () => new Set(verdicts.map(({ subject }) => subject)),
        'ended, or no longer watched',
        now,
        changes,
      );
    }
    this.#notifying.tellFiring(rule.name, now, changes);
    for (const alert of this.#notifying.takeChanged()) {
      this.#active.set(alert);
      changes.putAlert(alert);
    }
  }

  #applyVerdict(rule: Rule, verdict: Verdict, found: FoundOfRule, now: Present, changes: ChangeSet): void {
    const { subject, term, state } = verdict;
    const inhibited = found.isInhibited(verdict);
    let end: Verdict | undefined;
    // An alert of an earlier term is over as soon as its subject is known to be in another term.
    for (const old of found.bySubject.get(subject) ?? []) {
      if (state === 'unknown' || old.term === term) continue;
      end = endOfTerm(old, verdict);
      this.#step(rule, old, end, inhibited, now, changes);
    }
    found.bySubject.delete(subject);
    const alert = this.#step(rule, this.#active.get(rule.name, subject, term), verdict, inhibited, now, changes);
    if (state === 'unknown' || isTimeUnknown(rule, now)) return;
    const held = inhibited ? 'inhibition' : found.quiet({ rule: rule.name, subject })?.reason;
    this.#notifying.look({ rule, verdict, alert, end, held }, now, changes);
  }

  /** Ends everything that belongs to removed rules. */
  #dropRules(names: ReadonlySet<string>, now: Present, changes: ChangeSet): void {
    const gone = [...this.#active.rules()].filter((rule) => !names.has(rule));
    for (const alert of [...this.#active.ofRules(gone)]) this.#drop(alert, now, changes);
    for (const rule of this.#notifying.rules())
      if (!names.has(rule))
        this.#notifying.dropMissing(rule, () => new Set(), 'its rule is switched off', now, changes);
  }

  #step(
    rule: Rule,
    before: Alert | undefined,
    verdict: Verdict,
    inhibited: boolean,
    now: Present,
    changes: ChangeSet,
  ): Alert | undefined {
    const after = step(rule, before, verdict, now, inhibited, randomUUID);
    if (before === undefined && after === undefined) return undefined;
    if (after === undefined || after.state === 'resolved') {
      if (before !== undefined) this.#active.delete(before);
    } else if (after !== before) this.#active.set(after);
    if (after?.severity !== before?.severity) this.#isCounted = false;
    if (after === undefined && before !== undefined) changes.removeAlert(before.id);
    else if (after !== undefined && (isWorthKeeping(before, after) || this.#isHoldDue(rule, after)))
      changes.putAlert(after);
    if (after?.state === 'pending') {
      if (changes.has(after.id)) this.#keptRanMs.set(after.id, after.hold.ranMs);
    } else if (before !== undefined) this.#keptRanMs.delete(before.id);
    this.#report(before, after, verdict.title);
    return after;
  }

  /** Whether more of a hold has run than a restart may lose. */
  #isHoldDue({ forMs }: Rule, { id, state, hold }: Alert): boolean {
    const unkeptMs = hold.ranMs - (this.#keptRanMs.get(id) ?? 0);
    return state === 'pending' && unkeptMs >= Math.max(keptEveryMs, forMs * keptShare);
  }

  /** Removes an alert whose subject or rule no longer exists. */
  #drop(alert: Alert, now: Present, changes: ChangeSet): void {
    const { logger } = this.#parts;
    logger.info({ rule: alert.rule, subject: alert.subject }, 'alert dropped: no longer watched');
    this.#active.delete(alert);
    this.#isCounted = false;
    if (alert.state !== 'firing') {
      changes.removeAlert(alert.id);
      return;
    }
    const endedMs = Math.max(
      alert.firingMs ?? 0,
      this.#times.get(alert.rule) === 'chain' ? (now.chainMs ?? 0) : now.clockMs,
    );
    changes.putAlert({ ...alert, state: 'resolved', endedMs, endedClockMs: now.clockMs });
    this.#parts.own.alertTransitions.inc({ alertname: alert.rule, to: 'resolved' });
  }

  /**
   * The same changes for the next process, whose monotonic clock differs: its times are times of day. A hold in block time
   * continues. Any other hold resumes from the time counted so far, because nothing is observed while no process runs.
   */
  #lasting(changes: ChangeSet, now: Present): Changes {
    const { removed, forgotten, notices } = changes;
    const clock = (steadyMs: number): number => steadyMs + now.clockMs - now.steadyMs;
    const put = changes.put.map((alert): Alert => {
      if (this.#times.get(alert.rule) === 'chain') return alert;
      return { ...alert, hold: { ranMs: alert.hold.ranMs, sinceMs: undefined } };
    });
    return { put, removed, told: changes.told.map((one) => shifted(one, clock)), forgotten, notices };
  }

  #report(before: Alert | undefined, after: Alert | undefined, title: string): void {
    const alert = after ?? before;
    const to = after?.state ?? 'inactive';
    if (alert === undefined || (before?.state ?? 'inactive') === to) return;
    this.#isCounted = false;
    const { own, logger } = this.#parts;
    own.alertTransitions.inc({ alertname: alert.rule, to });
    const line = { rule: alert.rule, subject: alert.subject, to, title };
    if (to === 'pending' || to === 'inactive') logger.debug(line, 'alert');
    else logger.info(line, 'alert');
  }

  #count(): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    const { own } = this.#parts;
    own.alerts.reset();
    for (const { rule, state, severity } of this.#active.all()) own.alerts.inc({ alertname: rule, state, severity });
  }
}

/** State for applying the verdicts of one rule in one round. */
interface FoundOfRule {
  /** Alerts of subjects to which no verdict has been applied yet. */
  readonly bySubject: Map<string, readonly Alert[]>;
  readonly isInhibited: (verdict: Verdict) => boolean;
  readonly quiet: QuietNow;
}

/** While the clock of a rule is unknown, its verdicts change nothing. */
const isTimeUnknown = ({ time }: Rule, { chainMs }: Present): boolean => time === 'chain' && chainMs === undefined;

/** State changes, and holds that stop or resume, are stored; texts that change in a round are not. */
const isWorthKeeping = (before: Alert | undefined, after: Alert): boolean =>
  before?.state !== after.state ||
  before.notified !== after.notified ||
  (before.hold.sinceMs === undefined) !== (after.hold.sinceMs === undefined);
