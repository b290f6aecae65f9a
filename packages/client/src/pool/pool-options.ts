import type { BackoffOptions } from '../backoff.js';
import type { Clock } from '../clock.js';
import type { HubError } from '../error.js';
import type { OlderAnswerError } from './older-answer.js';
import type { Lane, PoolEvent } from './pool-event.js';

/** One endpoint of a pool. */
export interface PoolMember<E> {
  /** Name in events; unique in the pool. */
  readonly name: string;
  readonly client: E;
  /** Maximum requests per second; unlimited by default. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests that may be sent at once after a pause. Default: those of one second, at least 2. */
  readonly burst?: number | undefined;
}

/** State of one member of a pool. */
export interface SeenMember<E> {
  readonly member: PoolMember<E>;
  /** Whether it is in backoff after a failure. */
  readonly isResting: boolean;
  /** Moving average of its response times, in milliseconds; `undefined` before the first response. */
  readonly latencyMs: number | undefined;
  /** Number of blocks behind the best member; `undefined` if its height is not known. */
  readonly lag: bigint | undefined;
}

/** Decides which members a pool queries and which responses it accepts. The default is `freshestFirst`. */
export interface PoolStrategy<E> {
  /**
   * Returns the members to query, best first. The pool does not query members that are missing from the result.
   *
   * @param given minimum height of the response, because a caller already got one of this height; `undefined` if there
   * is none
   */
  order(seen: readonly SeenMember<E>[], lane: Lane, given?: bigint): readonly PoolMember<E>[];
  /**
   * If true, members in backoff are queried in their order, and a response ends their backoff. Default: the pool waits
   * for them.
   */
  readonly asksResting?: boolean | undefined;
  /** Returns true for failures after which no other member is queried, in addition to those that are always final. */
  isFinal?(failure: HubError): boolean;
  /**
   * Called if every response of a read is older than one returned before. If it returns true (the chain was rolled back), the
   * pool returns the newest of them and forgets the heights of all subjects. Default: always false.
   */
  takesOlder?(older: OlderAnswerError, subject: string): boolean;
}

export interface PoolOptions<E> {
  readonly strategy?: PoolStrategy<E> | undefined;
  /**
   * Queries the latest height of an endpoint; `undefined` if it does not report one. Called for all endpoints before
   * the first read and every `probeMs` of use.
   */
  readonly probe?: ((client: E, limits: AttemptLimits) => Promise<bigint | undefined>) | undefined;
  /** Milliseconds between two probes while the pool is in use. Default 30 000. */
  readonly probeMs?: number | undefined;
  /**
   * Blocks that an endpoint may be behind the best one and still count as fresh, if no strategy is given. Default 2.
   */
  readonly maxLag?: bigint | undefined;
  /** Number of times that every endpoint is tried before a read fails. Default 3. */
  readonly rounds?: number | undefined;
  /** Pause after a failure, doubled after each. Default 500 ms to 30 s. */
  readonly backoff?: BackoffOptions | undefined;
  /** Receives all notifications of the pool. It must not throw. */
  readonly onEvent?: ((event: PoolEvent) => void) | undefined;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface ReadOptions {
  /** Name of the method, for events. */
  readonly method: string;
  /** Requested height; the latest state when absent. */
  readonly height?: bigint | undefined;
  /**
   * Subject of the read. The pool never returns a response that is older than one returned before for the same subject. By
   * default all reads share one subject.
   */
  readonly subject?: string | undefined;
  /** Milliseconds for all attempts together; `Infinity` if each attempt has its own limit. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of one attempt, with its height if the response reports it. */
export interface Reading<T> {
  readonly value: T;
  readonly height: bigint | undefined;
}
