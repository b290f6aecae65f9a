import { HubError } from './error.js';
import type { CallLimits } from './options.js';
import { type Place, placeText } from './place.js';
import { startTimeout } from './signals.js';

/** A signal that aborts with the caller's signal, or when the timeout of a call expires. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the call ended early: our `timeout` or `cancelled`, else `undefined`. */
  failure(): HubError | undefined;
  /** Frees the timer. A call must do so on every path. */
  clear(): void;
}

/** Milliseconds to connect to each address of a name. A lost handshake packet is sent again after a second. */
export const addressAttemptMs = 2_000;

/** Milliseconds that a call has left. */
export function leftMs({ endsAt }: Pick<CallLimits, 'endsAt'>): number {
  return Math.max(0, endsAt - performance.now());
}

/** Starts the deadline of a call: its remaining time, or the caller's signal. */
export function startDeadline(limits: CallLimits, place: Place): Deadline {
  const { timeoutMs, signal: outer } = limits;
  const timeout = startTimeout(leftMs(limits), { signals: [outer] });
  return {
    signal: timeout.signal,
    failure: () => {
      if (timeout.isOver()) return timeoutError(timeoutMs, place);
      return outer?.aborted ? cancelledError(place, outer.reason) : undefined;
    },
    clear: () => timeout.clear(),
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
