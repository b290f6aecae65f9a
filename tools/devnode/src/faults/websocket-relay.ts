import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { FaultPlan, FrameFault } from './fault.js';
import type { Committed, Target } from './target.js';
import { garble } from './garble.js';
import { reset } from './reset.js';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly target: Target;
  readonly plan: FaultPlan;
  readonly committed: Committed;
}

/** Number of earlier frames available for replay. */
const maxKept = 16;

/**
 * Accepts a websocket and opens another one to the node. Frames and pings pass, with faults applied to frames from the
 * node.
 */
export function relayWebsocket(upgrade: Upgrade): void {
  const { request, socket, head, target } = upgrade;
  // The client disconnected while a fault delayed the frame.
  if (socket.destroyed) return;
  const server = new WebSocketServer({ noServer: true, autoPong: false, perMessageDeflate: false });
  const node = new WebSocket(`ws://${target.host}:${target.port}${request.url ?? '/'}`, {
    perMessageDeflate: false,
    autoPong: false,
  });
  node.on('error', () => socket.destroy());
  node.once('open', () => {
    server.handleUpgrade(request, socket, head, (client) => new Relay(upgrade, client, node).start());
  });
  socket.on('close', () => node.terminate());
}

class Relay {
  readonly #upgrade: Upgrade;
  readonly #client: WebSocket;
  readonly #node: WebSocket;
  readonly #kept: string[] = [];
  /** Subscriptions cancelled by a fault: the node still sends their events, but the client must not receive them. */
  readonly #cancelled = new Set<unknown>();
  #lastSubscription: unknown;
  #muted = false;
  #tail: Promise<void> = Promise.resolve();

  constructor(upgrade: Upgrade, client: WebSocket, node: WebSocket) {
    this.#upgrade = upgrade;
    this.#client = client;
    this.#node = node;
  }

  start(): void {
    const [client, node] = [this.#client, this.#node];
    const unless = (pass: () => void): void => {
      if (!this.#muted) pass();
    };
    client.on('error', () => node.terminate());
    client.on('message', (data) => unless(() => this.#ask((data as Buffer).toString())));
    client.on('ping', (data) => unless(() => node.ping(data)));
    client.on('pong', (data) => unless(() => node.pong(data)));
    client.on('close', () => node.close());
    node.on('ping', (data) => unless(() => client.ping(data)));
    node.on('pong', (data) => unless(() => client.pong(data)));
    node.on('close', () => unless(() => this.#upgrade.socket.destroy()));
    node.on('message', (data) => {
      const text = (data as Buffer).toString();
      this.#tail = this.#tail.then(() => this.#answer(text));
    });
  }

  #ask(text: string): void {
    const { id, method } = JSON.parse(text) as { id?: unknown; method?: unknown };
    if (method === 'subscribe') this.#lastSubscription = id;
    this.#cancelled.delete(id);
    this.#node.send(text);
  }

  async #answer(text: string): Promise<void> {
    if (this.#muted || this.#cancelled.has((JSON.parse(text) as { id?: unknown }).id)) return;
    const fault = this.#upgrade.plan.frame?.(text);
    if (fault === undefined) this.#client.send(text);
    else {
      this.#upgrade.committed(fault);
      await this.#commit(fault, text);
    }
    this.#kept.push(text);
    if (this.#kept.length > maxKept) this.#kept.shift();
  }

  async #commit(fault: FrameFault, text: string): Promise<void> {
    const client = this.#client;
    const { socket } = this.#upgrade;
    switch (fault.kind) {
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        return client.send(text);
      case 'drop':
        return;
      case 'duplicate':
        client.send(text);
        return client.send(text);
      case 'replay':
        client.send(this.#kept[0] ?? text);
        return client.send(text);
      case 'truncate':
        return client.send(text.slice(0, text.length >> 1));
      case 'garble':
        return client.send(garble(Buffer.from(text), text.length >> 1), { binary: false });
      case 'cancel': {
        const data = `subscription was canceled (reason: ${fault.reason})`;
        const error = { code: -32000, message: 'Server error', data };
        this.#cancelled.add(this.#lastSubscription);
        return client.send(JSON.stringify({ jsonrpc: '2.0', id: this.#lastSubscription, error }));
      }
      case 'oversize':
        return client.send(Buffer.alloc(fault.bytes, 'x'), { binary: false });
      case 'close':
        return client.close(fault.code);
      case 'cut':
        return void socket.destroy();
      case 'reset':
        return void reset(socket);
      case 'black-hole':
        this.#muted = true;
        return;
      default:
        return fault satisfies never;
    }
  }
}
