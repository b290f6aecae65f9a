import { HubError } from '@hubwatch/client';
import { type FailureReason, failureReason, failureText } from '../endpoints/failure.js';

/** State of one value. The four states are never merged, and none of them is represented by a number. */
export type Datum<T> =
  | { readonly state: 'known'; readonly value: T }
  | { readonly state: 'not_served'; readonly text: string }
  | { readonly state: 'not_retained'; readonly text: string }
  | { readonly state: 'no_answer'; readonly reason: FailureReason; readonly text: string };

export const known = <T>(value: T): Datum<T> => ({ state: 'known', value });

/** Datum state for a failure. */
export const datumOfFailure = (error: unknown): Exclude<Datum<never>, { state: 'known' }> => {
  const text = failureText(error);
  if (error instanceof HubError) {
    if (error.code === 'not_served' || error.code === 'unimplemented') return { state: 'not_served', text };
    if (error.code === 'height_not_retained' || error.code === 'height_never_existed') {
      return { state: 'not_retained', text };
    }
  }
  return { state: 'no_answer', reason: failureReason(error), text };
};

/** Waits for a call and converts its failure to a datum state. */
export const datumOf = async <T>(call: Promise<T>): Promise<Datum<T>> => {
  try {
    return known(await call);
  } catch (error) {
    return datumOfFailure(error);
  }
};

/** The value, or `undefined` in the other three states. */
export const valueOf = <T>(datum: Datum<T> | undefined): T | undefined =>
  datum?.state === 'known' ? datum.value : undefined;
