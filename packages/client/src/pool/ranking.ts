import type { Clock } from '../clock.js';
import { HubError } from '../error.js';
import type { Lane } from './pool-event.js';
import type { PoolMember } from './pool-options.js';
import { Standing } from './standing.js';
import { TokenBucket } from './token-bucket.js';

/** Who of a pool is asked next: by what was seen of each, and by what each may be asked. It asks nobody itself. */
export class Ranking<E> {
  readonly members: readonly PoolMember<E>[];
  /** Highest height that any endpoint showed; `undefined` before the first. */
  best: bigint | undefined;
  private readonly standings: ReadonlyMap<string, Standing>;
  private readonly clock: Clock;
  private readonly maxLag: bigint;

  /**
   * @param maxLag blocks that an endpoint may be behind the best one and still count as fresh
   * @throws HubError `invalid_argument` without an endpoint, or for two of one name
   */
  constructor(members: readonly PoolMember<E>[], clock: Clock, maxLag = 2n) {
    if (members.length === 0 || new Set(members.map(({ name }) => name)).size !== members.length) {
      throw new HubError({
        code: 'invalid_argument',
        message: 'pool: at least one endpoint is needed, each by its own name',
      });
    }
    this.members = members;
    this.clock = clock;
    this.maxLag = maxLag;
    const nowMs = clock.monotonicMs();
    this.standings = new Map(
      members.map(({ name, requestsPerSecond: rate, burst }) => {
        const bucket = rate === undefined ? undefined : new TokenBucket(rate, burst ?? Math.max(2, rate), nowMs);
        return [name, new Standing(name, bucket)];
      }),
    );
  }

  standing(member: PoolMember<E>): Standing {
    return this.standings.get(member.name) as Standing;
  }

  /** Takes a height that an endpoint showed. */
  report(name: string, height: bigint): void {
    if (this.best === undefined || height > this.best) this.best = height;
    this.standings.get(name)?.showed(height, this.best);
  }

  /**
   * Members whose answer could be taken: one that is known to be behind would only be refused, until a probe finds it fresh.
   *
   * @param given height that an answer must have reached; `undefined` where none need, or where nobody would find out that it has
   */
  askable(lane: Lane, given: bigint | undefined): readonly PoolMember<E>[] {
    if (lane === 'history' || given === undefined) return this.members;
    const near = this.members.filter((member) => (this.standing(member).lag ?? 0n) <= this.maxLag);
    return near.length > 0 ? near : this.members;
  }

  /** The best member that may be asked now, or how long until one may. */
  next(
    lane: Lane,
    among: ReadonlySet<PoolMember<E>>,
  ): { member: PoolMember<E> } | { waitMs: number; reason: 'budget' | 'backoff' } {
    const nowMs = this.clock.monotonicMs();
    // A request of the past leaves the last one of the budget to the present.
    const reserve = lane === 'history' ? 1 : 0;
    let waitMs = Number.POSITIVE_INFINITY;
    let reason: 'budget' | 'backoff' = 'backoff';
    for (const member of this.order(lane)) {
      if (!among.has(member)) continue;
      const standing = this.standing(member);
      const blockedMs = standing.lane(lane).freeAtMs - nowMs;
      if (blockedMs <= 0 && (standing.bucket?.take(nowMs, reserve) ?? true)) return { member };
      const budgetMs = standing.bucket?.waitMs(nowMs, reserve) ?? 0;
      if (Math.max(blockedMs, budgetMs) >= waitMs) continue;
      waitMs = Math.max(blockedMs, budgetMs);
      reason = budgetMs > blockedMs ? 'budget' : 'backoff';
    }
    return { waitMs, reason };
  }

  /** Fresh before unknown before stale; of equals the fastest; else as they were given. */
  order(lane: Lane): PoolMember<E>[] {
    const nowMs = this.clock.monotonicMs();
    const keyOf = (member: PoolMember<E>): readonly number[] => {
      const standing = this.standing(member);
      const { latencyMs, freeAtMs } = standing.lane(lane);
      const freshness = standing.lag === undefined ? 1 : standing.lag <= this.maxLag ? 0 : 2;
      return [freeAtMs > nowMs ? 1 : 0, freshness, latencyMs ?? 0];
    };
    return this.members
      .map((member) => ({ member, key: keyOf(member) }))
      .toSorted((a, b) => a.key.map((part, at) => part - (b.key[at] as number)).find((order) => order !== 0) ?? 0)
      .map(({ member }) => member);
  }
}
