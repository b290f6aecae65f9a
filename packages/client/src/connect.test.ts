import { ServerReflectionResponse } from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { afterEach, describe, expect, it } from 'vitest';
import { type GrpcReply, startGrpc, startHttp, startSilent } from '../test/servers.js';
import { connect, type ConnectOptions } from './connect.js';
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
  it('no address: refused, and the allowed members are named', () => {
    expect(() => connect({})).toThrow('give at least one address of grpc, rest and rpc');
  });

  it('an address that cannot be read: refused at once', () => {
    expect(() => connect({ grpc: 'nonsense' })).toThrow('grpc address "nonsense"');
    expect(() => connect({ rpc: 'nonsense' })).toThrow('address "nonsense"');
  });

  it('transports: those that were given', () => {
    const connection = connect({ rest: 'http://127.0.0.1:1' });
    expect(connection.rest.kind).toBe('rest');
    expect(connection.grpc).toBeUndefined();
    expect(connection.rpc).toBeUndefined();
    expect(connection.abci).toBeUndefined();
  });

  it('naming auto over reflection: the one whose service is listed', async () => {
    const connection = connect({ grpc: await startReflection([publicNaming.typeToWire(queryParams.service)]) });
    closing.push(connection);
    expect((await connection.naming()).profile).toBe('public');
    const neutral = connect({ grpc: await startReflection([queryParams.service]) });
    closing.push(neutral);
    expect((await neutral.naming()).profile).toBe('identity');
  });

  it('naming auto over REST: the one whose route answers, found once', async () => {
    const asked: string[] = [];
    const route = queryParams.rest?.path ?? '';
    const connection = connect({ rest: await startGateway(route, asked) });
    expect((await connection.naming()).profile).toBe('identity');
    await connection.rest.call(queryParams, {});
    expect(asked.slice(0, 2).sort()).toEqual([route, publicNaming.routeToWire(route)].sort());
    expect(asked.slice(2)).toEqual([route]);
  });

  it('naming auto over the consensus RPC: the one whose path answers', async () => {
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

  it('a node that is down at first: the failure of the endpoint, and looked for again', async () => {
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

  it('names that no profile has: unimplemented, and what to do', async () => {
    const connection = connect({ rest: await startGateway('/city/node/v3/params') });
    await expect(connection.naming()).rejects.toMatchObject({
      code: 'unimplemented',
      message: expect.stringContaining('under none of the namings public, identity; give its profile as `naming`'),
    });
  });

  it('a naming that is given: no request to find one', async () => {
    const asked: string[] = [];
    const route = queryParams.rest?.path ?? '';
    const connection = connect({ rest: await startGateway(route, asked), naming: identityNaming });
    await connection.rest.call(queryParams, {});
    expect(asked).toEqual([route]);
  });
});

describe('connect to a node that never answers', () => {
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

  it('timeout: after the time of the call, at the place of the call', async () => {
    const started = performance.now();
    for (const [place, call] of await callsOf()) {
      const failure = expect(call({ timeoutMs: 100 })).rejects;
      await failure.toMatchObject({
        code: 'timeout',
        ...place,
        message: expect.stringMatching(/no answer within 100 ms; the naming of the node was still looked for/),
        cause: expect.any(Error),
      });
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('cancelled: when the caller says so, at the place of the call', async () => {
    const started = performance.now();
    for (const [place, call] of (await callsOf()).slice(0, 5)) {
      const signal = AbortSignal.timeout(50);
      await expect(call({ signal })).rejects.toMatchObject({ code: 'cancelled', ...place });
      await expect(call({ signal })).rejects.toMatchObject({ code: 'cancelled', ...place });
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('many calls: one search, which closing the connection ends', async () => {
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

  it('another way in that answers: found there', async () => {
    const { grpc, rpc } = await startNode();
    const connection = connect({ grpc, rpc, rest: await startGateway(queryParams.rest?.path ?? '') });
    closing.push(connection);
    await expect(connection.rest.call(queryParams, {}, { timeoutMs: 2_000 })).resolves.toMatchObject({
      height: undefined,
    });
  });
});
