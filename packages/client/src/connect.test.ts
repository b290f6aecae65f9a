import { ServerReflectionResponse } from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryAsset } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { broadcastTx } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { afterEach, describe, expect, it } from 'vitest';
import { type GrpcReply, startGrpc, startHttp, startSilent } from '../test/servers.js';
import { connect, type ConnectOptions } from './connect.js';
import type { ConnectionEvent } from './connection-event.js';
import { publicNaming } from './naming/public.js';
import type { Place } from './place.js';
import type { CallOptions } from './transport.js';
import { openWebSocket } from './websocket/connection.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});

const notImplemented = '{"code":12,"message":"Not Implemented","details":[]}';

async function startReflection(services: string[]): Promise<string> {
  const list = { service: services.map((name) => ({ name })) };
  const message = encodeBinary(ServerReflectionResponse, {
    messageResponse: { $case: 'listServicesResponse', value: list },
  });
  const server = await startGrpc(({ path }): GrpcReply => (path.includes('Reflection') ? { message } : { status: 12 }));
  closing.push(server);
  return server.address;
}

async function startGateway(known: string, asked: string[] = []): Promise<string> {
  const server = await startHttp((request, _, response) => {
    asked.push(request.url ?? '');
    if (request.url === known) response.end('{"params":{}}');
    else response.writeHead(501).end(notImplemented);
  });
  closing.push(server);
  return server.url;
}

describe('connect', () => {
  it('no address: refused, and the error names the allowed members', () => {
    expect(() => connect({})).toThrow('give at least one address of grpc, rest and rpc');
  });

  it('an address that cannot be parsed: refused immediately', () => {
    expect(() => connect({ grpc: 'nonsense' })).toThrow('grpc address nonsense');
    expect(() => connect({ rpc: 'nonsense' })).toThrow('address nonsense');
  });

  it('transports: only those with a given address', () => {
    const connection = connect({ rest: 'http://127.0.0.1:1' });
    expect(connection.rest.kind).toBe('rest');
    expect(connection.grpc).toBeUndefined();
    expect(connection.rpc).toBeUndefined();
    expect(connection.abci).toBeUndefined();
  });

  it('naming auto over reflection: selects the naming whose service is listed', async () => {
    const connection = connect({ grpc: await startReflection([publicNaming.typeToWire(queryParams.service)]) });
    closing.push(connection);
    expect((await connection.naming()).profile).toBe('public');
    const neutral = connect({ grpc: await startReflection([queryParams.service]) });
    closing.push(neutral);
    expect((await neutral.naming()).profile).toBe('identity');
  });

  it('naming auto over REST: selects the naming whose route responds, and searches once', async () => {
    const asked: string[] = [];
    const route = queryParams.rest?.path ?? '';
    const connection = connect({ rest: await startGateway(route, asked) });
    expect((await connection.naming()).profile).toBe('identity');
    await connection.rest.call(queryParams, {});
    expect(asked.slice(0, 2).sort()).toEqual([route, publicNaming.routeToWire(route)].sort());
    expect(asked.slice(2)).toEqual([route]);
  });

  it('naming auto over the consensus RPC: selects the naming whose path responds', async () => {
    const server = await startHttp((_, body, response) => {
      const { id, params } = JSON.parse(body);
      const known = params.path === publicNaming.typeToWire(`/${queryParams.service}`).concat('/QueryParams');
      const answer = {
        code: known ? 0 : 6,
        log: 'unknown query path: unknown request',
        value: null,
        height: '5',
        codespace: 'sdk',
      };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { response: answer } }));
    });
    closing.push(server);
    expect((await connect({ rpc: server.url }).naming()).profile).toBe('public');
  });

  it('a gRPC server without reflection: the next transport decides', async () => {
    const server = await startGrpc(() => ({ status: 12, text: 'unknown service' }));
    closing.push(server);
    const connection = connect({ grpc: server.address, rest: await startGateway(queryParams.rest?.path ?? '') });
    closing.push(connection);
    expect((await connection.naming()).profile).toBe('identity');
  });

  it('a gRPC server without reflection and no other address: selects the naming whose call succeeds', async () => {
    for (const naming of [publicNaming, identityNaming]) {
      const known = naming.typeToWire(`/${queryParams.service}`).concat('/QueryParams');
      const server = await startGrpc(({ path }) =>
        path === known ? { message: new Uint8Array(0) } : { status: 12, text: `unknown method ${path}` },
      );
      closing.push(server);
      const connection = connect({ grpc: server.address });
      closing.push(connection);
      expect((await connection.naming()).profile).toBe(naming.profile);
    }
  });

  it('a gRPC server that serves the hub under none of the known namings: fails with unimplemented', async () => {
    const server = await startGrpc(() => ({ status: 12, text: 'unknown service' }));
    closing.push(server);
    const connection = connect({ grpc: server.address });
    closing.push(connection);
    await expect(connection.naming()).rejects.toMatchObject({
      code: 'unimplemented',
      message: expect.stringContaining('under none of the namings public, identity'),
    });
  });

  it('a gRPC error whose text HTTP/2 dropped: text and code are read over another transport', async () => {
    const lost = await startGrpc(() => ({ status: 2, text: '' }));
    const asked: string[] = [];
    const gateway = await startHttp((request, _, response) => {
      asked.push(request.url ?? '');
      response
        .writeHead(500)
        .end('{"code":2,"message":"account sequence mismatch, expected 3, got 2\\n","details":[]}');
    });
    closing.push(lost, gateway);
    const node = { grpc: lost.address, naming: publicNaming, explainHeights: false };
    const both = connect({ ...node, rest: gateway.url });
    const alone = connect(node);
    closing.push(both, alone);
    await expect(both.grpc.call(queryParams, {})).rejects.toMatchObject({
      code: 'wrong_sequence',
      transport: 'grpc',
      message: expect.stringContaining('over rest: account sequence mismatch, expected 3, got 2'),
    });
    await expect(alone.grpc.call(queryParams, {})).rejects.toMatchObject({ code: 'unknown', transport: 'grpc' });
    const before = asked.length;
    await expect(both.grpc.call(broadcastTx, { txBytes: new Uint8Array(1) })).rejects.toMatchObject({
      code: 'unknown',
    });
    expect(asked.length).toBe(before);
  });

  it('a node that is down at first: fails with the error of the endpoint, and is searched again', async () => {
    const route = queryParams.rest?.path ?? '';
    let up = false;
    const server = await startHttp((request, _, response) => {
      if (!up) response.writeHead(503).end();
      else if (request.url === route) response.end('{"params":{}}');
      else response.writeHead(501).end(notImplemented);
    });
    closing.push(server);
    const connection = connect({ rest: server.url });
    const failed = { code: 'unavailable', transport: 'rest', method: 'hub.node.v3.QueryService/QueryParams' };
    await expect(connection.rest.call(queryParams, {})).rejects.toMatchObject(failed);
    up = true;
    const answer = (): Promise<unknown> => connection.rest.call(queryParams, {}).catch((error: unknown) => error);
    await expect.poll(answer).toMatchObject({ message: expect.any(Object) });
  });

  it('names that match no profile: fail with unimplemented and advice', async () => {
    const connection = connect({ rest: await startGateway('/city/node/v3/params') });
    await expect(connection.naming()).rejects.toMatchObject({
      code: 'unimplemented',
      message: expect.stringContaining('under none of the namings public, identity; give its profile as `naming`'),
    });
  });

  it('a given naming: no request to detect one', async () => {
    const asked: string[] = [];
    const route = queryParams.rest?.path ?? '';
    const connection = connect({ rest: await startGateway(route, asked), naming: identityNaming });
    await connection.rest.call(queryParams, {});
    expect(asked).toEqual([route]);
  });
});

