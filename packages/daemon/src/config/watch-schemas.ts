import { z } from 'zod';
import { amounts, duration, hubAddress, label } from './scalars.js';

const alias = label.optional().describe('Name on pages and in notices.');
const watchedNode = z.strictObject({
  address: hubAddress('sentnode').describe('Address of the node, or of the account with the same key.'),
  alias,
});
const watchedProvider = z.strictObject({
  address: hubAddress('sentprov').describe('Address of the provider, or of the account with the same key.'),
  alias,
});
const watchedAccount = z.strictObject({
  address: hubAddress('sent').describe('Address of the account.'),
  alias,
  minimum: amounts.optional().describe('Lowest balance before an alert, by denomination in base units.'),
});

const reach = z
  .strictObject({
    enabled: z.boolean().default(false).describe('`true` turns the check on.'),
    every: duration({ min: '1m', max: '1d' }).prefault('5m').describe('How often each node is reached.'),
    timeout: duration({ min: '100ms', max: '1m' })
      .prefault('10s')
      .describe('Longest time for one published address, name lookup included.'),
    private: z.boolean().default(false).describe('Whether addresses that are not public are reached too.'),
  })
  .describe(
    'Connects to the addresses that watched nodes publish. Nothing else connects to hosts other than endpoints.',
  );

export const watch = z
  .strictObject({
    nodes: z.array(watchedNode).default([]).describe('Bandwidth nodes.'),
    providers: z.array(watchedProvider).default([]).describe('Providers, with their plans and leases.'),
    accounts: z
      .array(watchedAccount)
      .default([])
      .describe('Accounts: balances, deposits, subscriptions and what they pay.'),
    session_stale_share: z
      .number()
      .min(0.5)
      .max(1)
      .default(0.98)
      .describe('Share of the session timeout without a usage report after which an active session is stale.'),
    reach: reach.prefault({}),
  })
  .describe('Nodes, providers and accounts with their own series and alerts.');
