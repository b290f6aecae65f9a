import type { BackoffOptions } from '../backoff.js';
import type { Clock } from '../clock.js';
import type { PoolEvent } from './pool-event.js';

/** One endpoint of a pool. */
export interface PoolMember<E> {
  /** Name in events; unique in the pool. */
  readonly name: string;
  readonly client: E;
  /** Most requests a second; unlimited by default. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests that may be sent at once after a pause. Default: those of one second, at least 2. */
  readonly burst?: number | undefined;
}

export interface PoolOptions<E> {
  /** Asks an endpoint for its newest height, `undefined` where it does not say. Called for all endpoints before the first read and every `probeMs` of use. */
  readonly probe?: ((client: E, limits: AttemptLimits) => Promise<bigint | undefined>) | undefined;
  /** Default 30 000. */
  readonly probeMs?: number | undefined;
  /** Blocks that an endpoint may be behind the best one and still count as fresh. Default 2. */
  readonly maxLag?: bigint | undefined;
  /** Times that every endpoint is tried before a read fails. Default 3. */
  readonly rounds?: number | undefined;
  /** Pause after a failure, doubled with each. Default 500 ms to 30 s. */
  readonly backoff?: BackoffOptions | undefined;
  /** The one place where the pool tells what it does. It must not throw. */
  readonly onEvent?: ((event: PoolEvent) => void) | undefined;
  /** From 0 up to and without 1. */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface ReadOptions {
  /** What is asked, for events. */
  readonly method: string;
  /** Height that is asked for; the newest state when absent. */
  readonly height?: bigint | undefined;
  /** Milliseconds for all attempts together. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one attempt brought, with the height that it is of where the answer says so. */
export interface Reading<T> {
  readonly value: T;
  readonly height: bigint | undefined;
}
