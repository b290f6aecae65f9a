import { cut } from '../words.js';

/** What the first reading of something watched waits for. */
export const notAsked = 'not asked yet';

/** Text that an endpoint chose may have any length. */
export const bounded = <T extends string | undefined>(text: T): T =>
  text === undefined ? text : (cut(text, 200) as T);

/** Why something watched has no values. */
export const notRead = (outcome: { readonly state: string; readonly text?: string } | undefined) => ({
  notRead: outcome === undefined ? notAsked : bounded(outcome.text ?? 'no answer'),
});
