import type { CollectContext } from './check.js';
import type { Kept } from './memory.js';

interface Cached {
  answer?: { readonly value: unknown; readonly atMs: number };
}

const cached: Kept<Cached> = { make: () => ({}) };

/**
 * Reads a value that rarely changes and that several targets need. Sends one request per `everyMs`, not one per target. Failed
 * reads are not cached.
 */
export const cachedRead = async <T>(
  context: Pick<CollectContext, 'memory' | 'clock'>,
  name: string,
  everyMs: number,
  read: () => Promise<T>,
): Promise<T> => {
  const { answer } = context.memory.of(cached, name);
  if (answer !== undefined && context.clock.monotonicMs() - answer.atMs < everyMs) return answer.value as T;
  const value = await read();
  keepForOthers(context, name, value);
  return value;
};

/** Stores a value read elsewhere so that later `cachedRead` calls can reuse it. */
export const keepForOthers = (
  { memory, clock }: Pick<CollectContext, 'memory' | 'clock'>,
  name: string,
  value: unknown,
): void => {
  memory.of(cached, name).answer = { value, atMs: clock.monotonicMs() };
};
