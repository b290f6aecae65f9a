import type { Severity } from '../checks/verdict.js';

export type AlertState = 'pending' | 'firing' | 'resolved';

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
  readonly title: string;
  readonly text: string;
  /** Of the newest verdict. Not kept: after a restart the next round tells it. */
  readonly dueMs?: number | undefined;
  /** Set when it was told together with others, in one notice: their stream. */
  readonly groupId: string | undefined;
  /** It is over, and people who were told of it in a group do not know yet. */
  readonly owesRecovery: boolean;
}

/** What people are told of a change. */
export interface Notice {
  readonly kind: 'firing' | 'recovered';
  /** Notices of one stream reach each recipient in order and form a thread: those of one alert, or of a group of them. */
  readonly stream: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Clock of the daemon at the change. */
  readonly atMs: number;
}
