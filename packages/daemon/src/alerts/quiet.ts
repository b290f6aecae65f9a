import type { Config } from '../config/schema.js';
import { isOpen } from './maintenance.js';
import type { Silence, SilenceStore } from './silences.js';

/** Silence or maintenance window that suppresses a notice. */
export interface Quiet {
  readonly reason: 'silence' | 'maintenance';
  /** Id of the silence, or name of the window. */
  readonly name: string;
}

/** Finds the reason for which notices of an alert are suppressed at a given time. */
export type QuietNow = (alert: { readonly rule: string; readonly subject: string }) => Quiet | undefined;

/** Reads silences and windows once, for all alerts of a round. */
export const quietAt = (
  silences: Pick<SilenceStore, 'current'>,
  { maintenance }: Pick<Config, 'maintenance'>,
  nowMs: number,
): QuietNow => {
  const active = silences.current(nowMs).filter(({ fromMs }) => fromMs <= nowMs);
  const open = maintenance.filter((window) => isOpen(window, nowMs));
  return ({ rule, subject }) => {
    const silence = active.find((one) => matches(one, rule, subject));
    if (silence !== undefined) return { reason: 'silence', name: silence.id };
    const window = open.find(
      ({ rules, subjects }) =>
        (rules.length === 0 || rules.includes(rule)) && (subjects.length === 0 || subjects.includes(subject)),
    );
    return window && { reason: 'maintenance', name: window.name };
  };
};

const matches = (silence: Silence, rule: string, subject: string): boolean =>
  (silence.rule ?? rule) === rule && (silence.subject ?? subject) === subject;
