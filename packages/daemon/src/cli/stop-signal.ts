import { pause, systemClock } from '@hubwatch/client';

let count = 0;
let tellSecond: () => void = () => undefined;
const second = new Promise<void>((resolve) => {
  tellSecond = resolve;
});

/**
 * Resolves with the first SIGINT or SIGTERM. A parent such as npm passes on the signal that the terminal sent to all, so
 * one that follows within a second is the same; a later one ends the process at once. The listeners stay: without one, the
 * second signal would kill the process during its clean stop.
 */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      firstMs ??= performance.now();
      if (performance.now() - firstMs > 1_000) process.exit(130);
      count += 1;
      if (count === 2) tellSecond();
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });

/**
 * Resolves when the parent has passed on the signal that came first, after so many milliseconds at most; at once where none
 * came. While Node shuts down nothing listens, and a signal that comes then would be how the process ends.
 */
export const signalPassedOn = async (mostMs: number): Promise<void> => {
  if (count !== 1) return;
  await Promise.race([second, pause(systemClock, mostMs)]);
};
