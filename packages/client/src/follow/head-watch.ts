import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';
import { type BackoffOptions, backoffMs } from '../backoff.js';
import { type Clock, pause } from '../clock.js';
import { HubError } from '../error.js';
import type { TransportOptions } from '../options.js';
import type { EndpointPool } from '../pool/pool.js';
import type { RpcClient } from '../rpc/client.js';
import type { Header } from '../rpc/results.js';
import { openWebSocket, type WebSocketClient } from '../websocket/connection.js';
import type { NewBlockEvent } from '../websocket/subscription.js';
import { BlockInterval } from './block-interval.js';
import type { FollowEvent } from './follow-event.js';

export interface WatchedEndpoint {
  readonly name: string;
  readonly address: string;
  readonly naming: Naming | NamingSource;
}

export interface HeadWatchOptions extends Pick<TransportOptions, 'timeoutMs' | 'maxBytes' | 'headers'> {
  readonly endpoints: readonly WatchedEndpoint[];
  readonly pool: EndpointPool<RpcClient>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoff: BackoffOptions;
  /** Milliseconds without any data from the connection after which it counts as dead. */
  readonly silenceMs: number | undefined;
  /** Minimum milliseconds without a block after which a connection counts as mute while the chain advances. */
  readonly muteMs: number;
  /** Minimum milliseconds between two queries of the head. */
  readonly pollMs: number;
  readonly tell: (event: FollowEvent) => void;
}

/** Number of pushed blocks that are buffered for followers. Slower followers read by height. */
const maxKept = 32;

/**
 * Tracks the head of the chain: over the websocket, which is reopened whenever it ends, and by polling while that is
 * silent. It does not decide which items a follower gets. A lost, late or repeated event costs at most a read by
 * height.
 */
export class HeadWatch {
  /** Highest height seen; `undefined` before the first. */
  head: bigint | undefined;
  private readonly options: HeadWatchOptions;
  private readonly interval = new BlockInterval();
  private readonly kept = new Map<bigint, NewBlockEvent>();
  private readonly waiters = new Set<() => void>();
  private chainId: string | undefined;
  private users = 0;
  private running: AbortController | undefined;
  private socket: WebSocketClient | undefined;
  private connectedTo: string | undefined;
  private quietSinceMs = 0;
  private pushedHead: bigint | undefined;

  constructor(options: HeadWatchOptions) {
    this.options = options;
  }

  /** Watches until every caller has called the returned function. */
  use(): () => void {
    this.users++;
    if (this.running === undefined) {
      this.running = new AbortController();
      void this.keepConnected(this.running.signal);
      void this.keepLooking(this.running.signal);
    }
    let used = true;
    return () => {
      if (!used) return;
      used = false;
      this.users--;
      if (this.users > 0) return;
      this.running?.abort();
      this.running = undefined;
      void this.socket?.close();
    };
  }

  /** The event of a block, while it is buffered. */
  pushed(height: bigint): NewBlockEvent | undefined {
    return this.kept.get(height);
  }

  /** Resolves with the next change, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiters.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /**
   * Checks that all headers belong to one chain.
   *
   * @throws HubError `decode` for a header of another chain
   */
  checkChain({ chainId, height }: Header): void {
    // A node that omits its chain ID does not indicate another chain.
    if (chainId === '') return;
    this.chainId ??= chainId;
    if (this.chainId === chainId) return;
    const message = `block ${height} is of the chain ${JSON.stringify(chainId)}, those before of ${JSON.stringify(this.chainId)}`;
    throw new HubError({ code: 'decode', message, height });
  }

