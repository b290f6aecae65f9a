import type { BlockView } from '../../chain/block-view.js';
import { blockEvent, paramUpdates, txResult } from '../../chain/result-view.js';
import type { RpcMethod } from './method.js';
import type { Args, ParamSpec } from './params.js';
import { failure } from './rpc-error.js';

const heightParam: readonly ParamSpec[] = [{ name: 'height', kind: 'optInt' }];
const metasPerAnswer = 20;

/** Resolves the height of a call. `ahead` is 1 where the next height is also allowed. */
export function resolveHeight(view: BlockView, height: unknown, ahead: 0 | 1 = 0): number {
  const { firstBlock, lastBlock } = view.bounds;
  const latest = lastBlock + ahead;
  if (height === undefined) return latest;
  const asked = height as bigint;
  if (asked <= 0n) throw failure(`height must be greater than 0, but got ${asked}`);
  if (asked > BigInt(latest)) {
    throw failure(`height ${asked} must be less than or equal to the current blockchain height ${latest}`);
  }
  if (asked < BigInt(firstBlock)) {
    throw failure(`height ${asked} is not available, lowest height is ${firstBlock}`);
  }
  return Number(asked);
}

function blockResults(view: BlockView, height: number): unknown {
  if (height > view.bounds.lastState) throw failure(`could not find results for height #${height}`);
  const block = view.playback.block(height);
  const listOrNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
  return {
    height: String(height),
    txs_results: listOrNull(block.txs.map(txResult)),
    begin_block_events: listOrNull(block.begin_block.map(blockEvent)),
    end_block_events: listOrNull(block.end_block.map(blockEvent)),
    validator_updates: listOrNull(block.validator_updates),
    consensus_param_updates: paramUpdates(view.genesis),
  };
}

function blockchain(view: BlockView, args: Args): unknown {
  const { firstBlock: first, lastBlock: head } = view.bounds;
  let min = Number(args['minHeight']);
  let max = Number(args['maxHeight']);
  if (min < 0 || max < 0) throw failure('heights must be non-negative');
  if (min === 0) min = 1;
  max = max === 0 ? head : Math.min(head, max);
  min = Math.max(first, min);
  min = Math.max(min, max - metasPerAnswer + 1);
  if (min > max) throw failure(`min height ${min} can't be greater than max height ${max}`);
  const metas = [];
  for (let height = max; height >= min; height--) {
    metas.push({
      block_id: view.blockId(height),
      block_size: String(view.size(height)),
      header: view.header(height),
      num_txs: String(view.playback.block(height).txs.length),
    });
  }
  return { last_height: String(head), block_metas: metas };
}

function validators(view: BlockView, args: Args): unknown {
  const height = resolveHeight(view, args['height'], 1);
  const page = args['page'] as bigint | undefined;
  if (page !== undefined && page !== 1n) throw failure(`page should be within [1, 1] range, given ${page}`);
  const validator = {
    address: view.validator.address,
    pub_key: view.publicKey(),
    voting_power: String(view.validator.power(height)),
    proposer_priority: '0',
  };
  return { block_height: String(height), validators: [validator], count: '1', total: '1' };
}

function heightOfHash(view: BlockView, hash: unknown): number | undefined {
  const hex = (hash as Buffer).toString('hex').toUpperCase();
  const height = hex.length === 64 ? view.playback.blocks.heightOfHash(hex) : undefined;
  return height !== undefined && height <= view.bounds.lastBlock ? height : undefined;
}

const noBlock = { block_id: { hash: '', parts: { total: 0, hash: '' } }, block: null };

/** Methods for blocks, validators and parameters at a height; `results` is whether block results are stored. */
export function blockMethods(view: BlockView, results = true): RpcMethod[] {
  const at = (name: string, show: (height: number) => unknown): RpcMethod => ({
    name,
    params: heightParam,
    cache: 'height',
    run: (args) => show(resolveHeight(view, args['height'])),
  });
  const block = (height: number): unknown => ({ block_id: view.blockId(height), block: view.block(height) });
  return [
    at('block', block),
    at('header', (height) => ({ header: view.header(height) })),
    at('block_results', (height) => {
      // Recorded as `small.block_results.latest`; unavailable heights are rejected earlier.
      if (!results) throw failure('node is not persisting abci responses');
      return blockResults(view, height);
    }),
    at('commit', (height) => ({
      signed_header: { header: view.header(height), commit: view.commit(height) },
      canonical: height !== view.bounds.lastBlock,
    })),
    {
      name: 'block_by_hash',
      params: [{ name: 'hash', kind: 'bytes' }],
      cache: 'always',
      run: (args) => {
        const height = heightOfHash(view, args['hash']);
        return height === undefined ? noBlock : block(height);
      },
    },
    {
      name: 'header_by_hash',
      params: [{ name: 'hash', kind: 'hexbytes' }],
      cache: 'always',
      run: (args) => {
        const height = heightOfHash(view, args['hash']);
        return { header: height === undefined ? null : view.header(height) };
      },
    },
    {
      name: 'blockchain',
      params: [
        { name: 'minHeight', kind: 'int' },
        { name: 'maxHeight', kind: 'int' },
      ],
      cache: 'always',
      run: (args) => blockchain(view, args),
    },
    {
      name: 'validators',
      params: [...heightParam, { name: 'page', kind: 'optInt' }, { name: 'per_page', kind: 'optInt' }],
      cache: 'height',
      run: (args) => validators(view, args),
    },
    {
      name: 'consensus_params',
      params: heightParam,
      cache: 'height',
      run: (args) => ({
        block_height: String(resolveHeight(view, args['height'], 1)),
        consensus_params: view.genesis.consensusParams,
      }),
    },
  ];
}
