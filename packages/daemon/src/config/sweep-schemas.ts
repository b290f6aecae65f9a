import { z } from 'zod';
import { cron, duration, label, word, zone } from './scalars.js';

/** Whole lists of the network, counted at one height. */
export const sweeps = z.strictObject({
  enabled: z.boolean().default(true),
  every: duration({ min: '100ms', max: '7d' }).default(900_000),
  /** Times by the clock of `zone`, in place of `every`. */
  cron: cron.optional(),
  zone: zone.default('UTC'),
  /** Endpoints that may be asked for whole lists; those of the role own when left out. */
  endpoints: z.array(label).max(16).optional(),
  /** Records that one page has at most. */
  page_size: z.int().min(1).max(5_000).default(500),
  /** Denominations with a series of their own; the others are summed up as `other`. */
  denoms: z.array(word('a denomination, such as udvpn', 128)).max(32).default(['udvpn']),
});