  private async keepConnected(signal: AbortSignal): Promise<void> {
    const { clock, backoff, random, tell } = this.options;
    for (let failures = 0; !isOver(signal); failures++) {
      const endpoint = this.pick(failures);
      let client: WebSocketClient | undefined;
      try {
        const { timeoutMs, maxBytes, headers, silenceMs } = this.options;
        const { address, naming } = endpoint;
        client = await openWebSocket({ address, naming, timeoutMs, maxBytes, headers, silenceMs, signal });
        if (isOver(signal)) break;
        this.socket = client;
        const subscription = await client.subscribe('NewBlock');
        this.connectedTo = endpoint.name;
        this.quietSinceMs = clock.monotonicMs();
        this.pushedHead = this.head;
        tell({ kind: 'connected', endpoint: endpoint.name });
        // Blocks that came while no follower was active.
        void this.look(signal);
        for await (const event of subscription) {
          failures = 0;
          this.push(endpoint.name, event);
        }
      } catch (error) {
        if (isOver(signal)) break;
        const retryInMs = Math.max(backoffMs(failures + 1, backoff, random), retryAfterMs(error));
        tell({ kind: 'disconnected', endpoint: endpoint.name, error: error as Error, retryInMs });
        await Promise.all([this.leave(client), pause(clock, retryInMs, signal)]);
      } finally {
        await this.leave(client);
      }
    }
  }

  private async leave(client: WebSocketClient | undefined): Promise<void> {
    // Another follower may have started meanwhile.
    if (this.socket === client) {
      this.connectedTo = undefined;
      this.socket = undefined;
    }
    // Awaited: the next connection is opened only after this one has ended.
    await client?.close();
  }

  /** The best endpoint; after each failure, another one. */
  private pick(failures: number): WatchedEndpoint {
    const { endpoints, pool } = this.options;
    const order = pool.order();
    const name = order[failures % order.length];
    return endpoints.find((endpoint) => endpoint.name === name) ?? (endpoints[0] as WatchedEndpoint);
  }

  private push(endpoint: string, event: NewBlockEvent): void {
    this.checkChain(event.block.header);
    const { height } = event;
    this.quietSinceMs = this.options.clock.monotonicMs();
    if (this.pushedHead === undefined || height > this.pushedHead) this.pushedHead = height;
    this.kept.set(height, event);
    for (const [old] of this.kept) {
      if (this.kept.size <= maxKept) break;
      this.kept.delete(old);
    }
    this.options.pool.report(endpoint, height);
    this.rise(height);
  }

  private rise(height: bigint): void {
    if (this.head !== undefined && height < this.head) return;
    this.interval.seen(height, this.options.clock.monotonicMs());
    this.head = height;
    for (const wake of [...this.waiters]) wake();
  }

  private async keepLooking(signal: AbortSignal): Promise<void> {
    const { clock, pollMs } = this.options;
    while (!signal.aborted) {
      const intervalMs = this.interval.ms ?? 0;
      const quietMs = clock.monotonicMs() - this.quietSinceMs;
      // No polling is needed while blocks arrive.
      if (this.connectedTo === undefined || quietMs > Math.max(pollMs, 2 * intervalMs)) await this.look(signal);
      await pause(clock, Math.min(5_000, Math.max(pollMs, intervalMs)), signal);
    }
  }

  /** Queries the head, and closes a websocket that lags behind it. */
  private async look(signal: AbortSignal): Promise<void> {
    const { pool, clock, muteMs, timeoutMs, tell } = this.options;
    try {
      const head = await pool.read(
        async (client, limits) => {
          const { latestBlockHeight } = (await client.call('status', {}, limits)).syncInfo;
          return { value: latestBlockHeight, height: latestBlockHeight };
        },
        { method: 'status', signal, timeoutMs },
      );
      this.rise(head);
      const forMs = clock.monotonicMs() - this.quietSinceMs;
      if (this.connectedTo === undefined || forMs < Math.max(muteMs, 4 * (this.interval.ms ?? 0))) return;
      // One block may be in transit.
      if (this.pushedHead !== undefined && head <= this.pushedHead + 1n) return;
      tell({ kind: 'mute', endpoint: this.connectedTo, forMs, head });
      void this.socket?.close();
    } catch (error) {
      // The pool has reported each attempt, and the next query follows soon.
      if (!(error instanceof HubError)) throw error;
    }
  }
}

/** A function, because the value changes during an await. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

function retryAfterMs(error: unknown): number {
  return error instanceof HubError ? (error.raw.retryAfterMs ?? 0) : 0;
}
