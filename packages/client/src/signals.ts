import { type Clock, systemClock } from './clock.js';

/** A signal that aborts together with others. Release it with `clear` when the work ends. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops listening to the other signals. */
  clear(): void;
}

/** A signal that also aborts after a timeout. */
export interface Timeout extends JoinedSignal {
  /** Whether the timeout expired before another signal aborted. */
  isOver(): boolean;
}

/**
 * Aborts as soon as one of the signals does, with its reason. Replaces `AbortSignal.any`, whose result the garbage
 * collector of Node 20 may drop together with the timeout in it: here every listener holds the controller.
 */
export function joinSignals(signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const links = signals.flatMap((outer) => {
    if (outer === undefined) return [];
    const pass = (): void => controller.abort(outer.reason);
    if (outer.aborted) pass();
    else outer.addEventListener('abort', pass, { once: true });
    return [() => outer.removeEventListener('abort', pass)];
  });
  const clear = (): void => links.forEach((unlink) => unlink());
  signal.addEventListener('abort', clear, { once: true });
  return { signal, clear };
}

/**
 * Aborts after `ms`, or with one of the signals. Replaces `AbortSignal.timeout`. The owner must call `clear` when the work
 * ends: until then the timer keeps the process alive.
 */
export function startTimeout(
  ms: number,
  {
    clock = systemClock,
    signals = [],
  }: { readonly clock?: Clock; readonly signals?: readonly (AbortSignal | undefined)[] } = {},
): Timeout {
  const own = new AbortController();
  const joined = joinSignals([...signals, own.signal]);
  let isOver = false;
  const cancel = clock.setTimeout(() => {
    isOver = !joined.signal.aborted;
    own.abort(new DOMException(`no result within ${ms} ms`, 'TimeoutError'));
  }, ms);
  joined.signal.addEventListener('abort', cancel, { once: true });
  return {
    signal: joined.signal,
    isOver: () => isOver,
    clear: () => {
      cancel();
      joined.clear();
    },
  };
}
