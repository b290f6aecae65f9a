import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

const hash = 'AB'.repeat(32);
const noId = { hash: '', parts: { total: 0, hash: '' } };

export interface ChainServerOptions {
  readonly engine?: '0.37' | '0.38';
  readonly chainId?: string;
  /** Head at the start. */
  readonly head: number;
  /** Lowest retained height, 901801 by default. */
  readonly lowest?: number;
}

/** A node with a chain of small blocks: those of even height contain a transaction. */
export class ChainServer {
  readonly calls: string[] = [];
  readonly subscribers = new Map<WebSocket, number>();
  head: number;
  lowest: number;
  /** Whether new blocks are pushed. */
  pushing = true;
  /** Overrides the result of a method: an error text, or `undefined` for the normal result. */
  refuse: (method: string, height: number) => string | undefined = () => undefined;
  readonly url: string;
  private readonly options: ChainServerOptions;
  private readonly stop: () => Promise<void>;

  private constructor(options: ChainServerOptions, port: number, stop: () => Promise<void>) {
    this.options = options;
    this.head = options.head;
    this.lowest = options.lowest ?? 901_801;
    this.url = `http://127.0.0.1:${port}`;
    this.stop = stop;
  }

  static async start(options: ChainServerOptions): Promise<ChainServer> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => response.end(chain.answer(JSON.parse(body) as Call)));
    });
    const sockets = new WebSocketServer({ server, path: '/websocket' });
    sockets.on('connection', (socket) => {
      socket.on('message', (frame) => {
        const call = JSON.parse((frame as Buffer).toString()) as Call;
        if (call.method === 'subscribe') chain.subscribers.set(socket, call.id);
        socket.send(chain.answer(call));
      });
      socket.on('close', () => chain.subscribers.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const chain = new ChainServer(options, (server.address() as AddressInfo).port, async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    return chain;
  }

  close(): Promise<void> {
    return this.stop();
  }

  /** Closes every websocket. */
  cut(): void {
    for (const socket of this.subscribers.keys()) socket.terminate();
    this.subscribers.clear();
  }

  grow(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      this.head++;
      if (this.pushing) this.push(this.head);
    }
  }

  /** Pushes the event of a block. */
  push(height: number): void {
    for (const [socket, id] of this.subscribers) {
      const data = { type: 'tendermint/event/NewBlock', value: this.event(height) };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { query: 'q', data } }));
    }
  }

  /** An error frame for every subscription. */
  cancel(reason: string): void {
    const error = { code: -32000, message: 'Server error', data: `subscription was canceled (reason: ${reason})` };
    for (const [socket, id] of this.subscribers) socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
    this.subscribers.clear();
  }

  private answer({ id, method, params }: Call): string {
    const height = Number(params.height ?? 0);
    this.calls.push(height === 0 ? method : `${method} ${height}`);
    const refusal = this.refuse(method, height) ?? this.bounds(method, height);
    if (refusal !== undefined) {
      const error = { code: -32603, message: 'Internal error', data: refusal };
      return JSON.stringify({ jsonrpc: '2.0', id, error });
    }
    return JSON.stringify({ jsonrpc: '2.0', id, result: this.result(method, height) });
  }

  private bounds(method: string, height: number): string | undefined {
    if (!['block', 'block_results', 'header'].includes(method)) return undefined;
    if (height > this.head) {
      return `height ${height} must be less than or equal to the current blockchain height ${this.head}`;
    }
    return height < this.lowest ? `height ${height} is not available, lowest height is ${this.lowest}` : undefined;
  }

  private result(method: string, height: number): unknown {
    switch (method) {
      case 'status':
        return this.status();
      case 'block':
        return { block_id: noId, block: this.block(height) };
      case 'header':
        return { header: this.block(height).header };
      case 'block_results':
        return this.results(height);
      default:
        return {};
    }
  }

  private status(): unknown {
    return {
      node_info: { id: 'a', network: 'n', version: '0', moniker: 'm', listen_addr: 'x', other: { tx_index: 'on' } },
      sync_info: {
        latest_block_hash: '',
        latest_app_hash: '',
        latest_block_height: String(this.head),
        latest_block_time: '2026-11-28T11:36:03Z',
        earliest_block_hash: '',
        earliest_app_hash: '',
        earliest_block_height: String(this.lowest),
        earliest_block_time: '2026-11-28T11:36:03Z',
        catching_up: false,
      },
      validator_info: { address: '', pub_key: { type: 'tendermint/PubKeyEd25519', value: '' }, voting_power: '0' },
    };
  }

  private block(height: number) {
    const header = {
      version: { block: '11' },
      chain_id: this.options.chainId ?? 'hub-test-1',
      height: String(height),
      time: '2026-11-28T11:36:03.2Z',
      last_block_id: noId,
      ...Object.fromEntries(
        ['last_commit', 'data', 'validators', 'next_validators', 'consensus', 'app', 'last_results', 'evidence'].map(
          (name) => [`${name}_hash`, hash],
        ),
      ),
      proposer_address: 'AB'.repeat(20),
    };
    const txs = height % 2 === 0 ? [Buffer.from(`tx of ${height}`).toString('base64')] : [];
    return { header, data: { txs }, evidence: { evidence: null }, last_commit: null };
  }

  private results(height: number): Record<string, unknown> {
    const event = (type: string, key: string, value: string) => ({ type, attributes: [{ key, value, index: true }] });
    const begin = [event('sentinel.lease.v1.EventPay', 'lease_id', `"${height}"`)];
    const end = [event('mint', 'amount', String(height))];
    const update = event('sentinel.node.v3.EventUpdateStatus', 'status', '"active"');
    const action = event('message', 'action', '/sentinel.node.v3.MsgUpdateNodeStatusRequest');
    const txs = height % 2 === 0 ? [{ code: 0, gas_used: '5', events: [action, update] }] : null;
    const common = { height: String(height), txs_results: txs, validator_updates: null };
    return this.options.engine === '0.38'
      ? { ...common, finalize_block_events: [...begin, ...end] }
      : { ...common, begin_block_events: begin, end_block_events: end };
  }

  private event(height: number): unknown {
    const block = this.block(height);
    const results = this.results(height);
    if (this.options.engine === '0.38') {
      const finalized = { events: results['finalize_block_events'], tx_results: results['txs_results'] };
      return { block, block_id: noId, result_finalize_block: { ...finalized, validator_updates: null } };
    }
    return {
      block,
      result_begin_block: { events: results['begin_block_events'] },
      result_end_block: { validator_updates: [], events: results['end_block_events'] },
    };
  }
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly height?: string };
}
