import type { PoolStrategy, SeenMember } from './pool-options.js';

/**
 * Asks fresh members before those of unknown height, and these before those that are behind; of equals the fastest; else as
 * they were given. A member that is known to be behind is not asked while another is near: its answer would be refused.
 *
 * @param maxLag blocks that a member may be behind the best one and still count as fresh
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
