import type { Clock } from '../clock.js';
import { HubError } from '../error.js';
import type { Lane } from './pool-event.js';
import type { PoolMember, PoolStrategy, SeenMember } from './pool-options.js';
import { MemberStanding } from './standing.js';
import { TokenBucket } from './token-bucket.js';

/** Picks the next endpoint by observed freshness, latency and remaining rate budget. Does no I/O. */
export class Ranking<E> {
  readonly members: readonly PoolMember<E>[];
  /** Highest height reported by any endpoint; `undefined` before the first. */
  best: bigint | undefined;
  private readonly standings: ReadonlyMap<string, MemberStanding>;
  private readonly clock: Clock;
  private readonly strategy: PoolStrategy<E>;

  /** @throws HubError `invalid_argument` without an endpoint, or for two with the same name */
  constructor(members: readonly PoolMember<E>[], clock: Clock, strategy: PoolStrategy<E>) {
    if (members.length === 0 || new Set(members.map(({ name }) => name)).size !== members.length) {
      throw new HubError({
        code: 'invalid_argument',
        message: 'pool: at least one endpoint is needed, each by its own name',
      });
    }
    this.members = members;
    this.clock = clock;
    this.strategy = strategy;
    const nowMs = clock.monotonicMs();
    this.standings = new Map(
      members.map(({ name, requestsPerSecond: rate, burst }) => {
        const bucket = rate === undefined ? undefined : new TokenBucket(rate, burst ?? Math.max(2, rate), nowMs);
        return [name, new MemberStanding(name, bucket)];
      }),
    );
  }

  standing(member: PoolMember<E>): MemberStanding {
    return this.standings.get(member.name) as MemberStanding;
  }

  /** Records a height that an endpoint reported. */
  report(name: string, height: bigint): void {
    if (this.best === undefined || height > this.best) this.best = height;
    this.standings.get(name)?.showed(height, this.best);
  }

  /** The best available member, or the time until one is available. */
  next(
    lane: Lane,
    among: ReadonlySet<PoolMember<E>>,
  ): { member: PoolMember<E> } | { waitMs: number; reason: 'budget' | 'backoff' } {
    const nowMs = this.clock.monotonicMs();
    // A read of the past leaves the last request of the budget to live reads.
    const reserve = lane === 'history' ? 1 : 0;
    let waitMs = Number.POSITIVE_INFINITY;
    let reason: 'budget' | 'backoff' = 'backoff';
    for (const member of this.order(lane)) {
      if (!among.has(member)) continue;
      const standing = this.standing(member);
      const blockedMs = this.strategy.asksResting === true ? 0 : standing.lane(lane).freeAtMs - nowMs;
      if (blockedMs <= 0 && (standing.bucket?.take(nowMs, reserve) ?? true)) return { member };
      const budgetMs = standing.bucket?.waitMs(nowMs, reserve) ?? 0;
      if (Math.max(blockedMs, budgetMs) >= waitMs) continue;
      waitMs = Math.max(blockedMs, budgetMs);
      reason = budgetMs > blockedMs ? 'budget' : 'backoff';
    }
    return { waitMs, reason };
  }

  /** Members in the order of the strategy. */
  order(lane: Lane, given?: bigint): readonly PoolMember<E>[] {
    return this.strategy.order(this.seen(lane), lane, given);
  }

  seen(lane: Lane): SeenMember<E>[] {
    const nowMs = this.clock.monotonicMs();
    return this.members.map((member) => {
      const standing = this.standing(member);
      const { latencyMs, freeAtMs } = standing.lane(lane);
      return { member, isResting: freeAtMs > nowMs, latencyMs, lag: standing.lag };
    });
  }
}
