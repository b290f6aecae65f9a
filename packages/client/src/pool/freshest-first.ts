import type { PoolStrategy, SeenMember } from './pool-options.js';

/**
 * Orders members by freshness (fresh, unknown height, behind), then by response time, then as configured. Members that are
 * behind are skipped if others are not, because their responses would be rejected.
 *
 * @param maxLag number of blocks that a member may be behind the best one and still count as fresh
 */
export function freshestFirst<E>(maxLag: bigint): PoolStrategy<E> {
  const keyOf = ({ isResting, lag, latencyMs }: SeenMember<E>): readonly number[] => {
    const freshness = lag === undefined ? 1 : lag <= maxLag ? 0 : 2;
    return [isResting ? 1 : 0, freshness, latencyMs ?? 0];
  };
  return {
    order(seen, lane, given) {
      const near = lane === 'history' || given === undefined ? [] : seen.filter(({ lag }) => (lag ?? 0n) <= maxLag);
      return (near.length > 0 ? near : seen)
        .map((one) => ({ member: one.member, key: keyOf(one) }))
        .toSorted((a, b) => a.key.map((part, at) => part - (b.key[at] as number)).find((order) => order !== 0) ?? 0)
        .map(({ member }) => member);
    },
  };
}
