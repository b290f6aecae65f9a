import type { CollectContext } from './check.js';
import type { Kept } from './memory.js';

interface Cached {
  answer?: { readonly value: unknown; readonly atMs: number };
}

const cached: Kept<Cached> = { make: () => ({}) };

/**
 * A fact that hardly ever changes and that several targets need: read again when it is older than `everyMs`, so that it costs
 * one request, not one for each target. A failed read is not kept.
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

/** Keeps what was read anyway for those that would take it from `cachedRead`. */
export const keepForOthers = (
  { memory, clock }: Pick<CollectContext, 'memory' | 'clock'>,
  name: string,
  value: unknown,
): void => {
  memory.of(cached, name).answer = { value, atMs: clock.monotonicMs() };
};
