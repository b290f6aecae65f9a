import { randomUUID } from 'node:crypto';
import type { RuleDeclaration, Verdict } from '../checks/verdict.js';
import type { Config } from '../config/schema.js';
import type { OwnMetrics } from '../own-metrics.js';
import { counted, cut, span } from '../words.js';
import type { Alert, Notice } from './alert.js';
import type { ActiveAlerts } from './active-alerts.js';
import { BySubject } from './by-subject.js';
import type { ChangeSet } from './changes.js';
import { afterFiring, afterSettling, calm, type FlapSettings, isForgotten, isSettled } from './flap.js';
import { createGathering, type Gathering } from './gathering.js';
import { groupFiring, groupRecovered, type Member, noticeName } from './group-notice.js';
import { GroupRecoveries, type GroupSettings } from './group-recoveries.js';
import type { Present } from './machine.js';
import type { Quiet } from './quiet.js';
import { type Closing, shifted, type Told, toldKey } from './told.js';

export interface NotifyingSettings {
  readonly group: GroupSettings;
  readonly flap: FlapSettings;
}

export const notifyingSettings = ({ alerts }: Pick<Config, 'alerts'>): NotifyingSettings => ({
  group: { above: alerts.group_above, waitMs: alerts.group_wait },
  flap: { above: alerts.flap_above, windowMs: alerts.flap_window, settleMs: alerts.flap_settle },
});

/** State of one subject of a rule in a round. */
export interface Look {
  readonly rule: RuleDeclaration;
  readonly verdict: Verdict;
  /** The alert of the current term, if it is not over or ended in this round. */
  readonly alert: Alert | undefined;
  /** Verdict with the text for an alert that ended in this round. */
  readonly end: Verdict | undefined;
  /** Reason why no firing notice is sent. */
  readonly held: Quiet['reason'] | 'inhibition' | undefined;
}

interface DueFiring {
  readonly alert: Alert;
  readonly text: string;
  /** Whether it has stopped flapping in this state. */
  readonly isSettled: boolean;
}

/** Maximum length of a title with an appended remark. */
const titleLength = 300;

/**
 * Compares, for each rule and subject, the last reported state with the current one, and writes notices for the differences.
 * The last notice about a subject is therefore always its current state. Exceptions: the notice waits for a group, is silenced,
 * or the subject is reported as flapping.
 */
export class Notifying {
  readonly #settings: NotifyingSettings;
  readonly #own: OwnMetrics;
  readonly #gathering: Gathering;
  readonly #groups: GroupRecoveries;
  readonly #told = new BySubject<Told>();
  /** The last occurrence seen of a flapping subject; `over` if there was none. */
  readonly #seen = new Map<string, string>();
  readonly #suppressed = new Set<string>();
  /** Titles that differ from the reported ones, and since when. */
  readonly #retitled = new Map<string, { readonly title: string; readonly sinceMs: number }>();
  #due: DueFiring[] = [];
  #changed: Alert[] = [];

  constructor(
    settings: NotifyingSettings,
    told: readonly Told[],
    start: Pick<Present, 'clockMs' | 'steadyMs'>,
    own: OwnMetrics,
  ) {
    this.#settings = settings;
    this.#own = own;
    this.#gathering = createGathering(settings.group);
    this.#groups = new GroupRecoveries(settings.group);
    const steady = (clockMs: number): number => start.steadyMs - Math.max(0, start.clockMs - clockMs);
    for (const one of told) this.#told.set(one, shifted(one, steady));
  }

