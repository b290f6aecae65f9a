import type { Naming } from '@hubwatch/types/runtime/naming';
import { type RawData, WebSocket } from 'ws';
import { leftMs } from '../deadline.js';
import { HubError } from '../error.js';
import { baseUrl } from '../http/base-url.js';
import { decodeError } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { networkFailure } from '../network-error.js';
import { defaultMaxBytes, defaultTimeoutMs, limitsOf, type TransportOptions } from '../options.js';
import { type Place, placeText } from '../place.js';
import { rpcError } from '../rpc/error.js';
import { readFailure } from '../rpc/response.js';
import { readChainEvent } from './read-event.js';
import { type ChainEvent, EventQueue, type Subscription } from './subscription.js';

export interface WebSocketOptions extends TransportOptions {
  /**
   * Milliseconds without a ping or a frame of the node after which the connection counts as dead. Default 40 000: the
   * node pings every 27 s.
   */
  readonly silenceMs?: number | undefined;
}

/** One websocket connection to the consensus RPC. It is not reopened: a lost connection fails its subscriptions. */
export interface WebSocketClient {
  readonly address: string;
  /**
   * Subscribes to events of one kind and waits for the acknowledgement.
   *
   * @throws HubError `limit` when five subscriptions are held already, `unavailable` when the connection is lost.
   */
  subscribe<K extends ChainEvent['kind']>(kind: K): Promise<Subscription<Extract<ChainEvent, { kind: K }>>>;
  /** Settles when the connection has ended: `undefined` after `close`, the reason otherwise. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** @source consensus rpc §2.5: `max_subscriptions_per_client` */
const maxSubscriptions = 5;

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
 * Opens a websocket with the `ws` package; `address` is the base URL (`ws://` or `http://`) of the consensus RPC, without
 * `/websocket`.
 *
 * @throws HubError `invalid_argument`, `refused`, `tls`, `timeout`, `unavailable`, `http`
 */
export async function openWebSocket(options: WebSocketOptions): Promise<WebSocketClient> {
  const url = `${baseUrl(options.address, 'websocket').replace(/^http/, 'ws')}/websocket`;
  const place: Place = { transport: 'websocket', address: options.address, method: 'websocket' };
  const limits = limitsOf(options, {});
  const naming = await resolveNaming(options.naming, limits, place);
  const socket = new WebSocket(url, {
    // 0 would be no limit at all.
    handshakeTimeout: Math.max(1, leftMs(limits)),
    maxPayload: options.maxBytes ?? defaultMaxBytes,
    perMessageDeflate: false,
    headers: { ...options.headers },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', (error) => reject(openError(error, place)));
  });
  return new Connection(socket, options, naming);
}

function openError(error: Error, place: Place): HubError {
  // Texts of the `ws` package, which gives no code for these two.
  const status = /Unexpected server response: (\d+)/.exec(error.message)?.[1];
  const { code, text } = networkFailure(error);
  const timedOut = /handshake has timed out/.test(error.message);
  return new HubError({
    code: status !== undefined ? 'http' : timedOut ? 'timeout' : code,
    message: `${placeText(place)}: ${error.message || text}`,
    ...place,
    raw: status === undefined ? { text: error.message } : { httpStatus: Number(status), text: error.message },
    cause: error,
  });
}

/** Text of a frame; `ws` gives a list of buffers only when it is asked to. */
function textOfFrame(frame: RawData): string {
  return Buffer.isBuffer(frame) ? frame.toString() : '';
}

class Connection implements WebSocketClient {
  readonly address: string;
  readonly closed: Promise<Error | undefined>;
  private readonly socket: WebSocket;
  private readonly options: WebSocketOptions;
  private readonly naming: Naming;
  private readonly held = new Map<number, Held>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly place: Place;
  private silence: NodeJS.Timeout;
  private lastId = 0;
  private reason: Error | undefined;
  private closing = false;

