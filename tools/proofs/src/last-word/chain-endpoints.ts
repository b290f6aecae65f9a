import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seen } from './seen.js';

/** Id of the monitored chain. */
export const rightChain = 'hub-proof';

/** Endpoints over the consensus RPC: one for each subject, and one more that is always healthy. */
export interface ChainEndpoints {
  /** Configuration of the daemon for these endpoints. */
  readonly endpoints: readonly object[];
  close(): Promise<void>;
}

export async function startChainEndpoints(seen: () => readonly Seen[]): Promise<ChainEndpoints> {
  const startMs = Date.now();
  const names = ['always', ...seen().map(({ subject }) => subject)];
  const servers = await Promise.all(
    names.map(async (name) => {
      const server = createServer((request, response) => {
        const state = seen().find(({ subject }) => subject === name);
        void answer(request, response, state, startMs);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { name, server, port: (server.address() as AddressInfo).port };
    }),
  );
  return {
    endpoints: servers.map(({ name, port }) => {
      return { name, role: 'archive', rpc: `http://127.0.0.1:${port}`, websocket: false, naming: 'public' };
    }),
    async close() {
      for (const { server } of servers) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all(servers.map(({ server }) => once(server, 'close')));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: Seen | undefined,
  startMs: number,
): Promise<void> {
  let body = '';
  try {
    for await (const chunk of request) body += String(chunk);
  } catch {
    // The requesting process was killed.
    return;
  }
  const { id, method } = JSON.parse(body === '' ? '{"id":-1}' : body) as {
    readonly id: number;
    readonly method?: string;
  };
  if (state?.isFiring === true && isMute(state.subject)) {
    response.writeHead(503).end('down');
    return;
  }
  const chain = state?.isFiring === true ? `other-v${state.version}` : rightChain;
  const result = method === 'status' ? statusOf(chain, startMs) : undefined;
  const error = { code: -32_601, message: 'Method not found' };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }));
}

/** Whether a firing subject does not answer; the others serve a different chain. */
export function isMute(subject: string): boolean {
  return subject.startsWith('d');
}

/** Status with one block per second. */
function statusOf(network: string, startMs: number): object {
  const nowMs = Date.now();
  const time = new Date(nowMs).toISOString();
  const height = String(1_000_000 + Math.floor((nowMs - startMs) / 1_000));
  return {
    node_info: { network, moniker: 'proof', version: '0.38.17' },
    sync_info: {
      latest_block_height: height,
      latest_block_time: time,
      earliest_block_height: '1',
      earliest_block_time: time,
      catching_up: false,
    },
    validator_info: {},
  };
}