  /** Processes the state of one subject in a round. */
  look({ rule, verdict, alert, end, held }: Look, now: Present, changes: ChangeSet): void {
    const told = this.#told.ofRule(rule.name).get(verdict.subject);
    const firing = alert?.state === 'firing' ? alert : undefined;
    if (firing !== undefined && held !== undefined) this.#suppress(firing, held);
    if (told?.flap.changedMs !== undefined) {
      this.#lookAtFlapping(told, { verdict, firing, held }, now, changes);
      return;
    }
    if (firing === undefined) {
      if (told?.isFiring !== true) return;
      // The pending recovery uses the text of the last end: the alert may have fired again meanwhile.
      const hasEnded = end !== undefined || alert?.state === 'resolved';
      if (told.owed !== undefined && !hasEnded) return;
      this.#close(told, end ?? verdict, now, changes);
    } else if (held === undefined && (told?.isFiring !== true || told.owed !== undefined || told.alertId !== firing.id))
      this.#due.push({ alert: firing, text: verdict.text, isSettled: false });
    else if (held === undefined && told !== undefined && this.#isRetold(told, { rule, verdict }, now))
      this.#due.push({ alert: firing, text: verdict.text, isSettled: false });
  }

  /** Whether the title of a verdict with repeated notices has differed from that of the last notice for the hold time. */
  #isRetold(told: Told, { rule, verdict }: Pick<Look, 'rule' | 'verdict'>, { steadyMs }: Present): boolean {
    if (verdict.retold !== true || verdict.title === told.title) {
      if (this.#retitled.size > 0) this.#retitled.delete(toldKey(told));
      return false;
    }
    const key = toldKey(told);
    const known = this.#retitled.get(key);
    const sinceMs = known?.title === verdict.title ? known.sinceMs : steadyMs;
    this.#retitled.set(key, { title: verdict.title, sinceMs });
    return steadyMs - sinceMs >= Math.min(rule.forMs, verdict.forMs ?? rule.forMs);
  }

  #lookAtFlapping(
    told: Told,
    { verdict, firing, held }: Pick<Look, 'verdict' | 'held'> & { readonly firing: Alert | undefined },
    now: Present,
    changes: ChangeSet,
  ): void {
    const key = toldKey(told);
    const seen = firing?.id ?? 'over';
    const before = this.#seen.get(key) ?? told.alertId;
    this.#seen.set(key, seen);
    if (before !== seen) {
      this.#own.notificationsSuppressed.inc({ reason: 'flap' });
      this.#told.set(told, { ...told, flap: { ...told.flap, changedMs: now.steadyMs } });
      return;
    }
    if (!isSettled(told.flap, now.steadyMs)) return;
    if (firing === undefined) this.#close(this.#settled(told, now), verdict, now, changes);
    else if (held === undefined) this.#due.push({ alert: firing, text: verdict.text, isSettled: true });
  }

