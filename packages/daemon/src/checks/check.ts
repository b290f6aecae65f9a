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

/** One thing that a check looks at. */
export interface Target {
  /** Unique within the check: an endpoint's name, an address. */
  readonly key: string;
}

/** When a reading was begun. A reading is never older than this, so judging it by this head raises nothing too early. */
export interface Moment {
  /** Agreed head known when the collection began. */
  readonly head: BlockHead | undefined;
  /** The daemon's clock then. */
  readonly clockMs: number;
  /** Monotonic time then; absent where no stalls of this process are watched for. */
  readonly monotonicMs?: number | undefined;
  /** Blocks whose events were read one after another up to then; absent where nobody reads them. */
  readonly events?: { readonly from: bigint; readonly to: bigint } | undefined;
}

/** What `collect` may use; its only way out. */
export interface CollectContext {
  readonly pool: TrustedPool;
  readonly history: HeartbeatHistory;
  /** What changed of what was read, and how often; survives restarts. */
  readonly changes: ChangeHistory;
  /** Sessions of watched nodes at the last poll, and their usual number. */
  readonly sessions: SessionMemory;
  /** Terms of leases that were read; absent where nobody keeps them. */
  readonly leaseRecords?: LeaseRecords | undefined;
  /** State of the checks that lasts until the daemon ends. */
  readonly memory: Memory;
  readonly config: Config;
  readonly clock: Clock;
  readonly moment: Moment;
  /** The reading that this check took of this target in the last round; absent when that failed, and at the start. */
  readonly previous?: unknown;
  /** The round is the timetable's: what was seen a moment ago and is seen to go on need not be asked for again. */
  readonly isTimetable?: boolean;
  /** What events had this round look at; absent when all of it is to be read. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  /** Whether this process stood still during the round, so that an answer that did not come says nothing of who was asked. */
  readonly isStarved?: (() => boolean) | undefined;
}

/** A round that came late for reasons of this machine: nothing is judged by it. */
export class StarvedError extends Error {
  override readonly name = 'StarvedError';

  constructor() {
    super('this process stood still while it waited for the answer');
  }
}

/** Reason of an outcome that this process owes to itself. */
export const starvedReason = 'starved';

/** What became of the last collection: a reading, or why there is none. A failure never shows an older reading. */
export type Outcome<R> =
  | { readonly state: 'known'; readonly reading: R; readonly moment: Moment }
  | { readonly state: 'failed'; readonly reason: string; readonly text: string; readonly moment: Moment };

/** A rule that needs nothing but its check's reading. Without a reading its verdict is `unknown`, and it is not asked. */
export interface CheckRule<T extends Target, R> extends RuleDeclaration {
  judge(target: T, reading: R, moment: Moment): Verdict;
}

/**
 * One check, one file, one line in `index.ts`. `collect` is its only I/O; everything else is a pure function. Methods, so
 * that a list can hold checks of different readings.
 */
export interface Check<T extends Target = Target, R = unknown> {
  /** Name of its job in `hubwatch_polls_total`. */
  readonly name: string;
  /** Every family that `metrics` and `constants` may give. */
  readonly families: readonly Family[];
  everyMs(config: Config): number;
  /** Targets that are read at the same time, when not the usual few: those that share no server need not wait for each other. */
  readonly lanes?: number;
  targets(config: Config): readonly T[];
  /** Reads one target. A throw is a failed poll: the target's observations are dropped. */
  collect(target: T, context: CollectContext): Promise<R>;
  metrics(target: T, reading: R): readonly Sample[];
  /** Whether the timetable may pass a reading over: nothing is expected to have changed since, and news would be told. */
  isStillGood?(reading: R, taken: Moment, now: Moment): boolean;
  /** Series that come from the configuration and stand whatever the network does. */
  constants?(target: T, config: Config): readonly Sample[];
  readonly rules?: readonly CheckRule<T, R>[];
}
