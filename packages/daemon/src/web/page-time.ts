import { impossibleTime } from '../words.js';

/** ISO 8601 → `2026-11-28 05:03:30 UTC` */
export const clock = (iso: string): string =>
  iso === impossibleTime ? iso : `${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** Only the time if the date is today. */
export const clockOf = (iso: string, now: string): string =>
  iso.slice(0, 10) === now.slice(0, 10) && iso !== impossibleTime ? `${iso.slice(11, 19)} UTC` : clock(iso);
