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
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