describe('connect to a node that never responds', () => {
  const startNode = async (): Promise<ConnectOptions & { grpc: string; rest: string; rpc: string }> => {
    const silent = await startSilent();
    closing.push(silent);
    const url = `http://127.0.0.1:${silent.port}`;
    return { grpc: `127.0.0.1:${silent.port}`, rest: url, rpc: url };
  };
  type Call = (options: CallOptions) => Promise<unknown>;
  const callsOf = async (): Promise<[Place, Call][]> => {
    const node = await startNode();
    const all = connect(node);
    const only = connect({ rpc: node.rpc });
    closing.push(all, only);
    const method = 'hub.node.v3.QueryService/QueryParams';
    return [
      [{ transport: 'grpc', address: node.grpc, method }, (call) => all.grpc.call(queryParams, {}, call)],
      [{ transport: 'rest', address: node.rest, method }, (call) => all.rest.call(queryParams, {}, call)],
      [{ transport: 'abci', address: node.rpc, method }, (call) => all.abci.call(queryParams, {}, call)],
      [{ transport: 'rpc', address: node.rpc, method: 'status' }, (call) => all.rpc.call('status', {}, call)],
      [{ transport: 'abci', address: node.rpc, method }, (call) => only.abci.call(queryParams, {}, call)],
      [
        { transport: 'websocket', address: node.rpc, method: 'websocket' },
        (call) => openWebSocket({ address: node.rpc, naming: only.naming, timeoutMs: call.timeoutMs }),
      ],
    ];
  };

  it('timeout: after the timeout of the call, with the place of the call', async () => {
    for (const [place, call] of await callsOf()) {
      const failure = expect(call({ timeoutMs: 100 })).rejects;
      await failure.toMatchObject({
        code: 'timeout',
        ...place,
        message: expect.stringMatching(/no answer within 100 ms; the naming of the node was still looked for/),
        cause: expect.any(Error),
      });
    }
  });

  it('cancelled: when the caller aborts, with the place of the call', async () => {
    for (const [place, call] of (await callsOf()).slice(0, 5)) {
      const signal = AbortSignal.timeout(50);
      await expect(call({ signal })).rejects.toMatchObject({ code: 'cancelled', ...place });
      await expect(call({ signal })).rejects.toMatchObject({ code: 'cancelled', ...place });
    }
  });

  it('many calls: share one search, which closing the connection ends', async () => {
    const silent = await startSilent();
    closing.push(silent);
    const connection = connect({ rest: `http://127.0.0.1:${silent.port}` });
    const calls = Array.from({ length: 20 }, () => connection.rest.call(queryParams, {}));
    const ended = Promise.allSettled(calls);
    await expect.poll(silent.connections).toBe(2);
    await connection.close();
    for (const result of await ended)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } });
    expect(silent.connections()).toBe(2);
  });

  it('another transport that responds: the naming is found there', async () => {
    const { grpc, rpc } = await startNode();
    const connection = connect({ grpc, rpc, rest: await startGateway(queryParams.rest?.path ?? '') });
    closing.push(connection);
    await expect(connection.rest.call(queryParams, {}, { timeoutMs: 2_000 })).resolves.toMatchObject({
      height: undefined,
    });
  });
});

