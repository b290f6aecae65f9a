import { type Clock, HubError } from '@hubwatch/client';
import type { QueryTransport } from './endpoint.js';

/** Longest time for which a source that gave nothing is asked after the others. */
const longestRestMs = 300_000;
const firstRestMs = 15_000;

/** Failures after which the same source is likely to fail again, and to take its whole time-out for it. */
const restCodes: ReadonlySet<string> = new Set(['timeout', 'refused', 'unavailable', 'tls', 'http', 'rate_limited']);

interface Rest {
  readonly failures: number;
  readonly untilMs: number;
}

/** How fast each endpoint answers, and which of its transports rest after a failure. */
export interface SourcePace {
  start(endpoint: string, transport: QueryTransport): { worked(): void; failed(error: unknown): void };
  /** Steps of a factor of two, so that endpoints that are about as fast keep their place; 0 where nothing is known. */
  slowness(endpoint: string): number;
  rests(endpoint: string, transport: QueryTransport): boolean;
}

export const createSourcePace = (clock: Pick<Clock, 'monotonicMs'>): SourcePace => {
  const usualMs = new Map<string, number>();
  const rests = new Map<string, Rest>();
  const keyOf = (endpoint: string, transport: QueryTransport): string => `${transport} ${endpoint}`;
  return {
    start(endpoint, transport) {
      const key = keyOf(endpoint, transport);
      const startedMs = clock.monotonicMs();
      return {
        worked() {
          const ms = clock.monotonicMs() - startedMs;
          usualMs.set(endpoint, 0.8 * (usualMs.get(endpoint) ?? ms) + 0.2 * ms);
          rests.delete(key);
        },
        failed(error) {
          if (!(error instanceof HubError) || !restCodes.has(error.code)) return;
          const failures = (rests.get(key)?.failures ?? 0) + 1;
          const restMs = Math.min(longestRestMs, firstRestMs * 2 ** (failures - 1));
          rests.set(key, { failures, untilMs: clock.monotonicMs() + restMs });
        },
      };
    },
    slowness: (endpoint) => Math.round(Math.log2(1 + (usualMs.get(endpoint) ?? 0))),
    rests: (endpoint, transport) => (rests.get(keyOf(endpoint, transport))?.untilMs ?? 0) > clock.monotonicMs(),
  };
};
