import type { Outcome } from '../checks/check.js';
import { cut, iso } from '../words.js';

/** What the first reading of something watched waits for. */
export const notAsked = 'not asked yet';

/** When the values of a reading were read, by the daemon's clock; `undefined` where there is none. */
export const readAt = (outcome: Pick<Outcome<unknown>, 'state' | 'moment'> | undefined): string | undefined =>
  outcome?.state === 'known' ? iso(outcome.moment.clockMs) : undefined;

/** Text that an endpoint chose may have any length. */
export const bounded = <T extends string | undefined>(text: T): T =>
  text === undefined ? text : (cut(text, 200) as T);

/** Why something watched has no values. */
export const notRead = (outcome: { readonly state: string; readonly text?: string } | undefined) => ({
  notRead: outcome === undefined ? notAsked : bounded(outcome.text ?? 'no answer'),
});
