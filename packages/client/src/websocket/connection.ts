import type { Naming } from '@hubwatch/types/runtime/naming';
import { type Cancel, systemClock } from '../clock.js';
import { HubError } from '../error.js';
import { baseUrl } from '../http/base-url.js';
import { decodeError } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { defaultMaxBytes, defaultTimeoutMs, limitsOf, type TransportOptions } from '../options.js';
import { parsePeerJson } from '../parse-json.js';
import { type Place, placeText } from '../place.js';
import { rpcError } from '../rpc/error.js';
import { readFailure } from '../rpc/response.js';
import { type EventKind, EventQuery, eventQuery } from './event-query.js';
import { openSocket } from './node-socket.js';
import { readChainEvent } from './read-event.js';
import type { Socket, SocketListener } from './socket.js';
import { type ChainEvent, EventQueue, type Subscription } from './subscription.js';

export interface WebSocketOptions extends TransportOptions {
  /**
   * Milliseconds without any data after which the connection counts as dead. After half of it, the node is probed with
   * a request, because browsers do not expose its pings. Default 20 000.
   */
  readonly silenceMs?: number | undefined;
}

/** One websocket connection to the consensus RPC. It is not reopened: a lost connection fails its subscriptions. */
export interface WebSocketClient {
  readonly address: string;
  /**
   * Subscribes to the events of a kind, or to those that a query selects, and waits for the acknowledgement. A text is
   * rejected unless it is a safe query: some queries that a node accepts halt it permanently.
   *
   * @throws HubError `invalid_argument` for a text that is not a safe query, `limit` for a sixth subscription,
   * `unavailable` when the connection is lost
   */
  subscribe<K extends EventKind>(query: K | EventQuery<K>): Promise<Subscription<Extract<ChainEvent, { kind: K }>>>;
  /** Settles when the connection has ended: `undefined` after `close`, the reason otherwise. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** Subscriptions that a node allows per connection. @source proto/spec/limits.yaml, websocket_subscriptions */
const maxSubscriptions = 5;

/** Limit of consecutive frames without a subscription: a subscription that was just ended causes far fewer. */
const maxUnasked = 1_000;

interface Held {
  readonly query: string;
  readonly queue: EventQueue<ChainEvent>;
}

interface Frame {
  readonly id?: unknown;
  readonly result?: { readonly data?: unknown };
  readonly error?: unknown;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Opens a websocket; `address` is the base URL (`ws://` or `http://`) of the consensus RPC, without `/websocket`. In
 * Node it uses the package `ws`, which is optional from Node 22 on. A page uses the browser's own websocket, which
 * accepts no headers.
 *
 * @throws HubError `invalid_argument`, `refused`, `tls`, `timeout`, `unavailable`, `http`, `rate_limited`
 */
export async function openWebSocket(options: WebSocketOptions & { signal?: AbortSignal }): Promise<WebSocketClient> {
  const url = `${baseUrl(options.address, 'websocket').replace(/^http/, 'ws')}/websocket`;
  const place: Place = { transport: 'websocket', address: options.address, method: 'websocket' };
  const limits = limitsOf(options, { signal: options.signal });
  const naming = await resolveNaming(options.naming, limits, place);
  const connection = new Connection(options, naming);
  const { maxBytes = defaultMaxBytes, headers } = options;
  connection.take(await openSocket({ url, maxBytes, headers, limits, place }, connection));
  return connection;
}

class Connection implements WebSocketClient, SocketListener {
  readonly address: string;
  readonly closed: Promise<Error | undefined>;
  private readonly options: WebSocketOptions;
  private readonly naming: Naming;
  private readonly held = new Map<number, Held>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly place: Place;
  private socket: Socket | undefined;
  private settle: (reason: Error | undefined) => void = () => undefined;
  private cancelSilence: Cancel = () => undefined;
  private lastId = 0;
  private unasked = 0;
  private reason: Error | undefined;
  private closing = false;
  private hasEnded = false;

