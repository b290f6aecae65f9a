import type { AnySessionI } from '@hubwatch/types/gen/any/hub/session/v3/session-i';
import type { Session as NodeSession } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import type { BaseSession } from '@hubwatch/types/gen/forms/hub/session/v3/session';
import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Dec } from '@hubwatch/types/runtime/values';
import { shortText } from '../../enum-text.js';
import { allocationLeft, sessionCost } from '../../forecast/index.js';
import { createColumnsBuilder, lapsed, type SessionColumns } from '../../store/session-columns.js';
import { msOf } from '../times.js';

/** Share of a limit from which a session counts as near it. */
const nearShare = 0.9;
/** A session without updates that ends within this time after its first deadline was not cancelled. */
const blockSlackMs = 60_000;
/** Maximum number of denominations and allocations per node. Other parties choose the prices and accounts. */
const denomsKept = 50;
const allocationsKept = 20_000;

/** A session of a kind that this version does not know is counted too. */
const unknownKind = 'unknown';

/** Parameters by which sessions are judged. */
export interface SessionMeasures {
  /** Time without an update after which the chain ends a session. */
  readonly timeoutMs: number;
  readonly stakingShare: Dec;
  /** Share of that time without an update from which a session is stale. */
  readonly staleShare: number;
  /** Block time of the agreed head, in milliseconds; without it no session is stale or overdue. */
  readonly nowMs: number | undefined;
}

/** Expected settlement of node sessions in one denomination with the usage reported so far, in its base unit. */
export interface ExpectedSettlement {
  /** Price of the usage, at most the deposit; the sum of `toNode` and `toStakers`. */
  readonly payment: bigint;
  readonly toNode: bigint;
  readonly toStakers: bigint;
  readonly refund: bigint;
  /** Part of the refund that active sessions may still use up: the income that the node loses if they end. */
  readonly atStake: bigint;
}

export interface LimitCounts {
  /** Number of active sessions that used 90 % or more. */
  readonly near: number;
  /** Number of active sessions that used all of it or more, which the chain allows. */
  readonly over: number;
}

/** Sums and counts over all sessions of a node. Their size does not grow with the number of sessions. */
export interface SessionFacts {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly active: number;
  /** Number of active sessions without an update for longer than the configured share of the timeout. */
  readonly stale: number | undefined;
  /** Number of sessions that still exist after their deadline, in chain time. */
  readonly overdue: number | undefined;
  /** Number of active sessions that were updated since their start and are not stale: the node reports usage. */
  readonly reporting: number;
  /** Block time of the oldest last update among active sessions, in milliseconds. */
  readonly oldestUpdateMs: number | undefined;
  /** Block time of the next settlement, in milliseconds. */
  readonly nextSettlementMs: number | undefined;
  readonly download: bigint;
  readonly upload: bigint;
  readonly byBytes: LimitCounts;
  readonly byDuration: LimitCounts;
  /** By denomination. */
  readonly expected: ReadonlyMap<string, ExpectedSettlement>;
  /** Allocations that active subscription sessions use, each counted once. */
  readonly allocations: { readonly count: number; readonly usedUp: number; readonly remaining: bigint };
}

