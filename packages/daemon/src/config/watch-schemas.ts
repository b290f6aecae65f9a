import { z } from 'zod';
import { hubAddress, label } from './scalars.js';

const watchedNode = z.strictObject({ address: hubAddress('sentnode'), alias: label.optional() });
const watchedProvider = z.strictObject({ address: hubAddress('sentprov'), alias: label.optional() });
const watchedAccount = z.strictObject({ address: hubAddress('sent'), alias: label.optional() });

export const watch = z.strictObject({
  nodes: z.array(watchedNode).default([]),
  providers: z.array(watchedProvider).default([]),
  accounts: z.array(watchedAccount).default([]),
});
