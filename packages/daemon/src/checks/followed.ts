import type { Moment } from './check.js';

/** Blocks that the ledger may be behind the head. */
const behindBlocks = 5n;

/**
 * Whether what the chain did with a subject since a reading would have been told by its events, so that the reading need not
 * be taken again to learn of it: every block since was read, up to the head.
 */
export const isFollowed = ({ head, events }: Moment, readAt: bigint | undefined): boolean =>
  head !== undefined &&
  events !== undefined &&
  readAt !== undefined &&
  events.from <= readAt + 1n &&
  events.to + behindBlocks >= head.height;
