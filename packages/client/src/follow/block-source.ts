import { HubError } from '../error.js';
import type { EndpointPool } from '../pool/pool.js';
import type { RpcClient } from '../rpc/client.js';
import type { Block, BlockResultsResult, Header } from '../rpc/results.js';
import type { NewBlockEvent } from '../websocket/subscription.js';
import type { HeightSource } from './follow-heights.js';
import type { HeadWatch } from './head-watch.js';

/** A block with the results of its execution. Pushed and read blocks have the same form. */
export interface FollowedBlock {
  readonly kind: 'block';
  readonly height: bigint;
  readonly block: Block;
  /** One result for each transaction. Engine 0.37 has events in two lists, 0.38 in one. */
  readonly results: BlockResultsResult;
}

export interface FollowedHeader {
  readonly kind: 'header';
  readonly height: bigint;
  readonly header: Header;
}

/** Blocks with their results. */
export function blockSource(
  pool: EndpointPool<RpcClient>,
  watch: HeadWatch,
  timeoutMs?: number,
): HeightSource<FollowedBlock> {
  return {
    ofEvent: (event) => {
      const { height, block, txResults } = event;
      // Engine 0.37 pushes the results of transactions in separate events, any of which may be lost.
      if (txResults === undefined && block.txs.length > 0) return undefined;
      const results: BlockResultsResult = {
        height,
        txsResults: txResults ?? [],
        beginBlockEvents: event.beginBlockEvents,
        endBlockEvents: event.endBlockEvents,
        finalizeBlockEvents: event.finalizeBlockEvents,
        validatorUpdates: event.validatorUpdates,
        paramUpdates: event.paramUpdates,
        appHash: event.appHash,
      };
      return { kind: 'block', height, block, results };
    },
    read: (height, pushed, signal) =>
      pool.read(
        async (client, limits) => {
          const [block, results] = await Promise.all([
            pushed?.block ?? readBlock(client, height, limits),
            client.call('block_results', { height }, limits),
          ]);
          watch.checkChain(block.header);
          requireHeight(height, results.height, 'block_results');
          if (results.txsResults.length !== block.txs.length) {
            const counts = `${results.txsResults.length} results for ${block.txs.length} transactions`;
            throw new HubError({ code: 'decode', message: `block ${height} at ${client.address}: ${counts}`, height });
          }
          return { value: { kind: 'block', height, block, results }, height };
        },
        { method: 'block_results', height, signal, timeoutMs },
      ),
  };
}

/** Headers only. */
export function headerSource(
  pool: EndpointPool<RpcClient>,
  watch: HeadWatch,
  timeoutMs?: number,
): HeightSource<FollowedHeader> {
  const itemOf = (header: Header): FollowedHeader => ({ kind: 'header', height: header.height, header });
  return {
    ofEvent: (event: NewBlockEvent) => itemOf(event.block.header),
    read: (height, _pushed, signal) =>
      pool.read(
        async (client, limits) => {
          const { header } = await client.call('header', { height }, limits);
          if (header === undefined) throw missing(height, client);
          requireHeight(height, header.height, 'header');
          watch.checkChain(header);
          return { value: itemOf(header), height };
        },
        { method: 'header', height, signal, timeoutMs },
      ),
  };
}

type Limits = Parameters<RpcClient['call']>[2];

async function readBlock(client: RpcClient, height: bigint, limits: Limits): Promise<Block> {
  const { block } = await client.call('block', { height }, limits);
  if (block === undefined) throw missing(height, client);
  requireHeight(height, block.header.height, 'block');
  return block;
}

/** Error for a node that is pruning or has no data yet and sends an empty response. */
function missing(height: bigint, { address }: RpcClient): HubError {
  return new HubError({ code: 'not_found', message: `block ${height} at ${address}: the answer is empty`, height });
}

function requireHeight(asked: bigint, answered: bigint, method: string): void {
  if (asked === answered) return;
  throw new HubError({
    code: 'decode',
    message: `${method} of height ${asked}: the answer is of ${answered}`,
    height: asked,
  });
}
