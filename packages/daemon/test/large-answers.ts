import { parseConfig } from '../src/config/load.js';
import type { EndpointConfig } from '../src/config/schema.js';
import { type HttpService, startHttpService } from './http-service.js';

/** Length of the log of the only transaction: the results of its block exceed one mebibyte. */
export const logLength = 1024 * 1024;
/** Length of the oversized moniker in a status. */
const monikerLength = 100_000;

/** A consensus RPC with a large block at each height, and a status larger than any real one. */
export const startLargeNode = (): Promise<HttpService> => {
  const answers: Readonly<Record<string, (params: { readonly height?: string }) => object>> = {
    block_results: ({ height }) => ({
      height,
      txs_results: [{ code: 0, log: 'x'.repeat(logLength), events: [] }],
      begin_block_events: [],
      end_block_events: [],
      validator_updates: [],
    }),
    status: () => ({ node_info: { moniker: 'x'.repeat(monikerLength) }, sync_info: {} }),
    net_info: () => ({ listening: true, listeners: ['x'.repeat(monikerLength)], n_peers: '0', peers: [] }),
  };
  return startHttpService(({ body }) => {
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: object };
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) }) };
  });
};

export const endpointAt = (rpc: string): EndpointConfig => {
  const [endpoint] = parseConfig(JSON.stringify({ endpoints: [{ name: 'own', rpc, naming: 'neutral' }] })).endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  return endpoint;
};