  constructor(options: WebSocketOptions, naming: Naming) {
    this.options = options;
    this.naming = naming;
    this.address = options.address;
    this.place = { transport: 'websocket', address: options.address, method: 'subscribe' };
    this.closed = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /** Sets the socket once it is open. */
  take(socket: Socket): void {
    this.socket = socket;
    this.alive();
  }

  message(text: string): void {
    this.alive();
    this.receive(text);
  }

  alive(): void {
    this.cancelSilence();
    // A frame that arrived before the end may be read after it.
    if (this.hasEnded) return;
    const silenceMs = this.options.silenceMs ?? 20_000;
    this.cancelSilence = systemClock.setTimeout(() => {
      // The response is not awaited: any frame proves that the connection is alive.
      if (this.isOpen()) this.socket?.send(call(++this.lastId, 'health', {}));
      this.cancelSilence = systemClock.setTimeout(() => {
        this.fail(this.failure('timeout', `no sign of life for ${silenceMs} ms`));
      }, silenceMs / 2);
    }, silenceMs / 2);
  }

  /** Called when the socket has ended. */
  closedBy(failure: HubError | undefined, closeCode: number): void {
    this.hasEnded = true;
    this.cancelSilence();
    if (!this.closing)
      this.reason ??= failure ?? this.failure('unavailable', `the connection was closed (${closeCode})`);
    for (const { queue } of this.held.values()) queue.end(this.reason);
    for (const waiting of [...this.waiting.values()]) {
      waiting.reject(this.reason ?? this.failure('unavailable', 'the connection was closed'));
    }
    this.held.clear();
    this.settle(this.reason);
  }

  async subscribe<K extends EventKind>(
    asked: K | EventQuery<K>,
  ): Promise<Subscription<Extract<ChainEvent, { kind: K }>>> {
    if (this.held.size >= maxSubscriptions) {
      throw this.failure(
        'limit',
        `${maxSubscriptions} subscriptions are held, which is the node's limit for a connection`,
      );
    }
    const query = (asked instanceof EventQuery ? asked : eventQuery(asked)).toWire(this.naming);
    const id = ++this.lastId;
    const queue = new EventQueue<ChainEvent>(
      () => this.giveUp(id),
      (count) => this.failure('limit', `${count} events of ${query} wait unread; read them faster or close it`),
    );
    // Registered before the acknowledgement, because an event can overtake it.
    this.held.set(id, { query, queue });
    try {
      await this.request(id, 'subscribe', { query });
    } catch (error) {
      // A refusal freed the slot; without a response, the node may still have the subscription.
      this.giveUp(id);
      throw error;
    }
    const events = queue as AsyncIterableIterator<unknown> as AsyncIterableIterator<Extract<ChainEvent, { kind: K }>>;
    return { query, close: () => this.unsubscribe(id), [Symbol.asyncIterator]: () => events };
  }

  async close(): Promise<void> {
    this.closing = true;
    this.socket?.close();
    // A peer that does not answer the closing frame must not delay the caller.
    const cancel = systemClock.setTimeout(() => this.socket?.terminate(), 1_000);
    await this.closed;
    cancel();
  }

  private async unsubscribe(id: number): Promise<void> {
    const held = this.held.get(id);
    if (held === undefined) return;
    this.held.delete(id);
    held.queue.end();
    if (this.isOpen()) {
      await this.request(++this.lastId, 'unsubscribe', { query: held.query });
    }
  }

  /**
   * Frees the slot now and unsubscribes. The node processes requests in order, so the next subscription finds the slot
   * free.
   */
  private giveUp(id: number): void {
    this.unsubscribe(id).catch(() => {
      // The result is ignored: the reader has left or has the failure, and a lost connection is reported separately.
    });
  }

  private request(id: number, method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const timeoutMs = this.options.timeoutMs ?? defaultTimeoutMs;
    return new Promise((resolve, reject) => {
      if (!this.isOpen()) {
        reject(this.reason ?? this.failure('unavailable', 'the connection is closed'));
        return;
      }
      const cancel = systemClock.setTimeout(() => {
        this.waiting.delete(id);
        reject(this.failure('timeout', `${method} was not acknowledged within ${timeoutMs} ms`));
      }, timeoutMs);
      const settle = (then: () => void): void => {
        cancel();
        this.waiting.delete(id);
        then();
      };
      this.waiting.set(id, { resolve: () => settle(resolve), reject: (error) => settle(() => reject(error)) });
      this.socket?.send(call(id, method, params));
    });
  }

  private receive(frame: string): void {
    let message: Frame;
    try {
      message = parsePeerJson<Frame | null>(frame) ?? {};
    } catch (error) {
      this.fail(decodeError(this.place, error));
      return;
    }
    const id = typeof message.id === 'number' ? message.id : -1;
    if (!this.held.has(id) && !this.waiting.has(id) && ++this.unasked > maxUnasked) {
      this.fail(this.failure('limit', `${this.unasked} frames in a row belong to no subscription`));
      return;
    }
    if (message.error !== undefined) {
      const error = rpcError(readFailure(message.error), this.place, 200);
      const asked = this.waiting.get(id);
      this.held.get(id)?.queue.end(error);
      // A node that cancels a subscription still counts it; one that refuses a subscription never counted it.
      if (asked === undefined) this.giveUp(id);
      else this.held.delete(id);
      asked?.reject(error);
    } else if (message.result?.data === undefined) {
      this.waiting.get(id)?.resolve();
    } else {
      this.deliver(id, message.result.data, frame.length);
    }
  }

  private deliver(id: number, data: unknown, bytes: number): void {
    const held = this.held.get(id);
    // An event of a subscription that was just ended.
    if (held === undefined) return;
    this.unasked = 0;
    try {
      if (held.queue.push(readChainEvent(data, this.naming), bytes)) return;
    } catch (error) {
      held.queue.end(decodeError(this.place, error));
    }
    this.giveUp(id);
  }

  private isOpen(): boolean {
    return this.socket?.isOpen === true && !this.closing;
  }

  private fail(error: Error): void {
    this.reason ??= error;
    this.socket?.terminate();
  }

  private failure(code: HubError['code'], text: string, cause?: unknown): HubError {
    return new HubError({ code, message: `${placeText(this.place)}: ${text}`, ...this.place, cause });
  }
}

function call(id: number, method: string, params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
