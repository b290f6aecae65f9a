import { HubError } from '@hubwatch/client';
import type { EndpointConnection } from '@hubwatch/daemon/parts';
import { inSpan, type Truth, type Way } from './world.js';

export const startMs = 1_800_000_000_000;
const chainId = 'hub-1';

const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });
const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

/** The network as seen by the daemon at the current time of the history. */
export class Network {
  readonly truth: Truth;
  /** Current time of the history, in milliseconds since its start. */
  nowMs = 0;
  /** While the process is stalled no response arrives: its requests time out when it resumes. */
  isStalled = false;
  /** Last time each node was read. */
  readonly readMs = new Map<string, number>();
  readonly #nodes: readonly string[];
  readonly #waiting: ((error: HubError) => void)[] = [];
  readonly #sockets = new Map<string, Socket>();
  /** Last time a websocket to each endpoint was opened or ended. */
  readonly #openMs = new Map<string, number>();

  constructor(truth: Truth, nodes: readonly string[]) {
    this.truth = truth;
    this.#nodes = nodes;
  }

  /** Times out all pending requests. */
  timeOut(): void {
    this.isStalled = false;
    const error = new HubError({ code: 'timeout', message: 'no answer within 5000 ms', transport: 'rpc' });
    for (const reject of this.#waiting.splice(0)) reject(error);
  }

  /** Pushes new blocks over open websockets, and ends the websockets that are due. */
  pushBlocks(sinceMs: number): void {
    for (const [name, socket] of this.#sockets) {
      const { truth, nowMs } = this;
      const isCut = truth.world.reconnects.some((at) => inSpan({ fromMs: sinceMs, toMs: nowMs }, at));
      if (isCut || !truth.isUp(name, 'rpc', nowMs) || truth.isWebsocketBlocked(name, nowMs)) {
        this.#sockets.delete(name);
        this.#openMs.set(name, nowMs);
        socket.finish();
      } else socket.push(truth.shownHeight(name, nowMs), startMs + truth.blockMs(truth.shownHeight(name, nowMs)));
    }
  }

  /** Whether no websocket to an endpoint was open since a given time, so that only a connection attempt can show its state. */
  wasRefusedSince(name: string, ms: number): boolean {
    return !this.#sockets.has(name) && (this.#openMs.get(name) ?? 0) <= ms;
  }

  closeSockets(): void {
    for (const [name, socket] of this.#sockets) {
      this.#openMs.set(name, this.nowMs);
      socket.finish();
    }
    this.#sockets.clear();
  }

  connection(name: string): EndpointConnection {
    const transport = (way: 'grpc' | 'rest' | 'abci') => ({
      kind: way,
      address: name,
      call: (method: { readonly name: string }, request: unknown) =>
        this.#answer(name, way === 'abci' ? 'rpc' : way, () => ({
          message: this.#query(method.name, request, name, way) as never,
          height: this.#state(name),
        })),
      close: () => Promise.resolve(),
    });
    const rpc = this.#rpc(name);
    return {
      grpc: transport('grpc') as unknown as EndpointConnection['grpc'],
      rest: transport('rest') as unknown as EndpointConnection['rest'],
      abci: transport('abci') as unknown as EndpointConnection['abci'],
      rpc: {
        call: (method: string, params: unknown) =>
          this.#answer(name, 'rpc', () => rpc[method]?.(params as { readonly height?: bigint }) as never),
      } as EndpointConnection['rpc'],
      openWebSocket: this.truth.world.hasWebsocket ? () => this.#open(name) : undefined,
      close: () => Promise.resolve(),
    } as EndpointConnection;
  }

  #answer<T>(name: string, way: Way, work: () => T): Promise<T> {
    if (this.isStalled)
      return new Promise<T>((_resolve, reject) => {
        this.#waiting.push(reject);
      });
    const transport = way === 'rpc' ? 'rpc' : way;
    if (!this.truth.isUp(name, way, this.nowMs))
      return Promise.reject(new HubError({ code: 'refused', message: 'connection refused', transport }));
    return Promise.resolve().then(work);
  }

  #height(name: string): bigint {
    return this.truth.shownHeight(name, this.nowMs);
  }

  #state(name: string): bigint {
    const height = this.#height(name);
    const plan = this.truth.upgrade(this.nowMs);
    return plan?.isWaiting === true && plan.height === height ? height - 1n : height;
  }

  #header(height: bigint) {
    return { chainId, height, time: time(startMs + this.truth.blockMs(height)), appHash: hex(`A${height}`) };
  }

  #rpc(name: string): Record<string, (params: { readonly height?: bigint | undefined }) => unknown> {
    return {
      status: () => ({
        nodeInfo: { id: 'n', network: chainId, version: '0.37.16', moniker: 'm', listenAddress: '', txIndex: 'on' },
        syncInfo: {
          latestBlockHeight: this.#height(name),
          latestBlockTime: this.#header(this.#height(name)).time,
          earliestBlockHeight: 1n,
          earliestBlockTime: undefined,
          catchingUp: false,
        },
      }),
      net_info: () => ({ listening: true, peerCount: 0, peers: [] }),
      num_unconfirmed_txs: () => ({ count: 0n, total: 0n, totalBytes: 0n, txs: [] }),
      // This program has its own spelling.
      abci_info: () => ({ data: 'hubd', version: 'v12.0.2', lastBlockHeight: this.#state(name) }),
      consensus_state: () => ({}),
      commit: ({ height = this.#height(name) }) => {
        if (height > this.#height(name))
          throw new HubError({ code: 'height_in_future', message: 'no such height', transport: 'rpc' });
        return {
          header: this.#header(height),
          commit: { height, blockId: { hash: hex(`B${height}`) } },
          canonical: true,
        };
      },
    };
  }

  #query(method: string, request: unknown, name: string, way: string): unknown {
    if (method === 'CurrentPlan') {
      const plan = this.truth.upgrade(this.nowMs);
      return { plan: plan && { name: 'v13', height: plan.height } };
    }
    if (method === 'GetNodeInfo')
      return { applicationVersion: { name: way === 'grpc' ? 'hub' : 'Hub', version: '12.0.2', stackSdkVersion: '1' } };
    if (method !== 'QueryNode') return {};
    const { address } = request as { readonly address: string };
    const node = this.#nodes.indexOf(address);
    if (this.truth.isUnread(node, this.nowMs))
      throw new HubError({ code: 'internal', message: 'half an answer', transport: 'grpc' });
    // A stuck endpoint answers with old state, which is rejected because of its height.
    const atMs = this.truth.blockMs(this.#height(name));
    this.readMs.set(address, atMs);
    const { isActive, sinceMs } = this.truth.node(node, atMs);
    return {
      node: {
        address,
        gigabytePrices: [],
        hourlyPrices: [],
        remoteAddrs: [],
        status: isActive ? 1 : 3,
        statusAt: time(startMs + sinceMs),
        inactiveAt: isActive ? time(startMs + sinceMs + 3_600_000) : undefined,
      },
    };
  }

  async #open(name: string) {
    await Promise.resolve();
    if (this.isStalled || !this.truth.isUp(name, 'rpc', this.nowMs) || this.truth.isWebsocketBlocked(name, this.nowMs))
      throw new HubError({ code: 'refused', message: 'no websocket here', transport: 'websocket' });
    const socket = new Socket();
    this.#sockets.set(name, socket);
    this.#openMs.set(name, this.nowMs);
    return socket as never;
  }
}

/** A websocket with events from the history. */
class Socket {
  #queue: unknown[] = [];
  #isOver = false;
  #height = 0n;
  #wake: () => void = () => undefined;

  push(height: bigint, timeMs: number): void {
    if (height <= this.#height) return;
    this.#height = height;
    this.#queue.push({ height, header: { chainId, height, time: time(timeMs) } });
    this.#wake();
  }

  finish(): void {
    this.#isOver = true;
    this.#wake();
  }

  subscribe(): Promise<AsyncIterable<unknown>> {
    return Promise.resolve(this.#events());
  }

  close(): Promise<void> {
    this.finish();
    return Promise.resolve();
  }

  async *#events(): AsyncGenerator {
    for (;;) {
      for (const event of this.#queue.splice(0)) yield event;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