  constructor(socket: WebSocket, options: WebSocketOptions, naming: Naming) {
    this.socket = socket;
    this.options = options;
    this.naming = naming;
    this.address = options.address;
    this.place = { transport: 'websocket', address: options.address, method: 'subscribe' };
    this.silence = this.startSilence();
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        clearTimeout(this.silence);
        if (!this.closing) this.reason ??= this.failure('unavailable', `the connection was closed (${code})`);
        this.endAll();
        resolve(this.reason);
      });
    });
    socket.on('error', (error) => {
      const { code, text } = networkFailure(error);
      this.reason ??= this.failure(code, text, error);
    });
    socket.on('ping', () => this.silence.refresh());
    socket.on('message', (frame) => {
      this.silence.refresh();
      this.receive(textOfFrame(frame));
    });
  }

  async subscribe<K extends ChainEvent['kind']>(kind: K): Promise<Subscription<Extract<ChainEvent, { kind: K }>>> {
    if (this.held.size >= maxSubscriptions) {
      throw this.failure(
        'limit',
        `${maxSubscriptions} subscriptions are held, which is the node's limit for a connection`,
      );
    }
    const query = `tm.event='${kind}'`;
    const id = ++this.lastId;
    const queue = new EventQueue<ChainEvent>(
      () => this.giveUp(id),
      (count) => this.failure('limit', `${count} events of ${query} wait unread; read them faster or close it`),
    );
    // Held from now on: an event can overtake the acknowledgement.
    this.held.set(id, { query, queue });
    try {
      await this.request(id, 'subscribe', { query });
    } catch (error) {
      // A refusal freed the place; without an answer the node may hold the subscription all the same.
      this.giveUp(id);
      throw error;
    }
    const events = queue as AsyncIterableIterator<unknown> as AsyncIterableIterator<Extract<ChainEvent, { kind: K }>>;
    return { query, close: () => this.unsubscribe(id), [Symbol.asyncIterator]: () => events };
  }

  async close(): Promise<void> {
    this.closing = true;
    this.socket.close();
    // A peer that does not answer the closing frame must not hold up the caller.
    const timer = setTimeout(() => this.socket.terminate(), 1_000);
    await this.closed;
    clearTimeout(timer);
  }

  private async unsubscribe(id: number): Promise<void> {
    const held = this.held.get(id);
    if (held === undefined) return;
    this.held.delete(id);
    held.queue.end();
    if (this.socket.readyState === WebSocket.OPEN) {
      await this.request(++this.lastId, 'unsubscribe', { query: held.query });
    }
  }

  /** Frees the place now and tells the node, which takes requests in order: a subscription asked next finds it free. */
  private giveUp(id: number): void {
    this.unsubscribe(id).catch(() => {
      // Nobody waits for it: the reader has left or was told why its events ended, and a lost connection fails by itself.
    });
  }

  private request(id: number, method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const timeoutMs = this.options.timeoutMs ?? defaultTimeoutMs;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(this.reason ?? this.failure('unavailable', 'the connection is closed'));
        return;
      }
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(this.failure('timeout', `${method} was not acknowledged within ${timeoutMs} ms`));
      }, timeoutMs);
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        then();
      };
      this.waiting.set(id, { resolve: () => settle(resolve), reject: (error) => settle(() => reject(error)) });
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  private receive(frame: string): void {
    let message: Frame;
    try {
      message = (JSON.parse(frame) ?? {}) as Frame;
    } catch (error) {
      this.fail(decodeError(this.place, error));
      return;
    }
    const id = typeof message.id === 'number' ? message.id : -1;
    if (message.error !== undefined) {
      const error = rpcError(readFailure(message.error), this.place, 200);
      const asked = this.waiting.get(id);
      this.held.get(id)?.queue.end(error);
      // A node that cancels a subscription still counts it; one that refuses it never did.
      if (asked === undefined) this.giveUp(id);
      else this.held.delete(id);
      asked?.reject(error);
    } else if (message.result?.data === undefined) {
      this.waiting.get(id)?.resolve();
    } else {
      this.deliver(id, message.result.data);
    }
  }

  private deliver(id: number, data: unknown): void {
    const held = this.held.get(id);
    // An event of a subscription that was just given up.
    if (held === undefined) return;
    try {
      if (held.queue.push(readChainEvent(data, this.naming))) return;
    } catch (error) {
      held.queue.end(decodeError(this.place, error));
    }
    this.giveUp(id);
  }

  private startSilence(): NodeJS.Timeout {
    const silenceMs = this.options.silenceMs ?? 40_000;
    return setTimeout(() => {
      this.fail(this.failure('timeout', `neither a ping nor a frame came for ${silenceMs} ms`));
    }, silenceMs);
  }

  private fail(error: Error): void {
    this.reason ??= error;
    this.socket.terminate();
  }

  private endAll(): void {
    for (const { queue } of this.held.values()) queue.end(this.reason);
    for (const waiting of [...this.waiting.values()]) {
      waiting.reject(this.reason ?? this.failure('unavailable', 'the connection was closed'));
    }
    this.held.clear();
  }

  private failure(code: HubError['code'], text: string, cause?: unknown): HubError {
    return new HubError({ code, message: `${placeText(this.place)}: ${text}`, ...this.place, cause });
  }
}
