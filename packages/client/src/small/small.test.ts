import { queryPlans } from '@hubwatch/types/gen/small/methods/hub/plan/v3/query-service';
import { queryNode, queryNodes, queryParams } from '@hubwatch/types/gen/small/methods/hub/node/v3/query-service';
import { querySwap } from '@hubwatch/types/gen/small/methods/hub/swap/v1/query-service';
import { getBlockByHeight } from '@hubwatch/types/gen/small/methods/stack/base/bft/v1beta1/service';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpHandler, startHttp, startSilent } from '../../test/servers.js';
import { abci } from './abci.js';
import { rest } from './rest.js';
import type { SmallError, SmallOptions } from './transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

async function serve(handle: HttpHandler): Promise<string> {
  const server = await startHttp(handle);
  closing.push(server);
  return server.url;
}

/** A server that always gives one answer. */
const answering = (body: string, status = 200): Promise<string> =>
  serve((_, __, response) => response.writeHead(status).end(body));

const failure = (call: Promise<unknown>): Promise<SmallError> =>
  call.then(
    (answer) => expect.fail(`answered ${String(answer)}`),
    (error: unknown) => error as SmallError,
  );

describe('small REST', () => {
  it('a call: path, query and headers go out; object and height come back', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, _, response) => {
      seen.push(request.method, request.url, request.headers['x-key']);
      response.setHeader('Grpc-Metadata-X-Stack-Block-Height', '902400').end('{"nodes":[],"pagination":null}');
    });
    const key = Uint8Array.of(0xfb, 0xff, 0);
    const request = { status: 1, pagination: { key, limit: 3n, reverse: true } };
    expect(await rest(url, { headers: { 'x-key': 'a' } })(queryNodes, request)).toEqual({
      message: { nodes: [], pagination: undefined },
      height: 902400n,
    });
    expect(seen).toEqual([
      'GET',
      '/hub/node/v3/nodes?status=1&pagination.key=-_8A&pagination.limit=3&pagination.reverse=true',
      'a',
    ]);
  });

  it('values in the path: escaped, bytes as base64 for URLs; an answer without a height header', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, _, response) => {
      seen.push(request.url);
      response.end('{}');
    });
    await rest(url)(queryNode, { address: 'a b?' });
    await rest(url)(querySwap, { txHash: Uint8Array.of(0xfb, 0xff) });
    expect((await rest(url)(getBlockByHeight, { height: 5n })).height).toBeUndefined();
    expect(seen).toEqual([
      '/hub/node/v3/nodes/a%20b%3F',
      '/hub/swap/v1/swaps/-_8%3D',
      '/stack/base/bft/v1beta1/blocks/5',
    ]);
  });

  it.each<[number, string, string]>([
    [404, '{"code":5,"message":"lease 9 does not exist","details":[]}', 'not_found'],
    [400, '{"code":3,"message":"type mismatch","details":[]}', 'invalid_argument'],
    [501, '{"code":12,"message":"Not Implemented","details":[]}', 'unimplemented'],
    [500, '{"code":2,"message":"codespace sdk code 1: odd","details":[]}', 'unknown'],
    [500, '{"code":13,"message":"","details":[]}', 'internal'],
    [
      500,
      '{"code":2,"message":"codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height","details":[]}',
      'height_in_future',
    ],
    [
      400,
      '{"code":3,"message":"failed to load state at height 902000; version does not exist (latest height: 905000): invalid request"}',
      'height_not_retained',
    ],
    [400, '{"code":3,"message":"failed to load state at height 5; (latest height: 905000)"}', 'height_never_existed'],
    [429, '<html>slow down</html>', 'rate_limited'],
    [502, '<html>bad gateway</html>', 'unavailable'],
    [502, '{"error":"bad gateway"}', 'unavailable'],
    [404, '<html>not found</html>', 'http'],
    [403, '{}', 'http'],
    [302, '', 'http'],
    [200, '<html>welcome</html>', 'http'],
    [200, '{"nodes":[{"status":{}}]}', 'decode'],
    [200, '[]', 'decode'],
  ])('HTTP %i %s: %s', async (status, body, code) => {
    const error = await failure(rest(await answering(body, status))(queryNodes, {}));
    expect(error).toMatchObject({ name: 'HubError', code });
  });

  it.each([
    ['an empty segment', ''],
    ['a slash, which no route takes', 'a/b'],
  ])('a value in the path: refused before it is sent for %s', async (_, address) => {
    let asked = 0;
    const url = await serve(() => asked++);
    expect(await failure(rest(url)(queryNode, { address }))).toMatchObject({ code: 'invalid_argument' });
    expect(asked).toBe(0);
  });
});

