import type { RawData, WebSocket } from 'ws';
import { argsOf, answerCall, type Call, errorText, readCall, resultText } from '../rpc/dispatch.js';
import { type Condition, matches, maxQueryLength, parseQuery } from '../rpc/event-query.js';
import { firstJsonValue, goJson } from '../rpc/go-json.js';
import type { RpcMethods } from '../rpc/method.js';
import { failure, RpcError, rpcCode, RpcPanic } from '../rpc/rpc-error.js';
import { type BusEvent, type EventBus, maxSubscriptionClients } from './event-bus.js';

const maxSubscriptions = 5;
/** Maximum number of frames queued for a client, as in the engine's buffer per connection. */
const maxWaiting = 200;
/**
 * When the chain plays faster than the connection, it waits this long for a client that reads. A client that does not
 * read is dropped.
 */
const graceMs = 1_000;

interface Subscription {
  readonly id: string;
  readonly query: string;
  readonly conditions: readonly Condition[];
}

export interface ClientOptions {
  readonly websocket: WebSocket;
  readonly methods: RpcMethods;
  readonly bus: EventBus;
  readonly pingMs: number;
  readonly silenceMs: number;
}

/** One websocket connection: its ordered calls, subscriptions and pings. */
export class WebsocketClient {
  readonly #options: ClientOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #leave: () => void;
  readonly #ping: NodeJS.Timeout;
  #silence: NodeJS.Timeout | undefined;
  #waiting = 0;
  #busy: Promise<void> | undefined;
  /** Called when a frame has been sent. */
  #wake: () => void = () => {};

  constructor(options: ClientOptions) {
    this.#options = options;
    const { websocket, bus } = options;
    this.#leave = bus.subscribe((event) => this.#deliver(event));
    this.#ping = setInterval(() => websocket.ping(), options.pingMs);
    this.#heard();
    // Pings from the client are answered but do not count as activity; calls and pongs do.
    websocket.on('pong', () => this.#heard());
    websocket.on('message', (data: RawData) => {
      this.#heard();
      this.#receive((data as Buffer).toString());
    });
    websocket.on('error', () => websocket.terminate());
    websocket.on('close', () => this.#close());
  }

  terminate(): void {
    this.#options.websocket.terminate();
    this.#close();
  }

  #close(): void {
    clearInterval(this.#ping);
    clearTimeout(this.#silence);
    this.#leave();
    this.#options.bus.clients.delete(this);
  }

  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#options.websocket.terminate(), this.#options.silenceMs);
  }

  #send(text: string): Promise<void> {
    return new Promise((resolve) => this.#options.websocket.send(text, () => resolve()));
  }

  #receive(text: string): void {
    let call: Call | undefined;
    try {
      if (text.trim() === '') throw new Error('EOF');
      call = readCall(firstJsonValue(text).raw);
    } catch (error) {
      const why = (error as Error).message.replace('unexpected end of JSON input', 'unexpected EOF');
      return void this.#send(errorText(undefined, new RpcError(rpcCode.parse, `error unmarshaling request: ${why}`)));
    }
    if (call === undefined) return;
    if (this.#busy !== undefined) this.#busy = this.#busy.then(() => this.#take(call));
    else void this.#take(call);
  }

  /** Handles a call; while one waits for its result, later calls are not processed. */
  #take(call: Call): void | Promise<void> {
    const answer = this.#answer(call);
    if (typeof answer === 'string') return void this.#send(answer);
    const busy = answer.then((text) => {
      void this.#send(text);
      if (this.#busy === busy) this.#busy = undefined;
    });
    this.#busy ??= busy;
    return busy;
  }

  #answer(call: Call): string | Promise<string> {
    try {
      const method = this.#options.methods.get(call.method);
      if (method?.websocketOnly !== true) {
        const outcome = answerCall(this.#options.methods, call);
        return outcome instanceof Promise ? outcome.then(({ text }) => asWebsocket(text)) : asWebsocket(outcome.text);
      }
      const query = argsOf(method, call.params)['query'] as string | undefined;
      if (call.method === 'subscribe') this.#subscribe(call.id, query ?? '');
      else if (call.method === 'unsubscribe') this.#unsubscribe(query ?? '');
      else this.#unsubscribeAll();
      return resultText(call.id, {});
    } catch (error) {
      if (error instanceof RpcPanic) {
        return errorText('-1', new RpcError(rpcCode.internal, `WSJSONRPC: ${error.message}`));
      }
      if (error instanceof RpcError) return asWebsocket(errorText(call.id, error));
      throw error;
    }
  }

  #subscribe(id: string, query: string): void {
    const { bus } = this.#options;
    if (bus.clients.size >= maxSubscriptionClients && !bus.clients.has(this)) {
      throw failure('max_subscription_clients 100 reached');
    }
    if (this.#subscriptions.size >= maxSubscriptions) {
      throw failure(`max_subscriptions_per_client ${maxSubscriptions} reached`);
    }
    if (query.length > maxQueryLength) throw failure('maximum query length exceeded');
    const conditions = conditionsOf(query);
    if (this.#subscriptions.has(query)) throw failure('already subscribed');
    bus.clients.add(this);
    this.#subscriptions.set(query, { id, query, conditions });
  }

  #unsubscribe(query: string): void {
    conditionsOf(query);
    if (!this.#subscriptions.delete(query)) throw failure('subscription not found');
    if (this.#subscriptions.size === 0) this.#options.bus.clients.delete(this);
  }

  #unsubscribeAll(): void {
    if (this.#subscriptions.size === 0) throw failure('subscription not found');
    this.#subscriptions.clear();
    this.#options.bus.clients.delete(this);
  }

  async #deliver(event: BusEvent): Promise<void> {
    for (const { id, query, conditions } of this.#subscriptions.values()) {
      if (!matches(conditions, event.index)) continue;
      if (this.#waiting >= maxWaiting && !(await this.#drained())) return this.terminate();
      this.#waiting++;
      void this.#send(`{"jsonrpc":"2.0","id":${id},"result":{"query":${goJson(query)},${event.tail}}}`).then(() => {
        this.#waiting--;
        this.#wake();
      });
    }
  }

  /** Whether the client reads: a frame was sent within the grace period. */
  #drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** Over a websocket, invalid parameters are reported as an internal error. */
function asWebsocket(text: string): string {
  return text.replace(
    '"error":{"code":-32602,"message":"Invalid params"',
    '"error":{"code":-32603,"message":"Internal error"',
  );
}

function conditionsOf(query: string): Condition[] {
  try {
    return parseQuery(query);
  } catch (error) {
    throw failure(`failed to parse query: ${(error as Error).message}`);
  }
}
