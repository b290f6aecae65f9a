import { ServerReflectionResponse } from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { afterEach, describe, expect, it } from 'vitest';
import { type GrpcReply, startGrpc, startHttp } from '../test/servers.js';
import { connect } from './connect.js';
import { publicNaming } from './naming/public.js';

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
    expect(asked).toEqual([publicNaming.routeToWire(route), route, route]);
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
    await expect(connection.rest.call(queryParams, {})).rejects.toMatchObject({ code: 'unavailable' });
    up = true;
    await expect(connection.rest.call(queryParams, {})).resolves.toMatchObject({ height: undefined });
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
