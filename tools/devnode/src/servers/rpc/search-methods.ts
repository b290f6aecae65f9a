import type { BlockView } from '../../chain/block-view.js';
import { blockEvents, eventIndex, txResult } from '../../chain/result-view.js';
import { merkleProof, merkleRoot, upperHex } from '../../chain/hashes.js';
import type { RecordedEvent } from '../../chain/block-stream.js';
import { type Condition, matches, maxQueryLength, parseQuery } from './event-query.js';
import type { RpcMethod } from './method.js';
import type { Args } from './params.js';
import type { IncludedTx } from '../../chain/mempool.js';
import { failure, RpcPanic } from './rpc-error.js';

interface TxPlace {
  readonly height: number;
  readonly index: number;
}

function txObject(view: BlockView, { height, index }: TxPlace, prove: boolean): unknown {
  const { txs } = view.playback.block(height);
  const tx = txs[index] as (typeof txs)[number];
  const object = { hash: tx.hash, height: String(height), index, tx_result: txResult(tx), tx: tx.tx };
  if (!prove) return object;
  const leaves = txs.map((each) => Buffer.from(each.hash, 'hex'));
  const proof = merkleProof(leaves, index);
  return {
    ...object,
    proof: {
      root_hash: upperHex(merkleRoot(leaves)),
      data: tx.tx,
      proof: {
        total: String(proof.total),
        index: String(index),
        leaf_hash: proof.leafHash.toString('base64'),
        ...(proof.aunts.length === 0 ? {} : { aunts: proof.aunts.map((aunt) => aunt.toString('base64')) }),
      },
    },
  };
}

/** A broadcast transaction; no recorded block contains a proof for it. */
function sentObject({ height, index, tx }: IncludedTx): unknown {
  return { hash: tx.hash, height: String(height), index, tx_result: txResult(tx), tx: tx.tx };
}

