import { z } from 'zod';
import { amounts, hubAddress, label } from './scalars.js';

const watchedNode = z.strictObject({ address: hubAddress('sentnode'), alias: label.optional() });
const watchedProvider = z.strictObject({ address: hubAddress('sentprov'), alias: label.optional() });
const watchedAccount = z.strictObject({
  address: hubAddress('sent'),
  alias: label.optional(),
  /** What it should hold at least, by denomination in its base unit. */
  minimum: amounts.optional(),
});

export const watch = z.strictObject({
  nodes: z.array(watchedNode).default([]),
  providers: z.array(watchedProvider).default([]),
  accounts: z.array(watchedAccount).default([]),
  /** Share of the session timeout without a usage update from which an active session is stale. */
  session_stale_share: z.number().min(0.5).max(1).default(0.98),
});
