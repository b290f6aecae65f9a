import { z } from 'zod';
import { cron, duration, label, word, zone } from './scalars.js';

export const sweeps = z
  .strictObject({
    enabled: z.boolean().default(true).describe('`false` turns all sweeps off.'),
    every: duration({ min: '100ms', max: '7d' }).prefault('15m').describe('Time from one sweep to the next.'),
    cron: cron
      .optional()
      .describe(
        'Times of the sweeps in `zone`, instead of `every`: minute, hour, day of the month, month and weekday. A time that the clock skips comes when the clock is moved, a time that it shows twice comes once, and missed times come late and once.',
      ),
    zone: zone.default('UTC').describe('Time zone of `cron`.'),
    endpoints: z
      .array(label)
      .max(16)
      .optional()
      .describe('Names of the endpoints that serve whole lists. Default: the endpoints with the role `own`.'),
    page_size: z.int().min(1).max(5_000).default(500).describe('Largest number of records in one page.'),
    denoms: z
      .array(word('a denomination, such as udvpn', 128))
      .max(32)
      .default(['udvpn'])
      .describe('Denominations with their own series. All others are summed as `other`.'),
  })
  .describe('Counts of whole lists of the network (nodes, leases, sessions …), each at one height.');
