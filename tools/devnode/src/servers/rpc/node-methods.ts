import type { AppQuery } from '../../chain/app-query.js';
import type { BlockView } from '../../chain/block-view.js';
import type { NodeIdentity } from '../../chain/node-identity.js';
import { formatInstant } from '../../chain/instant.js';
import { sha256 } from '../../chain/hashes.js';
import type { RpcMethod } from './method.js';
import { broadcastMethods } from './broadcast-methods.js';
import { failure } from './rpc-error.js';

export interface NodeContext {
  readonly view: BlockView;
  readonly identity: NodeIdentity;
  readonly query: AppQuery;
  /** Genesis with wire names, as one JSON text. */
  readonly genesisText: () => string;
  /** Whether transactions and events are indexed. */
  readonly index: boolean;
  /** `host:port` of the consensus RPC. */
  readonly rpcAddress: () => string;
}

function nodeInfo({ view, identity, index, rpcAddress }: NodeContext): unknown {
  return {
    protocol_version: { p2p: '8', block: '11', app: '0' },
    id: identity.nodeId,
    listen_addr: identity.listenAddress,
    network: view.genesis.chainId,
    version: identity.engineVersion,
    channels: identity.channels,
    moniker: identity.moniker,
    other: { tx_index: index ? 'on' : 'off', rpc_address: `tcp://${rpcAddress()}` },
  };
}

function status(context: NodeContext): unknown {
  const { view } = context;
  const { firstBlock: first, lastBlock: head } = view.bounds;
  const latest = view.playback.block(head);
  const earliest = view.playback.block(first);
  return {
    node_info: nodeInfo(context),
    sync_info: {
      latest_block_hash: latest.hash,
      latest_app_hash: latest.app_hash,
      latest_block_height: String(head),
      latest_block_time: view.time(head),
      earliest_block_hash: earliest.hash,
      earliest_app_hash: earliest.app_hash,
      earliest_block_height: String(first),
      earliest_block_time: view.time(first),
      catching_up: false,
    },
    validator_info: {
      address: view.validator.address,
      pub_key: view.publicKey(),
      voting_power: String(view.validator.power(head + 1)),
    },
  };
}

function consensusState({ view }: NodeContext): unknown {
  const head = view.bounds.lastBlock;
  const none = `BA{1:_} 0/${view.validator.power(head + 1)} = 0.00`;
  return {
    round_state: {
      'height/round/step': `${head + 1}/0/1`,
      start_time: formatInstant(view.playback.time(head) + 1_000_000_000n),
      proposal_block_hash: '',
      locked_block_hash: '',
      valid_block_hash: '',
      height_vote_set: [
        {
          round: 0,
          prevotes: ['nil-Vote'],
          prevotes_bit_array: none,
          precommits: ['nil-Vote'],
          precommits_bit_array: none,
        },
      ],
      proposer: { address: view.validator.address, index: 0 },
    },
  };
}

function abciInfo({ view, identity }: NodeContext): unknown {
  const { blocks } = view.playback;
  const head = view.bounds.lastState;
  // The hash of the state after a block is in the header of the next block.
  const hash = blocks.has(head + 1)
    ? Buffer.from(blocks.block(head + 1).app_hash, 'hex')
    : sha256(Buffer.from(String(head)));
  return {
    response: {
      data: identity.application,
      version: identity.applicationVersion,
      last_block_height: String(head),
      last_block_app_hash: hash.toString('base64'),
    },
  };
}

function genesisChunk(context: NodeContext, chunk: bigint): unknown {
  if (chunk !== 0n) throw failure(`there are 0 chunks, ${chunk} is invalid`);
  return { chunk: '0', total: '1', data: Buffer.from(context.genesisText()).toString('base64') };
}

/** Methods for the node, its mempool, genesis, and application queries. */
export function nodeMethods(context: NodeContext): RpcMethod[] {
  const waiting = (): readonly Uint8Array[] => context.view.mempool?.waiting ?? [];
  const pool = (): Record<string, string> => {
    const txs = waiting();
    const count = String(txs.length);
    return { n_txs: count, total: count, total_bytes: String(txs.reduce((sum, tx) => sum + tx.length, 0)) };
  };
  const plain = (name: string, cache: 'always' | 'never', run: () => unknown): RpcMethod => ({
    name,
    params: [],
    cache,
    run,
  });
  return [
    plain('health', 'never', () => ({})),
    plain('status', 'never', () => status(context)),
    plain('net_info', 'never', () => ({ listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] })),
    plain('consensus_state', 'never', () => consensusState(context)),
    plain('dump_consensus_state', 'never', () => ({ ...(consensusState(context) as object), peers: [] })),
    plain('abci_info', 'always', () => abciInfo(context)),
    plain('genesis', 'always', () => ({ genesis: JSON.parse(context.genesisText()) as unknown })),
    plain('num_unconfirmed_txs', 'never', () => ({ ...pool(), txs: null })),
    {
      name: 'genesis_chunked',
      params: [{ name: 'chunk', kind: 'uint' }],
      cache: 'always',
      run: ({ chunk }) => genesisChunk(context, chunk as bigint),
    },
    {
      name: 'unconfirmed_txs',
      params: [{ name: 'limit', kind: 'optInt' }],
      cache: 'never',
      run: ({ limit }) => {
        const shown = waiting().slice(0, Number((limit as bigint | undefined) ?? 30n));
        const txs = shown.map((tx) => Buffer.from(tx).toString('base64'));
        return { ...pool(), n_txs: String(txs.length), txs };
      },
    },
    {
      name: 'abci_query',
      params: [
        { name: 'path', kind: 'string' },
        { name: 'data', kind: 'hexbytes' },
        { name: 'height', kind: 'int' },
        { name: 'prove', kind: 'bool' },
      ],
      cache: 'never',
      run: (args) => ({
        response: context.query.abci(args['path'] as string, args['data'] as Buffer, args['height'] as bigint),
      }),
    },
    ...broadcastMethods(context.view),
  ];
}
