import { afterEach, describe, expect, it } from 'vitest';
import { getNothing, getThing } from '../../test/methods.js';
import { type HttpHandler, startHttp } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming } from '../naming/public.js';
import type { Transport } from '../transport.js';
import { createRestTransport } from './transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

async function transportTo(handle: HttpHandler, options: { maxBytes?: number } = {}): Promise<Transport<'rest'>> {
  const server = await startHttp(handle);
  closing.push(server);
  return createRestTransport({ address: `${server.url}/`, naming: publicNaming, ...options });
}

const failure = async (call: Promise<unknown>): Promise<HubError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HubError);
  return error as HubError;
};

describe('REST transport', () => {
  it('a call: sends path, query and height; returns object and height', async () => {
    const seen: unknown[] = [];
    const transport = await transportTo((request, _, response) => {
      seen.push(request.url, request.headers[publicNaming.headerToWire('x-stack-block-height')]);
      response.setHeader(publicNaming.headerToWire('grpc-metadata-x-stack-block-height'), '901900');
      response.end('{"id":"18446744073709551615","at":"2026-11-28T11:36:03.242576840Z","new_member":1}');
    });
    const request = {
      id: 5n,
      names: ['a&b', 'hub'],
      key: Uint8Array.from([0xfb, 0xff]),
      status: 1,
      page: { limit: 3n, reverse: true },
    };
    expect(await transport.call(getThing, request, { height: 901900n })).toEqual({
      message: { id: 18446744073709551615n, at: { seconds: 1795865763n, nanos: 242576840 } },
      height: 901900n,
    });
    expect(seen).toEqual([
      `${publicNaming.routeToWire('/hub/test/v1/things')}/5?names=a%26b&names=hub&key=%2B%2F8%3D&status=1&page.limit=3&page.reverse=true`,
      '901900',
    ]);
  });

  it.each<[number, string, string]>([
    [404, '{"code":5,"message":"lease 9 does not exist","details":[]}', 'not_found'],
    [400, '{"code":3, "message":"type mismatch", "details":[]}', 'invalid_argument'],
    [501, '{"code":12,"message":"Not Implemented","details":[]}', 'unimplemented'],
    [
      500,
      '{"code":2,"message":"codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height","details":[]}',
      'height_in_future',
    ],
    [
      400,
      '{"code":3,"message":"failed to load state at height 902000; version does not exist (latest height: 905000): invalid request","details":[]}',
      'height_not_retained',
    ],
    [429, '{"code":8,"message":"grpc: received message larger than max (20 vs. 10)","details":[]}', 'limit'],
    [429, '<html>slow down</html>', 'rate_limited'],
    [502, '<html>bad gateway</html>', 'unavailable'],
    [404, '<html>not found</html>', 'http'],
    [301, '', 'http'],
    [503, '{"code":14,"message":"connection refused","details":[]}', 'unavailable'],
  ])('HTTP %i %s: %s', async (status, body, code) => {
    const transport = await transportTo((_, __, response) => {
      response.writeHead(status, status === 301 ? { location: 'http://127.0.0.1:1/' } : {}).end(body);
    });
    const error = await failure(transport.call(getThing, { id: 1n }));
    expect(error).toMatchObject({ code, raw: { httpStatus: status }, transport: 'rest' });
  });

  it.each(['{"id":"x"}', '{"id":"18446744073709551616"}', '{"id":'])('200 with %j: decode', async (body) => {
    const transport = await transportTo((_, __, response) => response.end(body));
    expect((await failure(transport.call(getThing, { id: 1n }))).code).toBe('decode');
  });

  it('an endless response: aborted at the limit', async () => {
    let sent = 0;
    const transport = await transportTo(
      (_, __, response) => {
        const more = (): void => {
          sent += 65536;
          if (!response.destroyed) response.write(' '.repeat(65536), () => setImmediate(more));
        };
        more();
      },
      { maxBytes: 200_000 },
    );
    expect((await failure(transport.call(getThing, { id: 1n }))).code).toBe('limit');
    expect(sent).toBeLessThan(50_000_000);
  });

  it('a response that never ends: fails with timeout', async () => {
    const transport = await transportTo((_, __, response) => void response.write('{'));
    expect((await failure(transport.call(getThing, { id: 1n }, { timeoutMs: 50 }))).code).toBe('timeout');
  });

  it('a connection cut in the middle of the body: fails with unavailable', async () => {
    const transport = await transportTo((request, _, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id"', () => request.socket.destroy());
    });
    expect((await failure(transport.call(getThing, { id: 1n }))).code).toBe('unavailable');
  });

  it('the signal of the caller: fails with cancelled', async () => {
    const controller = new AbortController();
    const transport = await transportTo(() => controller.abort());
    expect((await failure(transport.call(getThing, { id: 1n }, { signal: controller.signal }))).code).toBe('cancelled');
  });

  it('no listening server: fails with refused', async () => {
    const server = await startHttp(() => undefined);
    await server.close();
    const transport = createRestTransport({ address: server.url, naming: publicNaming });
    expect((await failure(transport.call(getThing, { id: 1n }))).code).toBe('refused');
  });

  it('TLS to a plaintext server: fails with tls', async () => {
    const server = await startHttp(() => undefined);
    closing.push(server);
    const transport = createRestTransport({ address: server.url.replace('http:', 'https:'), naming: publicNaming });
    expect((await failure(transport.call(getThing, { id: 1n }))).code).toBe('tls');
  });

  it('a method that is not served: fails with not_served and the reason, before any request', async () => {
    let asked = 0;
    const transport = await transportTo((_, __, response) => {
      asked++;
      response.end('{}');
    });
    const error = await failure(transport.call(getNothing, {} as never));
    expect(error.code).toBe('not_served');
    expect(error.message).toContain('no node serves it; call GetThing instead');
    expect(asked).toBe(0);
  });

  it.each(['', 'host:1317', 'ftp://host', '127.0.0.1'])('address %j: refused immediately', (address) => {
    expect(() => createRestTransport({ address, naming: publicNaming })).toThrow('a URL such as');
  });
});
