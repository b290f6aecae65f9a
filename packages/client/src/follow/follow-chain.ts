import type { Naming } from '@hubwatch/types/runtime/naming';
import { type BackoffOptions, defaultBackoff } from '../backoff.js';
import { type Clock, systemClock } from '../clock.js';
import { HubError } from '../error.js';
import { memoiseNaming } from '../naming/resolve.js';
import type { TransportOptions } from '../options.js';
import { EndpointPool } from '../pool/pool.js';
import type { PoolMember } from '../pool/pool-options.js';
import type { RpcClient } from '../rpc/client.js';
import { createRpcClient } from '../rpc/transport.js';
import type { EventQuery } from '../websocket/event-query.js';
import { blockSource, type FollowedBlock, type FollowedHeader, headerSource } from './block-source.js';
import type { FollowEvent } from './follow-event.js';
import { followHeights, type HeightSource, isGap } from './follow-heights.js';
import { HeadWatch } from './head-watch.js';
import type { FollowedEvent } from './pick-events.js';
import { type FollowedTx, txsOf } from './pick-txs.js';
import type { Gap, SureReader } from './read-surely.js';
import { shownAddress } from '../shown-address.js';

export interface FollowOptions extends Omit<TransportOptions, 'address' | 'naming'> {
  /** Base URLs of the consensus RPC of one or several nodes of one chain; each serves calls and websocket. */
  readonly rpc: string | readonly [string, ...string[]];
  /** Names that the nodes use. Default `auto`: detected with the first request. */
  readonly naming?: Naming | 'auto' | undefined;
  /** Maximum requests per second to each node; unlimited by default. */
  readonly requestsPerSecond?: number | undefined;
  /** Receives all notifications of the follower. It must not throw. */
  readonly onEvent?: ((event: FollowEvent) => void) | undefined;
  /** Pause before reconnecting or reading again. Default 500 ms to 30 s. */
  readonly backoff?: BackoffOptions | undefined;
  /** Milliseconds without any data from the websocket after which it is reopened. Default 20 000. */
  readonly silenceMs?: number | undefined;
  /**
   * Minimum milliseconds without a block after which a live websocket is reopened, if the chain has advanced meanwhile.
   * Four observed block intervals are used if that is longer. Default 10 000.
   */
  readonly muteMs?: number | undefined;
  /** Minimum milliseconds between two queries of the head while the websocket is closed or silent. Default 1 000. */
  readonly pollMs?: number | undefined;
  /**
   * Milliseconds after which nodes that do not respond no longer delay reporting a height as a gap, if all other nodes
   * have pruned it. Default 120 000.
   */
  readonly gapAfterMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: (() => number) | undefined;
}

export interface StreamOptions {
  /** First height. Default: the height after the latest block. */
  readonly from?: bigint | undefined;
  /** Ends the iteration, also while it waits. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A chain as streams by height: every height once, in order, regardless of the state of connections. A slow reader
 * blocks nothing and catches up by height. A height that no node retains is reported as a `gap`, and the stream
 * continues after it.
 */
export interface ChainFollower {
  /** @throws HubError with a code for which a retry is useless, such as `height_never_existed` */
  headers(options?: StreamOptions): AsyncIterableIterator<FollowedHeader | Gap>;
  /** Blocks with their results. @throws HubError as `headers` */
  blocks(options?: StreamOptions): AsyncIterableIterator<FollowedBlock | Gap>;
  /** Transactions in the order of their execution: all, or those that a query selects. @throws HubError as `headers` */
  transactions(
    options?: StreamOptions & { readonly where?: EventQuery<'Tx'> | undefined },
  ): AsyncIterableIterator<FollowedTx | Gap>;
  /**
   * Events of the transactions (`Tx`) or blocks (`NewBlock`) that a query selects: events whose type it names, else
   * all.
   *
   * @throws HubError as `headers`
   */
  events(query: EventQuery, options?: StreamOptions): AsyncIterableIterator<FollowedEvent | Gap>;
  /** Ends all iterations. */
  close(): void;
}

/**
 * Follows a chain. Nothing is sent before the first iteration, and no connection is left after the last.
 *
 * @throws HubError `invalid_argument` when an address cannot be parsed
 */
export function followChain(options: FollowOptions): ChainFollower {
  const { clock = systemClock, random = Math.random, backoff = defaultBackoff, timeoutMs } = options;
  const tell = (event: FollowEvent): void => options.onEvent?.(event);
  const addresses = [options.rpc].flat();
  const shown = addresses.map(shownAddress);
  const endpoints = addresses.map((address, index) => {
    // Loaded only for a naming that was not given: a detection needs the codecs and the names of the public network.
    const search = async (): Promise<Naming> =>
      (await import('../naming/detect.js')).detectNaming({ ...common, rpc: address });
    const { naming = 'auto' } = options;
    return {
      name: shown.indexOf(shown[index] ?? '') === index ? (shown[index] ?? '') : `${shown[index]} (${index + 1})`,
      address,
      naming: naming === 'auto' ? memoiseNaming(search) : () => Promise.resolve(naming),
    };
  });
  const { maxBytes, headers } = options;
  const common = { timeoutMs, maxBytes, headers };
  const members = endpoints.map(
    ({ name, address, naming }): PoolMember<RpcClient> => ({
      name,
      client: createRpcClient({ ...common, address, naming }),
      requestsPerSecond: options.requestsPerSecond,
    }),
  );
  const pool = new EndpointPool(members, {
    clock,
    random,
    backoff,
    rounds: 1,
    onEvent: tell,
    probe: async (client, limits) => (await client.call('status', {}, limits)).syncInfo.latestBlockHeight,
  });
  const watch = new HeadWatch({
    ...common,
    endpoints,
    pool,
    clock,
    random,
    backoff,
    tell,
    silenceMs: options.silenceMs,
    muteMs: options.muteMs ?? 10_000,
    pollMs: options.pollMs ?? 1_000,
  });
  const reader: SureReader = {
    pool,
    clients: members.map(({ client }) => client),
    clock,
    random,
    backoff,
    timeoutMs,
    gapAfterMs: options.gapAfterMs ?? 120_000,
    head: () => watch.head,
    tell,
  };
  const closed = new AbortController();
  const stream = <T>(
    source: HeightSource<T>,
    { from, signal }: StreamOptions,
  ): AsyncGenerator<T | Gap, void, undefined> => {
    if (from !== undefined && from < 1n) {
      throw new HubError({ code: 'invalid_argument', message: `from: ${from}; heights begin with 1`, height: from });
    }
    return followHeights(source, from, watch, reader, [closed.signal, signal]);
  };
  const blocks = blockSource(pool, watch, timeoutMs);
  async function* each<T>(
    streamed: StreamOptions,
    pick: (block: FollowedBlock) => readonly T[] | Promise<readonly T[]>,
  ): AsyncGenerator<T | Gap, void, undefined> {
    for await (const item of stream(blocks, streamed)) {
      if (isGap(item)) yield item;
      else yield* await pick(item);
    }
  }
  return {
    headers: (streamed = {}) => stream(headerSource(pool, watch, timeoutMs), streamed),
    blocks: (streamed = {}) => stream(blocks, streamed),
    transactions: ({ where, ...streamed } = {}) => each(streamed, (block) => txsOf(block, where)),
    events: (query, streamed = {}) =>
      each(streamed, async (block) => (await import('./pick-events.js')).eventsOf(block, query)),
    close: () => closed.abort(),
  };
}
