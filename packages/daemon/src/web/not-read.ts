import type { Outcome } from '../checks/check.js';
import { cut, iso } from '../words.js';

/** Reason shown before the first reading of a watched subject. */
export const notAsked = 'not asked yet';

/** When the values of a reading were read, by the daemon's clock; `undefined` if there are none. */
export const readAt = (outcome: Pick<Outcome<unknown>, 'state' | 'moment'> | undefined): string | undefined =>
  outcome?.state === 'known' ? iso(outcome.moment.clockMs) : undefined;

/** Truncates text from an endpoint, which may have any length. */
export const bounded = <T extends string | undefined>(text: T): T =>
  text === undefined ? text : (cut(text, 200) as T);

/** Why a watched subject has no values. */
export const notRead = (outcome: { readonly state: string; readonly text?: string } | undefined) => ({
  notRead: outcome === undefined ? notAsked : bounded(outcome.text ?? 'no answer'),
});
