import { setTimeout as pause } from 'node:timers/promises';

/** Upper limit that only prevents a hang; not a performance requirement. */
const limitMs = 120_000;

/** Calls `read` until it returns a value other than `undefined`. Fails with `what` if that never happens. */
export async function eventually<T>(what: string, read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`did not happen within ${limitMs} ms: ${what}`);
    await pause(20);
  }
}
