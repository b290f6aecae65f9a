import type { Moment } from './check.js';

/** Maximum number of blocks by which the ledger may be behind the head. */
const behindBlocks = 5n;

/**
 * Whether events would have reported every change of a subject since a reading, so that it need not be read again. This
 * requires that every block since the reading was read, up to the head.
 */
export const isFollowed = ({ head, events }: Moment, readAt: bigint | undefined): boolean =>
  head !== undefined &&
  events !== undefined &&
  readAt !== undefined &&
  events.from <= readAt + 1n &&
  events.to + behindBlocks >= head.height;