describe('connect to a node whose gateway cannot carry a request', () => {
  const slash = { denom: 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2' };
  const startAnswers = async () => {
    const seen: string[] = [];
    const message = encodeBinary(queryAsset.response, { asset: { denom: slash.denom } }, publicNaming);
    const state = { grpc: { message } as GrpcReply };
    const grpc = await startGrpc(({ headers }) => {
      seen.push(`grpc ${String(headers['x-cosmos-block-height'] ?? 'newest')}`);
      return state.grpc;
    });
    const http = await startHttp((request, body, response) => {
      if (request.method === 'GET') {
        seen.push(`rest ${request.url}`);
        response.writeHead(501).end(notImplemented);
        return;
      }
      const { id, params } = JSON.parse(body) as { id: number; params: { height?: string } };
      seen.push(`abci ${params.height ?? 'newest'}`);
      const value = Buffer.from(message).toString('base64');
      const answer = { code: 0, log: '', value, height: '905000', codespace: '' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { response: answer } }));
    });
    closing.push(grpc, http);
    return { seen, state, grpc: grpc.address, rest: http.url, rpc: http.url };
  };

  it('denom with a slash over REST: sent over gRPC at the requested height, and the hook is called', async () => {
    const { seen, grpc, rest, rpc } = await startAnswers();
    const events: ConnectionEvent[] = [];
    const hub = connect({ grpc, rest, rpc, naming: publicNaming, onEvent: (event) => events.push(event) });
    closing.push(hub);
    const { message } = await hub.rest.call(queryAsset, slash, { height: 905_000n });
    expect(message.asset.denom).toBe(slash.denom);
    expect(seen).toEqual(['grpc 905000']);
    expect(events).toEqual([
      {
        kind: 'rerouted',
        method: 'hub.oracle.v1.QueryService/QueryAsset',
        from: 'rest',
        to: 'grpc',
        reason: expect.stringContaining('no path of the gateway can hold a slash'),
      },
    ]);
  });

  it('denom with a slash without gRPC: sent over abci_query, whose refusal is the result', async () => {
    const { seen, state, grpc, rest, rpc } = await startAnswers();
    const tos: string[] = [];
    const options = { rest, rpc, naming: publicNaming, onEvent: ({ to }: ConnectionEvent) => tos.push(to) };
    const down = connect({ ...options, grpc: '127.0.0.1:1' });
    closing.push(down);
    const { message, height } = await down.rest.call(queryAsset, slash);
    expect([message.asset.denom, height, seen.splice(0), tos.splice(0)]).toEqual([
      slash.denom,
      905_000n,
      ['abci newest'],
      ['grpc', 'abci'],
    ]);
    state.grpc = { status: 5, text: 'asset does not exist' };
    const up = connect({ ...options, grpc });
    closing.push(up);
    await expect(up.rest.call(queryAsset, slash)).rejects.toMatchObject({ code: 'not_found', transport: 'grpc' });
    expect([seen, tos]).toEqual([['grpc newest'], ['grpc']]);
  });

  it('denom with a slash over REST alone: a typed refusal before any request, and none for other denoms', async () => {
    const { seen, rest } = await startAnswers();
    const events: ConnectionEvent[] = [];
    const hub = connect({ rest, naming: publicNaming, onEvent: (event) => events.push(event) });
    await expect(hub.rest.call(queryAsset, slash)).rejects.toMatchObject({
      code: 'invalid_argument',
      transport: 'rest',
      message: expect.stringContaining('ask over gRPC or abci_query'),
    });
    expect([seen, events]).toEqual([[], []]);
    await expect(hub.rest.call(queryAsset, { denom: 'udvpn' })).rejects.toMatchObject({ code: 'unimplemented' });
    expect(seen).toHaveLength(1);
  });
});