/** Selects a page of a result. Pages start at 1 and have 30 items by default, at most 100. */
function pageOf<T>(items: readonly T[], args: Args): readonly T[] {
  const asked = args['per_page'] as bigint | undefined;
  const perPage = asked === undefined || asked < 1n ? 30 : Math.min(100, Number(asked));
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const page = args['page'] as bigint | undefined;
  if (page !== undefined && (page < 1n || page > BigInt(pages))) {
    throw failure(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const start = (Number(page ?? 1n) - 1) * perPage;
  return items.slice(start, start + perPage);
}

function conditionsOf(args: Args): Condition[] {
  const query = args['query'] as string;
  if (query.length > maxQueryLength) throw failure('maximum query length exceeded');
  try {
    return parseQuery(query);
  } catch (error) {
    throw failure((error as Error).message);
  }
}

function ordered<T>(items: T[], args: Args, usual: 'asc' | 'desc'): T[] {
  const order = (args['order_by'] as string) || usual;
  if (order !== 'asc' && order !== 'desc') {
    throw failure('expected order_by to be either `asc` or `desc` or empty');
  }
  return order === 'asc' ? items : items.reverse();
}

/** Range of heights allowed by the conditions on `key`, so that a search scans few blocks. */
function heightRange(
  view: BlockView,
  conditions: readonly Condition[],
  key: string,
  last = Math.min(view.bounds.lastBlock, view.playback.blocks.last),
): [number, number] {
  let low = Math.max(view.bounds.firstBlock, view.playback.blocks.first);
  let high = last;
  for (const { key: name, operator, operand, kind } of conditions) {
    if (name !== key || kind !== 'number') continue;
    const bound = operand as number;
    // If there are several equality conditions, the first applies.
    if (operator === '=') return [Math.max(low, bound), Math.min(high, bound)];
    if (operator === '>=') low = Math.max(low, bound);
    if (operator === '>') low = Math.max(low, bound + 1);
    if (operator === '<=') high = Math.min(high, bound);
    if (operator === '<') high = Math.min(high, bound - 1);
  }
  return [low, high];
}

/** The index joins conditions within a single event; the height is matched separately. */
function inOneEvent(conditions: readonly Condition[], events: readonly RecordedEvent[], heightKey: string): boolean {
  const own = conditions.filter(({ key }) => key !== heightKey);
  return own.length === 0 || events.some((event) => matches(own, eventIndex([event]), 'whole'));
}

function txSearch(view: BlockView, args: Args): unknown {
  const conditions = conditionsOf(args);
  const byHash = conditions.find(({ key, operator }) => key === 'tx.hash' && operator === '=');
  if (byHash?.kind === 'number' || conditions.some(({ key, kind }) => key === 'tx.height' && kind === 'text')) {
    const types = byHash?.kind === 'number' ? '*big.Int, not string' : 'string, not *big.Int';
    throw new RpcPanic(`interface conversion: interface {} is ${types}`);
  }
  const found: TxPlace[] = [];
  if (byHash !== undefined) {
    const hash = String(byHash.operand);
    const bad = /[^0-9a-fA-F]/.exec(hash);
    if (bad !== null) {
      const code = (bad[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      throw failure(
        `error during searching for a hash in the query: encoding/hex: invalid byte: U+${code} '${bad[0]}'`,
      );
    }
    const sent = view.mempool?.find(hash.toUpperCase());
    if (sent !== undefined) return { txs: [sentObject(sent)], total_count: '1' };
    const place = findTx(view, hash.toUpperCase());
    if (place !== undefined) found.push(place);
  } else {
    const [low, high] = heightRange(view, conditions, 'tx.height');
    for (let height = low; height <= high; height++) {
      view.playback.block(height).txs.forEach((tx, index) => {
        if (inOneEvent(conditions, tx.events, 'tx.height')) found.push({ height, index });
      });
    }
  }
  const page = pageOf(ordered(found, args, 'asc'), args);
  return {
    txs: page.map((place) => txObject(view, place, args['prove'] as boolean)),
    total_count: String(found.length),
  };
}

function blockSearch(view: BlockView, args: Args): unknown {
  const conditions = conditionsOf(args);
  const [low, high] = heightRange(view, conditions, 'block.height');
  const found: number[] = [];
  for (let height = low; height <= high; height++) {
    if (inOneEvent(conditions, blockEvents(view.playback.block(height)), 'block.height')) found.push(height);
  }
  const page = pageOf(ordered(found, args, 'desc'), args);
  return {
    blocks: page.map((height) => ({ block_id: view.blockId(height), block: view.block(height) })),
    total_count: String(found.length + unrecorded(view, conditions)),
  };
}

/**
 * Number of executed blocks above the recorded stream that match a query with only height conditions. They are counted
 * but omitted from the page, like blocks that the engine no longer has.
 */
function unrecorded(view: BlockView, conditions: readonly Condition[]): number {
  if (conditions.some(({ key }) => key !== 'block.height')) return 0;
  const [low, high] = heightRange(view, conditions, 'block.height', view.bounds.lastState);
  return Math.max(0, high - Math.max(low, view.playback.blocks.last + 1) + 1);
}

function findTx(view: BlockView, hash: string): TxPlace | undefined {
  const place = /^[0-9A-F]{64}$/.test(hash) ? view.playback.blocks.findTx(hash) : undefined;
  return place !== undefined && place.height <= view.bounds.lastBlock ? place : undefined;
}

/** Without an index, searches reject every query before validating it. @source recorded as `small.tx_search` */
function withoutIndex(methods: readonly RpcMethod[]): RpcMethod[] {
  return methods.map((method) => ({
    ...method,
    run: () => {
      throw failure(`${method.name === 'block_search' ? 'block' : 'transaction'} indexing is disabled`);
    },
  }));
}

/** `tx`, `tx_search` and `block_search` over the blocks played so far. */
export function searchMethods(view: BlockView, index = true): RpcMethod[] {
  return index ? searches(view) : withoutIndex(searches(view));
}

function searches(view: BlockView): RpcMethod[] {
  const paging = [
    { name: 'page', kind: 'optInt' },
    { name: 'per_page', kind: 'optInt' },
    { name: 'order_by', kind: 'string' },
  ] as const;
  return [
    {
      name: 'tx',
      params: [
        { name: 'hash', kind: 'bytes' },
        { name: 'prove', kind: 'bool' },
      ],
      cache: 'always',
      run: (args) => {
        const hash = (args['hash'] as Buffer).toString('hex').toUpperCase();
        if (hash === '') throw failure('transaction hash cannot be empty');
        const place = findTx(view, hash);
        const sent = view.mempool?.find(hash);
        if (sent !== undefined) return sentObject(sent);
        if (place === undefined) throw failure(`tx (${hash}) not found`);
        return txObject(view, place, args['prove'] as boolean);
      },
    },
    {
      name: 'tx_search',
      params: [{ name: 'query', kind: 'string' }, { name: 'prove', kind: 'bool' }, ...paging],
      cache: 'never',
      run: (args) => txSearch(view, args),
    },
    {
      name: 'block_search',
      params: [{ name: 'query', kind: 'string' }, ...paging],
      cache: 'never',
      run: (args) => blockSearch(view, args),
    },
  ];
}
