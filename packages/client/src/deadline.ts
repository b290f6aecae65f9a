import { HubError } from './error.js';
import type { CallLimits } from './options.js';
import { type Place, placeText } from './place.js';

/** A signal that aborts with the caller's, or when the time of a call is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the call ended early: our `timeout` or `cancelled`, `undefined` when it did not. */
  failure(): HubError | undefined;
  /** Frees the timer; a call must do so however it ends. */
  clear(): void;
}

/** Milliseconds that a call has left. */
export function leftMs({ endsAt }: Pick<CallLimits, 'endsAt'>): number {
  return Math.max(0, endsAt - performance.now());
}

/** Watches over what is left of the time of a call. */
export function startDeadline(limits: CallLimits, place: Place): Deadline {
  const { timeoutMs, signal: outer } = limits;
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, leftMs(limits));
  const onAbort = (): void => controller.abort();
  if (outer?.aborted) controller.abort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    failure: () => {
      if (timedOut) return timeoutError(timeoutMs, place);
      return outer?.aborted ? cancelledError(place, outer.reason) : undefined;
    },
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}

export function timeoutError(timeoutMs: number, place: Place, cause?: unknown): HubError {
  return new HubError({
    code: 'timeout',
    message: `${placeText(place)}: no answer within ${timeoutMs} ms`,
    ...place,
    cause,
  });
}

export function cancelledError(place: Place, cause?: unknown): HubError {
  return new HubError({ code: 'cancelled', message: `${placeText(place)}: cancelled by the caller`, ...place, cause });
}