describe('connect to a node that waits for its upgrade', () => {
  // Bodies of the recorded node, which stored block 905000 and did not execute it.
  const future =
    '{"code":2,"message":"codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height","details":[]}';
  const plan =
    '{"plan":{"name":"v13_0_0","time":"0001-01-01T00:00:00Z","height":"905000","info":"","upgraded_client_state":null}}';
  const startStopped = async (newestBlock = 905_000, planBody = plan) => {
    const asked: string[] = [];
    const server = await startHttp((request, body, response) => {
      const url = request.url ?? '';
      asked.push(url);
      if (request.method === 'POST') {
        type Call = { id: number; method: string };
        const calls = JSON.parse(body) as Call | Call[];
        asked[asked.length - 1] = [calls]
          .flat()
          .map(({ method }) => method)
          .join();
        const data = 'could not find results for height #905000';
        const error = { code: -32603, message: 'Internal error', data };
        // Queries over abci get no value, so the head is unknown.
        const refuse = ({ id }: Call): object => ({ jsonrpc: '2.0', id, error });
        response.end(JSON.stringify(Array.isArray(calls) ? calls.map(refuse) : refuse(calls)));
        return;
      }
      if (Number(request.headers['x-cosmos-block-height'] ?? 0) > 904_999) {
        response.writeHead(500).end(future);
        return;
      }
      response.setHeader('Grpc-Metadata-X-Cosmos-Block-Height', '904999');
      if (url.endsWith('/blocks/latest')) response.end(`{"block":{"header":{"height":"${newestBlock}"}}}`);
      else response.end(url.endsWith('/current_plan') ? planBody : '{"params":{}}');
    });
    closing.push(server);
    return { url: server.url, asked };
  };

  it('a height above its state: the error of the call is stopped_for_upgrade, with the refusal as the cause', async () => {
    const { url, asked } = await startStopped();
    const hub = connect({ rest: url, naming: publicNaming });
    await expect(hub.rest.call(queryParams, {}, { height: 905_000n })).rejects.toMatchObject({
      code: 'stopped_for_upgrade',
      height: 905_000n,
      latestHeight: 904_999n,
      message: expect.stringContaining('the chain waits at height 905000 for the upgrade "v13_0_0"'),
      cause: expect.objectContaining({ code: 'height_in_future' }),
    });
    expect(asked).toHaveLength(4);
    asked.length = 0;
    await Promise.allSettled(Array.from({ length: 20 }, () => hub.rest.call(queryParams, {}, { height: 906_000n })));
    expect(asked.length, 'refusals at once share one look').toBeLessThan(20 + 20 * 2);
  });

  it.each([
    ['a chain that moves', 904_999, plan],
    ['a block that is just executed, without a plan', 905_000, '{"plan":null}'],
  ])('%s: still height_in_future', async (_, block, planBody) => {
    const { url } = await startStopped(block, planBody);
    const hub = connect({ rest: url, naming: publicNaming });
    await expect(hub.rest.call(queryParams, {}, { height: 905_000n })).rejects.toMatchObject({
      code: 'height_in_future',
    });
  });

  it('explainHeights false: the refusal is unchanged, and no further query is sent', async () => {
    const { url, asked } = await startStopped();
    const hub = connect({ rest: url, naming: publicNaming, explainHeights: false });
    await expect(hub.rest.call(queryParams, {}, { height: 905_000n })).rejects.toMatchObject({
      code: 'height_in_future',
    });
    expect(asked).toHaveLength(1);
  });

  it('a node whose head cannot be queried: the refusal is unchanged', async () => {
    const { url, asked } = await startStopped();
    const hub = connect({ rpc: url, naming: publicNaming });
    await expect(hub.rpc.call('block_results', { height: 905_000n })).rejects.toMatchObject({ code: 'not_found' });
    const [outcome] = await hub.rpc.batch([{ method: 'block_results', params: { height: 905_000n } }]);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(asked.filter((method) => method === 'abci_query')).toHaveLength(2);
  });
});
