import { minute, second, type Topic } from './world.js';

/** Block at the first step. */
export const firstBlock = 1_000_000n;
export const blocksPerLook = 10n;
/** Age of the newest block at a step, so that no limit is met to the exact millisecond. */
export const blockAgeMs = 5 * second;

/** Blocks that arrive steadily, or stop for a while in some histories. In others the head is occasionally unknown. */
export const chainTopic: Topic = (random) => {
  const haltsAt = random.chance(0.3) ? 2 + random.below(4) : Number.POSITIVE_INFINITY;
  const lasts = 1 + random.below(8);
  const hasGaps = haltsAt === Number.POSITIVE_INFINITY && random.chance(0.3);
  const offsetMs = random.pick([0, 0, -2, 3]) * second;
  let height = firstBlock;
  let movedAt = 0;
  return (look) => {
    const isHalted = look.at >= haltsAt && look.at < haltsAt + lasts;
    if (look.at > 0 && !isHalted) {
      height += blocksPerLook;
      movedAt = look.at;
    }
    if (hasGaps && random.chance(0.2)) {
      look.chain = { head: undefined, newest: undefined };
      return;
    }
    const timeMs = movedAt * minute - blockAgeMs + offsetMs;
    const stillMs = look.nowMs - movedAt * minute + blockAgeMs;
    look.chain = { head: { height, timeMs }, newest: { height, timeMs, sameFor: 3, hasMoved: look.at > 0, stillMs } };
  };
};
