import { firstHeight } from '@hubwatch/client';
import { z } from 'zod';
import { baseUrlText, grpcAddress, isBlock, label, word } from './scalars.js';

const depths = z.array(z.int().min(1).max(100_000_000)).max(8).default([]);

const requirement = z
  .strictObject({
    state_depths: depths.describe('Depths below the head, in blocks, at which state queries must be answered.'),
    block_depths: depths.describe('Depths below the head at which blocks must be served.'),
    tx_depths: depths.describe('Depths below the head at which transaction searches must find transactions.'),
    earliest_height: z.int().min(Number(firstHeight)).optional().describe('Height whose block and state must be kept.'),
  })
  .describe('History that the endpoint must serve. An alert reports what is missing.');

export const endpoint = z
  .strictObject({
    name: label.describe('Name on pages, in notices and in the label `endpoint`.'),
    role: z
      .enum(['own', 'reference', 'archive'])
      .default('reference')
      .describe('`own`: your node; `reference`: a node of others, for comparison; `archive`: keeps old states.'),
    grpc: grpcAddress.optional().describe('Address of the gRPC server.'),
    rest: baseUrlText.optional().describe('URL of the REST gateway.'),
    rpc: baseUrlText.optional().describe('URL of the consensus RPC: blocks, peers, mempool and events.'),
    headers_file: word('the path of a file')
      .optional()
      .describe('File with lines `Name: value` that are sent as headers of every request, such as an API key.'),
    username: word('a user name').optional().describe('User of `Authorization: Basic`. Needs a password.'),
    password_file: word('the path of a file').optional().describe('File with the password of `username`.'),
    password_env: word('the name of an environment variable')
      .optional()
      .describe('Environment variable with the password of `username`.'),
    websocket: z
      .boolean()
      .default(true)
      .describe('Whether new blocks are received over the websocket of the consensus RPC.'),
    naming: z
      .enum(['auto', 'public', 'neutral'])
      .default('auto')
      .describe('Names that the node uses. `auto` detects them.'),
    require: requirement.prefault({}),
    upgrades: word('the path of a folder')
      .optional()
      .describe('Folder with the programs of upgrades as `NAME/bin/PROGRAM`, of a node on this machine.'),
  })
  .refine((value) => value.grpc !== undefined || value.rest !== undefined || value.rpc !== undefined, {
    error: 'an endpoint needs at least one of grpc, rest, rpc',
    when: isBlock,
  })
  .refine((value) => 'username' in value === ('password_file' in value !== 'password_env' in value), {
    error: 'username needs exactly one of password_file and password_env, and a password needs a username',
    when: isBlock,
  });
