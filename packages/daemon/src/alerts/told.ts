import type { Severity } from '../checks/verdict.js';
import type { NoticeKind } from './alert.js';
import { type Flap, calm } from './flap.js';

/** Last reported state of one subject of one rule. */
export interface Told {
  readonly rule: string;
  readonly subject: string;
  readonly severity: Severity;
  /** Title of the last firing notice. */
  readonly title: string;
  /** Whether the last notice reported that it fires. */
  readonly isFiring: boolean;
  /** Occurrence that the notice was about. */
  readonly alertId: string;
  /** Stream of that notice. */
  readonly stream: string;
  /** Set if it was reported in a group. */
  readonly groupId?: string | undefined;
  /** Set if it is over and this was not reported yet, although it was reported in a group. */
  readonly owed?: Closing | undefined;
  readonly flap: Flap;
}

/** Text of the notice that closes an alert. */
export interface Closing {
  readonly kind: Exclude<NoticeKind, 'firing'>;
  readonly title: string;
  readonly text: string;
}

/** Joins rule and subject to one key. */
export const toldKey = ({ rule, subject }: { readonly rule: string; readonly subject: string }): string =>
  JSON.stringify([rule, subject]);

/** Converts its times to another clock and fills in values that a migrated row lacks. */
export const shifted = (told: Told, move: (ms: number) => number): Told => {
  const { firedMs, changedMs, settleMs, settledMs } = { ...calm, ...told.flap };
  const optional = (ms: number | undefined | null): number | undefined => (ms == null ? undefined : move(ms));
  return {
    ...told,
    groupId: told.groupId ?? undefined,
    owed: told.owed ?? undefined,
    flap: { firedMs: firedMs.map(move), changedMs: optional(changedMs), settleMs, settledMs: optional(settledMs) },
  };
};