/** Aggregates sessions page by page and stores only sums and columns, not the sessions. */
export const createSessionFold = (measures: SessionMeasures) => {
  const { timeoutMs, staleShare, nowMs } = measures;
  const byStatus = new Map([
    ['active', 0],
    ['inactive_pending', 0],
  ]);
  const columns = createColumnsBuilder();
  const expected = new Map<string, ExpectedSettlement>();
  const allocations = new Map<string, bigint>();
  const byBytes = { near: 0, over: 0 };
  const byDuration = { near: 0, over: 0 };
  let [active, stale, overdue, reporting] = [0, 0, 0, 0];
  let [download, upload] = [0n, 0n];
  let oldestUpdateMs: number | undefined;
  let nextSettlementMs: number | undefined;

  const takeActive = (base: BaseSession, deadlineMs: number): void => {
    const updateMs = deadlineMs - timeoutMs;
    oldestUpdateMs = Math.min(oldestUpdateMs ?? updateMs, updateMs);
    const isStale = nowMs !== undefined && nowMs - updateMs > staleShare * timeoutMs;
    if (isStale) stale += 1;
    else if (base.startAt !== undefined && updateMs > msOf(base.startAt)) reporting += 1;
  };

  const takeBase = (base: BaseSession): void => {
    const bytes = { download: wholeOf(base.downloadBytes), upload: wholeOf(base.uploadBytes) };
    download += bytes.download;
    upload += bytes.upload;
    const deadlineMs = base.inactiveAt && msOf(base.inactiveAt);
    if (nowMs !== undefined && deadlineMs !== undefined && deadlineMs <= nowMs) overdue += 1;
    if (base.status === Status.STATUS_ACTIVE) {
      active += 1;
      if (deadlineMs !== undefined) takeActive(base, deadlineMs);
    } else if (deadlineMs !== undefined) nextSettlementMs = Math.min(nextSettlementMs ?? deadlineMs, deadlineMs);
    const deadline = base.status === Status.STATUS_ACTIVE ? (deadlineMs ?? 0) : endMark(base, timeoutMs);
    columns.add({ id: base.id, ...bytes, deadline });
  };

  const takeCost = (session: NodeSession): void => {
    // Text that is not an amount is an endpoint error and counts as 0.
    if (!isAmount(session.price.quoteValue)) return;
    const cost = sessionCost(session, measures.stakingShare);
    if (cost === undefined || (!expected.has(cost.denom) && expected.size >= denomsKept)) return;
    const sum = expected.get(cost.denom) ?? nothing;
    const isOpen = session.baseSession?.status === Status.STATUS_ACTIVE;
    expected.set(cost.denom, {
      payment: sum.payment + cost.payment,
      toNode: sum.toNode + cost.toReceiver,
      toStakers: sum.toStakers + cost.toStakers,
      refund: sum.refund + cost.refund,
      atStake: sum.atStake + (isOpen ? cost.refund : 0n),
    });
  };

  const take = (session: AnySessionI): void => {
    const base = session.value?.baseSession;
    const status = base === undefined ? unknownKind : shortText(StatusTable, base.status);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (base === undefined || !isWhole(base)) return;
    takeBase(base);
    const isActive = base.status === Status.STATUS_ACTIVE;
    if (session.value === undefined) return;
    if (session.typeUrl === '/hub.node.v3.Session') {
      takeCost(session.value);
      if (isActive) {
        countLimit(byBytes, usedBytes(base), wholeOf(base.maxBytes));
        countLimit(byDuration, millis(base.duration), millis(base.maxDuration));
      }
    } else if (isActive) {
      countShared(byBytes, usedBytes(base), wholeOf(base.maxBytes));
      if (nowMs !== undefined && base.startAt !== undefined)
        countShared(byDuration, BigInt(Math.floor(nowMs - msOf(base.startAt))), millis(base.maxDuration));
      const allocation = `${session.value.subscriptionId} ${base.accAddress}`;
      if (allocations.size < allocationsKept) allocations.set(allocation, allocationLeft(base));
    }
  };

  return {
    take(sessions: readonly AnySessionI[]): void {
      for (const session of sessions) take(session);
    },
    /** Every session by id, for the comparison with the next poll. */
    columns: (): SessionColumns => columns.done(),
    facts(): SessionFacts {
      const remaining = [...allocations.values()];
      return {
        byStatus,
        active,
        stale: nowMs === undefined ? undefined : stale,
        overdue: nowMs === undefined ? undefined : overdue,
        reporting,
        oldestUpdateMs,
        nextSettlementMs,
        download,
        upload,
        byBytes,
        byDuration,
        expected,
        allocations: {
          count: allocations.size,
          usedUp: remaining.filter((bytes) => bytes === 0n).length,
          remaining: remaining.reduce((sum, bytes) => sum + bytes, 0n),
        },
      };
    },
  };
};

const nothing: ExpectedSettlement = { payment: 0n, toNode: 0n, toStakers: 0n, refund: 0n, atStake: 0n };

const usedBytes = (base: BaseSession): bigint => wholeOf(base.downloadBytes) + wholeOf(base.uploadBytes);

/** A limit of 0 means that a node session is not limited by it. */
const countLimit = (counts: { near: number; over: number }, used: bigint, limit: bigint): void => {
  if (limit > 0n) countShared(counts, used, limit);
};

/** For a subscription session a limit of 0 means that nothing is left. */
const countShared = (counts: { near: number; over: number }, used: bigint, limit: bigint): void => {
  if (used >= limit) counts.over += 1;
  else if (Number(used) >= nearShare * Number(limit)) counts.near += 1;
};

/** Column value for a session that is ending: `lapsed`, or the time since when it is ending. */
const endMark = ({ statusAt, startAt }: BaseSession, timeoutMs: number): number => {
  if (statusAt === undefined) return 0;
  const ranMs = startAt === undefined ? 0 : msOf(statusAt) - msOf(startAt);
  return ranMs >= timeoutMs && ranMs < timeoutMs + blockSlackMs ? lapsed : -msOf(statusAt);
};

const isAmount = (text: unknown): boolean => typeof text === 'string' && /^\d{1,80}$/.test(text);

/** The limit of a subscription session is negative if others used more of its allocation than it had. */
const isInt = (text: unknown): boolean => typeof text === 'string' && /^-?\d{1,80}$/.test(text);

const wholeOf = (text: string): bigint => (isInt(text) ? BigInt(text) : 0n);

const millis = ({ seconds, nanos }: BaseSession['duration']): bigint =>
  seconds * 1_000n + BigInt(Math.floor(nanos / 1_000_000));

/** Whether a record has all fields that the chain always writes. Data forged by an endpoint may lack some. */
const isWhole = ({ id, duration, maxDuration, downloadBytes, uploadBytes, maxBytes }: Partial<BaseSession>): boolean =>
  typeof id === 'bigint' &&
  [duration, maxDuration].every((one) => Number.isInteger(one?.nanos)) &&
  [downloadBytes, uploadBytes].every(isAmount) &&
  isInt(maxBytes);
