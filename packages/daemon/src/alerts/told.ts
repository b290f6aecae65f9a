import type { Severity } from '../checks/verdict.js';
import type { NoticeKind } from './alert.js';
import { type Flap, calm } from './flap.js';

/** What people were last told of one subject of one rule. */
export interface Told {
  readonly rule: string;
  readonly subject: string;
  readonly severity: Severity;
  /** Title of the last notice that it fires. */
  readonly title: string;
  /** Whether the last notice said that it fires. */
  readonly isFiring: boolean;
  /** The stretch of trouble that the notice was about. */
  readonly alertId: string;
  /** Stream of that notice. */
  readonly stream: string;
  /** Set when it was told together with others. */
  readonly groupId?: string | undefined;
  /** It is over, and people who were told of it in a group do not know yet. */
  readonly owed?: Closing | undefined;
  readonly flap: Flap;
}

/** Words of the notice that closes an alert. */
export interface Closing {
  readonly kind: Exclude<NoticeKind, 'firing'>;
  readonly title: string;
  readonly text: string;
}

/** Rule and subject as one text. */
export const toldKey = ({ rule, subject }: { readonly rule: string; readonly subject: string }): string =>
  JSON.stringify([rule, subject]);

/** With its times moved to those of another clock; what is missing in a row that a migration made is filled in. */
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
