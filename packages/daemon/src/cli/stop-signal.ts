import { pause, systemClock } from '@hubwatch/client';

let count = 0;
let tellSecond: () => void = () => undefined;
const second = new Promise<void>((resolve) => {
  tellSecond = resolve;
});

/**
 * Resolves with the first SIGINT or SIGTERM. A parent such as npm passes on the signal that the terminal sent to the
 * whole process group, so a second one within a second is the same. A later one ends the process at once. The listeners
 * stay: without one, the second signal would kill the process during its clean shutdown.
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
 * Resolves when the parent has passed on the first signal, after at most `mostMs`; at once if there was none. Node has
 * no signal handlers while it shuts down, and a signal at that time would determine the exit status.
 */
export const signalPassedOn = async (mostMs: number): Promise<void> => {
  if (count !== 1) return;
  await Promise.race([second, pause(systemClock, mostMs)]);
};
