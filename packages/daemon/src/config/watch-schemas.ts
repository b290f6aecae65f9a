import { z } from 'zod';
import { amounts, duration, hubAddress, label } from './scalars.js';

const watchedNode = z.strictObject({ address: hubAddress('sentnode'), alias: label.optional() });
const watchedProvider = z.strictObject({ address: hubAddress('sentprov'), alias: label.optional() });
const watchedAccount = z.strictObject({
  address: hubAddress('sent'),
  alias: label.optional(),
  /** What it should hold at least, by denomination in its base unit. */
  minimum: amounts.optional(),
});

/** Whether watched nodes are reached where they publish; the only thing that talks to others than the endpoints. */
const reach = z.strictObject({
  enabled: z.boolean().default(false),
  every: duration({ min: '1m', max: '1d' }).default(300_000),
  /** For one published address with all that its name leads to. */
  timeout: duration({ min: '100ms', max: '1m' }).default(10_000),
  /** Look at addresses that are not public too. */
  private: z.boolean().default(false),
});

export const watch = z.strictObject({
  nodes: z.array(watchedNode).default([]),
  providers: z.array(watchedProvider).default([]),
  accounts: z.array(watchedAccount).default([]),
  /** Share of the session timeout without a usage update from which an active session is stale. */
  session_stale_share: z.number().min(0.5).max(1).default(0.98),
  reach: reach.default(() => reach.parse({})),
});
