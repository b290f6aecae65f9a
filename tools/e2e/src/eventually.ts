import { setTimeout as pause } from 'node:timers/promises';

/** Asks `read` again until it gives something other than `undefined`; fails with `what` when it takes longer than `withinMs`. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | undefined> | T | undefined,
  withinMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await pause(20);
  }
}