describe('small abci', () => {
  const result = (response: object): string => JSON.stringify({ jsonrpc: '2.0', id: -1, result: { response } });

  it('a call: a plain GET with path, bytes and height; object and height come back', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, _, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://node');
      seen.push(request.method, pathname, Object.fromEntries(searchParams));
      response.end(result({ code: 0, value: 'CgA=', height: '902300' }));
    });
    const request = { status: 'active', pagination: { limit: 3n } };
    expect(await abci(url)(queryNodes, request, { height: 902300n })).toMatchObject({
      message: {
        nodes: [{ address: '', gigabytePrices: [], inactiveAt: undefined, status: 0 }],
        pagination: undefined,
      },
      height: 902300n,
    });
    expect(seen).toEqual([
      'GET',
      '/abci_query',
      { path: '"/hub.node.v3.QueryService/QueryNodes"', data: '0x080112021803', height: '902300' },
    ]);
  });

  it('an empty answer, and one that names no height', async () => {
    const url = await answering(result({ code: 0, value: null, height: '0' }));
    expect(await abci(url)(queryNodes, {})).toEqual({
      message: { nodes: [], pagination: undefined },
      height: undefined,
    });
  });

  it.each<[string, number, object, string]>([
    [
      'not there',
      200,
      { code: 22, log: 'rpc error: code = NotFound desc = node a does not exist: key not found' },
      'not_found',
    ],
    [
      'malformed',
      200,
      { code: 18, log: 'rpc error: code = InvalidArgument desc = bad: invalid request' },
      'invalid_argument',
    ],
    [
      'pruned',
      200,
      { code: 18, log: 'failed to load state at height 901900; version mismatch' },
      'height_not_retained',
    ],
    [
      'to come',
      200,
      { code: 26, log: 'cannot query with height in the future; please provide a valid height' },
      'height_in_future',
    ],
    ['no state yet', 200, { code: 18, log: 'app is not ready; please wait for first block' }, 'starting'],
    ['no such method', 200, { code: 6, log: 'unknown query path: unknown request' }, 'unimplemented'],
    ['without words', 200, { code: 5, log: '' }, 'unknown'],
  ])('an application error, %s: %s', async (_, status, response, code) => {
    expect(await failure(abci(await answering(result(response), status))(queryParams, {}))).toMatchObject({ code });
  });

  it.each<[number, string, string]>([
    [
      500,
      '{"error":{"code":-32603,"message":"Internal error","data":"given height 5 is greater than latest height 4"}}',
      'height_in_future',
    ],
    [200, '{"error":{"code":-32601,"message":"Method missing"}}', 'unknown'],
    [200, '{"result":{}}', 'http'],
    [200, '{"result":{"response":{"code":0,"value":"CgU="}}}', 'decode'],
    [404, '404 page not found\n', 'http'],
    [503, 'upstream', 'unavailable'],
  ])('HTTP %i %s: %s', async (status, body, code) => {
    const error = await failure(abci(await answering(body, status))(queryNodes, {}));
    expect(error).toMatchObject({ name: 'HubError', code });
  });
});

describe('small transports', () => {
  it('an answer over the limit: not read on', async () => {
    const url = await answering(`{"nodes":[${'{},'.repeat(50_000)}{}]}`);
    expect(await failure(rest(url)(queryNodes, {}, { maxBytes: 1000 }))).toMatchObject({ code: 'limit' });
    expect((await rest(url, { maxBytes: 200_000 })(queryNodes, {})).message.nodes).toHaveLength(50_001);
  });

  it('nobody answers: timeout; the caller leaves: cancelled; nobody listens: unavailable', async () => {
    const silent = await startSilent();
    closing.push(silent);
    const url = `http://127.0.0.1:${silent.port}`;
    expect(await failure(rest(url, { timeoutMs: 50 })(queryNodes, {}))).toMatchObject({ code: 'timeout' });
    const caller = new AbortController();
    const call = failure(abci(url)(queryNodes, {}, { signal: caller.signal }));
    caller.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
    await silent.close();
    expect(await failure(rest(url)(queryNodes, {}))).toMatchObject({ code: 'unavailable', cause: expect.any(Error) });
  });

  it('options of a call: before those of the transport', async () => {
    const url = await answering('{}');
    const options: SmallOptions = { maxBytes: 1 };
    expect(await failure(rest(url, options)(queryNodes, {}))).toMatchObject({ code: 'limit' });
    expect((await rest(url, options)(queryNodes, {}, { maxBytes: 10 })).message.nodes).toEqual([]);
  });

  it('what is not served: does not compile, and is refused before any request', async () => {
    let asked = 0;
    const url = await serve(() => asked++);
    // @ts-expect-error -- the parameter has the sentence as its type
    expect(await failure(rest(url)(queryPlans, {}))).toMatchObject({ code: 'not_served' });
    expect(asked).toBe(0);
  });
});
