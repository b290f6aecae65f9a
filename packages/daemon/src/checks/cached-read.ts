import type { TrustedPool } from '../endpoints/pool.js';
import type { CollectContext } from './check.js';

interface Cached {
  readonly value: unknown;
  readonly atMs: number;
}

/** By pool, so that two daemons in one process share nothing. */
const caches = new WeakMap<TrustedPool, Map<string, Cached>>();

/**
 * A fact that hardly ever changes and that several targets need: read again when it is older than `everyMs`, so that it costs
 * one request, not one for each target. A failed read is not kept.
 */
export const cachedRead = async <T>(
  { pool, clock }: Pick<CollectContext, 'pool' | 'clock'>,
  name: string,
  everyMs: number,
  read: () => Promise<T>,
): Promise<T> => {
  const known = cacheOf(pool).get(name);
  if (known !== undefined && clock.monotonicMs() - known.atMs < everyMs) return known.value as T;
  const value = await read();
  keepForOthers({ pool, clock }, name, value);
  return value;
};

/** Keeps what was read anyway for those that would take it from `cachedRead`. */
export const keepForOthers = (
  { pool, clock }: Pick<CollectContext, 'pool' | 'clock'>,
  name: string,
  value: unknown,
): void => void cacheOf(pool).set(name, { value, atMs: clock.monotonicMs() });

const cacheOf = (pool: TrustedPool): Map<string, Cached> => {
  const cache = caches.get(pool) ?? new Map<string, Cached>();
  caches.set(pool, cache);
  return cache;
};
