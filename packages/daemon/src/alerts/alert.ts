import type { Severity } from '../checks/verdict.js';

export type AlertState = 'pending' | 'firing' | 'resolved';

/** Time that a condition has held: block time or monotonic time, as its rule counts. */
export interface Hold {
  readonly ranMs: number;
  /** `undefined` while it does not run. */
  readonly sinceMs: number | undefined;
}

/** One stretch of trouble. Identity is rule, subject and term; `id` names this stretch. */
export interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly subject: string;
  readonly term: string;
  readonly state: AlertState;
  readonly severity: Severity;
  /** When the condition was first seen, in the rule's time (block time or clock), milliseconds. */
  readonly sinceMs: number;
  readonly firingMs: number | undefined;
  readonly endedMs: number | undefined;
  /** The same two moments by the daemon's clock, whatever time the rule counts in. */
  readonly firedClockMs: number | undefined;
  readonly endedClockMs: number | undefined;
  /** Whether people were told that it fires. */
  readonly notified: boolean;
  /** While it is pending: how much of the hold has run, and since when it runs on; it does not while inhibited. */
  readonly hold: Hold;
  readonly title: string;
  readonly text: string;
  /** Of the newest verdict. Not kept: after a restart the next round tells it. */
  readonly dueMs?: number | undefined;
  readonly leases?: number | undefined;
}

/**
 * `recovered`: the trouble is over. `ended`: there is nothing to report any more, because the subject ended, is no longer
 * watched or is reported by another rule.
 */
export type NoticeKind = 'firing' | 'recovered' | 'ended';

/** What a notice reports of one alert. */
export interface NoticeMember {
  readonly subject: string;
  readonly title: string;
  /** Whether it fires at the time of the notice. */
  readonly isFiring: boolean;
}

/** What people are told of a change. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Notices of one stream form a thread: those of one alert, or of a group of them. */
  readonly stream: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  /** Facts and details. Of a notice about many alerts it does not repeat the list of them. */
  readonly text: string;
  /**
   * Every alert that it is about, those with leases first. Notices about the same rule and subject reach each recipient in
   * the order in which they were written.
   */
  readonly members: readonly NoticeMember[];
  /** Clock of the daemon at the change. */
  readonly atMs: number;
}
