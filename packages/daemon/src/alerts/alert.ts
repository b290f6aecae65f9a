import type { Severity } from '../checks/severity.js';

export type AlertState = 'pending' | 'firing' | 'resolved';

/** Time for which a condition has persisted: block time or monotonic time, depending on the rule. */
export interface Hold {
  readonly ranMs: number;
  /** `undefined` while it does not run. */
  readonly sinceMs: number | undefined;
}

/** One occurrence of a problem. It is identified by rule, subject and term; `id` identifies the occurrence. */
export interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly subject: string;
  readonly term: string;
  readonly state: AlertState;
  readonly severity: Severity;
  /** When the condition was first seen, in the rule's time (block time or clock), in milliseconds. */
  readonly sinceMs: number;
  readonly firingMs: number | undefined;
  readonly endedMs: number | undefined;
  /** The same two times by the daemon's clock, regardless of the rule's clock. */
  readonly firedClockMs: number | undefined;
  readonly endedClockMs: number | undefined;
  /** Whether a notice about the firing alert was sent. */
  readonly notified: boolean;
  /**
   * While pending: the time counted so far, and the start of the running part. The hold does not run while the alert is
   * inhibited.
   */
  readonly hold: Hold;
  readonly title: string;
  readonly text: string;
  /** From the latest verdict. Not stored: after a restart the next round provides it. */
  readonly dueMs?: number | undefined;
  readonly leases?: number | undefined;
}

/**
 * `recovered`: the problem is over. `ended`: there is nothing to report any more, because the subject ended, is no longer
 * watched or is reported by another rule.
 */
export type NoticeKind = 'firing' | 'recovered' | 'ended';

/** State of one alert in a notice. */
export interface NoticeMember {
  readonly subject: string;
  readonly title: string;
  /** Whether it fires at the time of the notice. */
  readonly isFiring: boolean;
}

/** A notice about a change. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Notices of one stream form a thread: those of one alert, or of a group of alerts. */
  readonly stream: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  /** Facts and details. For a notice about many alerts, this does not repeat their list. */
  readonly text: string;
  /**
   * All alerts in the notice, those with leases first. Notices about the same rule and subject reach each recipient in the
   * order in which they were written.
   */
  readonly members: readonly NoticeMember[];
  /** Daemon's clock at the change. */
  readonly atMs: number;
}
