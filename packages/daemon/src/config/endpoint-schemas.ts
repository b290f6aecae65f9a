import { z } from 'zod';
import { baseUrl, grpcAddress, isBlock, label, word } from './scalars.js';

const depths = z.array(z.int().min(1).max(100_000_000)).max(8).default([]);

/** History that an endpoint has to hold. */
const requirement = z.strictObject({
  /** Blocks before the newest at which state has to answer. */
  state_depths: depths,
  /** Blocks before the newest that have to be held, and that searches of transactions have to find. */
  block_depths: depths,
  tx_depths: depths,
  /** Height whose block and state have to stay. */
  earliest_height: z.int().min(901_801).optional(),
});

export const endpoint = z
  .strictObject({
    name: label,
    role: z.enum(['own', 'reference', 'archive']).default('reference'),
    grpc: grpcAddress.optional(),
    rest: baseUrl.optional(),
    rpc: baseUrl.optional(),
    /** Sent with every request, over every transport: lines `Name: value`, such as an API key. */
    headers_file: word('the path of a file').optional(),
    /** Sent as `Authorization: Basic …`. */
    username: word('a user name').optional(),
    password_file: word('the path of a file').optional(),
    password_env: word('the name of an environment variable').optional(),
    /** Whether new blocks are listened for on the websocket of the consensus RPC. */
    websocket: z.boolean().default(true),
    naming: z.enum(['auto', 'public', 'neutral']).default('auto'),
    require: requirement.default({ state_depths: [], block_depths: [], tx_depths: [] }),
    /** Folder in which the programs of upgrades lie, as `NAME/bin/PROGRAM`; of a node on this machine. */
    upgrades: word('the path of a folder').optional(),
  })
  .refine((value) => value.grpc !== undefined || value.rest !== undefined || value.rpc !== undefined, {
    error: 'an endpoint needs at least one of grpc, rest, rpc',
    when: isBlock,
  })
  .refine((value) => 'username' in value === ('password_file' in value !== 'password_env' in value), {
    error: 'username needs exactly one of password_file and password_env, and a password needs a username',
    when: isBlock,
  });
