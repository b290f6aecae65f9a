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
  /** Most requests a second; unlimited by default. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests that may be sent at once after a pause. Default: those of one second, at least 2. */
  readonly burst?: number | undefined;
}

/** A member, with what the pool has seen of it. */
export interface SeenMember<E> {
  readonly member: PoolMember<E>;
  /** Whether it failed, and is left alone for a while. */
  readonly isResting: boolean;
  /** Mean time of its last answers, milliseconds; `undefined` before the first. */
  readonly latencyMs: number | undefined;
  /** Blocks by which it was behind the best member; `undefined` before it showed a height. */
  readonly lag: bigint | undefined;
}

/** Which members are asked, and which of their answers count. The default is `freshestFirst`. */
export interface PoolStrategy<E> {
  /**
   * Members to ask, best first. A member that is left out is not asked.
   *
   * @param given height that an answer has to reach, of one that was given to a caller before; `undefined` for none
   */
  order(seen: readonly SeenMember<E>[], lane: Lane, given?: bigint): readonly PoolMember<E>[];
  /** A resting member is asked in its turn, instead of waited for. Then an answer ends its rest. Default false. */
  readonly asksResting?: boolean | undefined;
  /** Failures that are the answer, whichever member gave them, beside those that always are. */
  isFinal?(failure: HubError): boolean;
  /**
   * Asked when a read brought only answers that are older than one given before. True: the chain itself went back. The
   * newest of the older answers is given, and every subject begins anew. Default: never.
   */
  takesOlder?(older: OlderAnswerError, subject: string): boolean;
}

export interface PoolOptions<E> {
  readonly strategy?: PoolStrategy<E> | undefined;
  /** Asks an endpoint for its newest height, `undefined` where it does not say. Called for all endpoints before the first read and every `probeMs` of use. */
  readonly probe?: ((client: E, limits: AttemptLimits) => Promise<bigint | undefined>) | undefined;
  /** Default 30 000. */
  readonly probeMs?: number | undefined;
  /** Blocks that an endpoint may be behind the best one and still count as fresh, without a strategy. Default 2. */
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
  /**
   * What the answer is about. No answer is given that is older than one given before about the same subject. By default
   * all reads have one subject.
   */
  readonly subject?: string | undefined;
  /** Milliseconds for all attempts together; `Infinity` where each attempt has a limit of its own. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one attempt brought, with the height that it is of where the answer says so. */
export interface Reading<T> {
  readonly value: T;
  readonly height: bigint | undefined;
}
