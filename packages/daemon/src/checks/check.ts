import type { Clock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import type { BlockHead } from '../endpoints/head.js';
import type { TrustedPool } from '../endpoints/pool.js';
import type { ChangeHistory } from '../store/change-history.js';
import type { HeartbeatHistory } from '../store/heartbeat-history.js';
import type { LeaseRecords } from '../store/lease-records.js';
import type { SessionMemory } from '../store/session-memory.js';
import type { Family, Sample } from './family.js';
import type { Memory } from './memory.js';
import type { RuleDeclaration, Verdict } from './verdict.js';

/** A single subject of a check. */
export interface Target {
  /** Unique within the check: the name of an endpoint, or an address. */
  readonly key: string;
}

/** Start of a collection. A reading is never older than this, so a judgement by this head never raises an alert too early. */
export interface Moment {
  /** Agreed head at the start of the collection. */
  readonly head: BlockHead | undefined;
  /** Daemon's clock at the start. */
  readonly clockMs: number;
  /** Monotonic time at the start; absent if stalls of this process are not detected. */
  readonly monotonicMs?: number | undefined;
  /** Consecutive blocks whose events were read up to that time; absent if events are not read. */
  readonly events?: { readonly from: bigint; readonly to: bigint } | undefined;
}

/** Everything that `collect` may use; it performs I/O only through this object. */
export interface CollectContext {
  readonly pool: TrustedPool;
  readonly history: HeartbeatHistory;
  /** Changes of values that were read, with their counts; survives restarts. */
  readonly changes: ChangeHistory;
  /** Sessions of watched nodes at the last poll, and their usual number. */
  readonly sessions: SessionMemory;
  /** Terms of leases that were read; absent if they are not stored. */
  readonly leaseRecords?: LeaseRecords | undefined;
  /** State of the checks that lasts until the daemon ends. */
  readonly memory: Memory;
  readonly config: Config;
  readonly clock: Clock;
  readonly moment: Moment;
  /** Reading of this target from the last round; absent if that round failed, and at the start. */
  readonly previous?: unknown;
  /**
   * Whether the timetable started this round. Values that were read recently and are known to be current then need no new
   * request.
   */
  readonly isTimetable?: boolean;
  /** Keys to read in this round, from events; absent if everything is to be read. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  /** Whether this process stalled during the round. A missing response then does not indicate a failure of the endpoint. */
  readonly isStarved?: (() => boolean) | undefined;
}

/** A round was delayed by this machine; its result is not used. */
export class StarvedError extends Error {
  override readonly name = 'StarvedError';

  constructor() {
    super('this process stood still while it waited for the answer');
  }
}

/** Reason for a failure caused by this process itself. */
export const starvedReason = 'starved';

/** Result of the last collection: a reading, or the reason for the failure. A failure never exposes an older reading. */
export type Outcome<R> =
  | { readonly state: 'known'; readonly reading: R; readonly moment: Moment }
  | { readonly state: 'failed'; readonly reason: string; readonly text: string; readonly moment: Moment };

/** A rule that needs only the reading of its check. Without a reading its verdict is `unknown`, and the rule is not called. */
export interface CheckRule<T extends Target, R> extends RuleDeclaration {
  judge(target: T, reading: R, moment: Moment): Verdict;
}

/**
 * One check per file, with one line in `list.ts`. `collect` is its only I/O; all other members are pure functions. They are
 * declared as methods so that a list can contain checks with different reading types.
 */
export interface Check<T extends Target = Target, R = unknown> {
  /** Name of its job in `hubwatch_polls_total`. */
  readonly name: string;
  /** Every family that `metrics` and `constants` may return. */
  readonly families: readonly Family[];
  everyMs(config: Config): number;
  /**
   * Number of targets read concurrently, if it differs from the default. Targets that share no server need not wait for each
   * other.
   */
  readonly lanes?: number;
  targets(config: Config): readonly T[];
  /** Reads one target. If it throws, the poll failed and the observations of the target are dropped. */
  collect(target: T, context: CollectContext): Promise<R>;
  metrics(target: T, reading: R): readonly Sample[];
  /** Whether the timetable may skip a target: no change is expected since the reading, and events would report one. */
  isStillGood?(reading: R, taken: Moment, now: Moment): boolean;
  /** Series from the configuration, which are exported regardless of the state of the network. */
  constants?(target: T, config: Config): readonly Sample[];
  readonly rules?: readonly CheckRule<T, R>[];
}