  /** Closes reported subjects for which the rule no longer has a verdict; `subjects` returns those with a verdict. */
  dropMissing(rule: string, subjects: () => ReadonlySet<string>, why: string, now: Present, changes: ChangeSet): void {
    const open = [...this.#told.ofRule(rule).values()].filter(({ isFiring, owed }) => isFiring && owed === undefined);
    if (open.length === 0) return;
    const present = subjects();
    for (const told of open) {
      if (present.has(told.subject)) continue;
      const title = `${noticeName(told.title)}: ${why}`;
      this.#closeWith(this.#settled(told, now), { kind: 'ended', title, text: `Before: ${told.title}` }, now, changes);
    }
  }

  /** Last reported state of the subjects of a rule. */
  ofRule(rule: string): ReadonlyMap<string, Told> {
    return this.#told.ofRule(rule);
  }

  /** Rules with reported problems that are not closed. */
  rules(): ReadonlySet<string> {
    const open = new Set<string>();
    for (const rule of this.#told.rules())
      for (const { isFiring } of this.#told.ofRule(rule).values())
        if (isFiring) {
          open.add(rule);
          break;
        }
    return open;
  }

  /** Writes the notices of a rule that are due, individually or combined, unless they wait for others. */
  tellFiring(rule: string, now: Present, changes: ChangeSet): void {
    const due = this.#due;
    this.#due = [];
    const how = this.#gathering.decide(rule, due.length, now.steadyMs);
    const [first] = due;
    if (first === undefined || how === 'later') return;
    const groupId = how === 'together' ? randomUUID() : undefined;
    const members = due.map((one) => this.#tell(one, groupId, now, changes));
    if (groupId === undefined) return;
    const { rule: name, severity } = first.alert;
    changes.notices.push({
      ...{ kind: 'firing', stream: groupId, rule: name, severity, atMs: now.clockMs },
      ...groupFiring(members),
    });
    this.#own.notificationsSuppressed.inc({ reason: 'grouping' }, due.length - 1);
  }

  #tell(due: DueFiring, groupId: string | undefined, now: Present, changes: ChangeSet): Member {
    const { alert } = due;
    const { rule, subject, severity } = alert;
    const before = this.#told.get(alert);
    const flap = due.isSettled
      ? afterSettling(before?.flap ?? calm, now.steadyMs)
      : afterFiring(before?.flap ?? calm, now.steadyMs, this.#settings.flap);
    const isFlapping = flap.changedMs !== undefined;
    const remark = isFlapping ? ' (flapping)' : due.isSettled ? ' (no longer flapping)' : '';
    const title = `${cut(alert.title, titleLength - remark.length)}${remark}`;
    const text = isFlapping
      ? `${flappingText(flap.firedMs.length, this.#settings.flap, flap.settleMs)}\n\n${due.text}`
      : due.text;
    const stream = groupId ?? (remark === '' ? alert.id : (before?.stream ?? alert.id));
    const told = {
      rule,
      subject,
      severity,
      title: alert.title,
      isFiring: true,
      alertId: alert.id,
      stream,
      groupId,
      flap,
    };
    this.#put(told, changes);
    if (!alert.notified) this.#changed.push({ ...alert, notified: true });
    if (isFlapping) this.#seen.set(toldKey(alert), alert.id);
    if (groupId === undefined) {
      const members = [{ subject, title, isFiring: true }];
      changes.notices.push({ kind: 'firing', stream, rule, severity, title, text, members, atMs: now.clockMs });
    }
    return { subject, title, text, dueMs: alert.dueMs, leases: alert.leases };
  }

  /** Writes the group recoveries that are due, and removes entries that are no longer needed. */
  tellOwed(active: ActiveAlerts, now: Present, changes: ChangeSet): void {
    for (const id of this.#suppressed) if (active.withId(id)?.state !== 'firing') this.#suppressed.delete(id);
    const firing = (told: Told): Alert | undefined =>
      active
        .ofRule(told.rule)
        .get(told.subject)
        ?.findLast(({ state }) => state === 'firing');
    for (const { groupId, over, remaining } of this.#groups.due(
      this.#told,
      (told) => firing(told) !== undefined,
      now.steadyMs,
    )) {
      const [first] = over;
      if (first === undefined) continue;
      const { rule, severity } = first;
      const kind = over.some(({ owed }) => owed?.kind === 'recovered') ? 'recovered' : 'ended';
      const notice = groupRecovered(
        over.map(({ subject, owed }) => ({ subject, title: owed?.title ?? '', text: owed?.text ?? '' })),
        remaining.map((told) => firing(told) ?? { ...told, text: '' }),
      );
      changes.notices.push({ kind, stream: groupId, rule, severity, atMs: now.clockMs, ...notice });
      for (const told of over) this.#over(told, changes);
      this.#own.notificationsSuppressed.inc({ reason: 'grouping' }, over.length - 1);
    }
    for (const told of this.#told.values()) {
      if (told.isFiring || !isForgotten(told.flap, now.steadyMs, this.#settings.flap.windowMs)) continue;
      this.#told.delete(told);
      this.#seen.delete(toldKey(told));
      this.#retitled.delete(toldKey(told));
      changes.forgetTold(told);
    }
  }

  /** Alerts reported since the last call. */
  takeChanged(): readonly Alert[] {
    const changed = this.#changed;
    this.#changed = [];
    return changed;
  }

  /** When waiting notices must be checked again, in monotonic time. */
  nextMs(nowMs: number): number | undefined {
    const times = [this.#gathering.nextMs(), this.#groups.nextMs()];
    for (const { flap } of this.#told.values())
      if (flap.changedMs !== undefined) times.push(flap.changedMs + flap.settleMs);
    // Notices that are already due wait for something other than time.
    const ahead = times.filter((time) => time !== undefined && time > nowMs) as number[];
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }

  /** Writes the final notice, with the text of the verdict if it is a recovery. */
  #close(told: Told, verdict: Verdict, now: Present, changes: ChangeSet): void {
    if (verdict.passedOn === true && verdict.state === 'ok') {
      this.#over(told, changes);
      return;
    }
    const isGood = verdict.state === 'ok';
    const title = isGood ? verdict.title : `${told.title}: resolved`;
    const kind = isGood && verdict.isEnded === true ? 'ended' : 'recovered';
    this.#closeWith(told, { kind, title, text: isGood ? verdict.text : '' }, now, changes);
  }

  #closeWith(told: Told, closing: Closing, now: Present, changes: ChangeSet): void {
    if (told.groupId !== undefined) {
      this.#put({ ...told, owed: closing }, changes);
      return;
    }
    const { rule, subject, severity, stream } = told;
    const members = [{ subject, title: closing.title, isFiring: false }];
    changes.notices.push({ ...closing, stream, rule, severity, members, atMs: now.clockMs } satisfies Notice);
    this.#over(told, changes);
  }

  #over(told: Told, changes: ChangeSet): void {
    this.#put({ ...told, isFiring: false, groupId: undefined, owed: undefined }, changes);
  }

  #settled(told: Told, now: Present): Told {
    return told.flap.changedMs === undefined ? told : { ...told, flap: afterSettling(told.flap, now.steadyMs) };
  }

  #put(told: Told, changes: ChangeSet): void {
    this.#told.set(told, told);
    changes.putTold(told);
  }

  #suppress({ id, notified }: Alert, reason: string): void {
    if (notified || this.#suppressed.has(id)) return;
    this.#suppressed.add(id);
    this.#own.notificationsSuppressed.inc({ reason });
  }
}

const flappingText = (times: number, { windowMs }: FlapSettings, settleMs: number): string =>
  `It fired ${counted(times, 'time')} within ${span(windowMs)}. The next notice about it is sent when its state has not changed for ${span(settleMs)}.`;
