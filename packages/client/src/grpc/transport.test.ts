import { gzipSync } from 'node:zlib';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, describe, expect, it } from 'vitest';
import { getNothing, getThing } from '../../test/methods.js';
import { type GrpcCall, type GrpcReply, startGrpc, type TestServer } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming } from '../naming/public.js';
import type { Transport } from '../transport.js';
import { createGrpcTransport } from './transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});

async function transportTo(
  handle: (call: GrpcCall) => GrpcReply | undefined,
  options: { maxBytes?: number; timeoutMs?: number } = {},
): Promise<Transport<'grpc'>> {
  const server: TestServer & { address: string } = await startGrpc(handle);
  const transport = createGrpcTransport({ address: server.address, naming: publicNaming, ...options });
  closing.push(server, transport);
  return transport;
}

const failure = async (call: Promise<unknown>): Promise<HubError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HubError);
  return error as HubError;
};

const heightName = publicNaming.headerToWire('x-stack-block-height');

describe('gRPC transport', () => {
  it('a call: sends wire path, request bytes and height; returns message and height', async () => {
    const calls: GrpcCall[] = [];
    const transport = await transportTo((call) => {
      calls.push(call);
      return { message: encodeBinary(getThing.response, { id: 7n }), initial: { [heightName]: '901900' } };
    });
    const answer = await transport.call(getThing, { id: 5n }, { height: 901900n });
    expect(answer).toEqual({ message: { id: 7n, at: undefined }, height: 901900n });
    expect(calls[0]?.path).toBe(publicNaming.typeToWire('/hub.test.v1.QueryService/GetThing'));
    expect(calls[0]?.message.toString('hex')).toBe('0805');
    expect(calls[0]?.headers[heightName]).toBe('901900');
  });

  it('no requested height: no header is sent, and a response without one has no height', async () => {
    const transport = await transportTo(({ headers }) =>
      heightName in headers ? { status: 13 } : { message: new Uint8Array(0) },
    );
    expect((await transport.call(getThing, {})).height).toBeUndefined();
  });

  it.each<[GrpcReply, string]>([
    [{ status: 5, text: 'lease 9 does not exist' }, 'not_found'],
    [{ status: 3, text: 'invalid address x' }, 'invalid_argument'],
    [{ status: 12, text: 'unknown service x' }, 'unimplemented'],
    [{ status: 13, text: 'boom' }, 'internal'],
    [{ status: 14, text: 'try later' }, 'unavailable'],
    [{ status: 8, text: 'grpc: received message larger than max (5 vs. 4)' }, 'limit'],
    [{ status: 8, text: 'slow down' }, 'rate_limited'],
    [{ status: 2, text: 'anything' }, 'unknown'],
    [
      {
        status: 2,
        text: 'codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height',
      },
      'height_in_future',
    ],
    [
      { status: 2, text: 'codespace sdk code 26: invalid height: app is not ready; please wait for first block' },
      'starting',
    ],
    [
      {
        status: 2,
        text: 'codespace sdk code 18: invalid request: failed to load state at height 902000; version does not exist (latest height: 905000)',
      },
      'height_not_retained',
    ],
    [
      {
        status: 2,
        text: 'codespace sdk code 18: invalid request: failed to load state at height 901800; no commit info found (latest height: 905000)',
      },
      'height_never_existed',
    ],
    [{ http: 429 }, 'rate_limited'],
    [{ http: 503 }, 'unavailable'],
    [{ http: 404 }, 'http'],
  ])('refusal %j: %s', async (reply, code) => {
    const transport = await transportTo(() => reply);
    const error = await failure(transport.call(getThing, {}, { height: 5n }));
    expect(error.code).toBe(code);
    expect(error).toMatchObject({ transport: 'grpc', address: transport.address, height: 5n });
    if (reply.status !== undefined) expect(error.raw).toMatchObject({ grpcCode: reply.status, text: reply.text });
  });

  it('a message that does not decode: fails with decode and the field', async () => {
    const transport = await transportTo(() => ({ message: Uint8Array.from([8, 0x80]) }));
    const error = await failure(transport.call(getThing, {}));
    expect(error.code).toBe('decode');
    expect(error.message).toContain('hub.test.v1.Thing.id at byte 1');
  });

  it('a request that cannot be written: fails with invalid_argument before any request', async () => {
    let asked = 0;
    const transport = await transportTo(() => {
      asked++;
      return {};
    });
    const error = await failure(transport.call(getThing, { id: 5 as unknown as bigint }));
    expect(error.code).toBe('invalid_argument');
    expect(error.message).toContain('hub.test.v1.ThingRequest.id: a bigint is expected');
    expect(asked).toBe(0);
  });

  it('a method that is not served: fails with not_served and the reason, before any request', async () => {
    let asked = 0;
    const transport = await transportTo(() => {
      asked++;
      return {};
    });
    // As a JavaScript caller would: the types forbid it.
    const error = await failure(transport.call(getNothing, {} as never));
    expect(error.code).toBe('not_served');
    expect(error.message).toContain('no node serves it; call GetThing instead');
    expect(asked).toBe(0);
  });

  it('a response over the limit: fails with limit', async () => {
    const transport = await transportTo(() => ({ message: new Uint8Array(5000) }), { maxBytes: 1000 });
    expect((await failure(transport.call(getThing, {}))).code).toBe('limit');
  });

  const framed = (bytes: Uint8Array, flag = 0, length = bytes.length): Buffer => {
    const head = Buffer.from([flag, 0, 0, 0, 0]);
    head.writeUInt32BE(length, 1);
    return Buffer.concat([head, bytes]);
  };
  const message = encodeBinary(getThing.response, { id: 7n });
  const whole = framed(message);

  it.each<[string, Uint8Array, HubError['code']]>([
    ['no byte', new Uint8Array(0), 'unavailable'],
    ['half of the head', whole.subarray(0, 3), 'unavailable'],
    ['the head alone', whole.subarray(0, 5), 'unavailable'],
    ['half of the message', whole.subarray(0, 6), 'unavailable'],
    ['a second message', Buffer.concat([whole, whole]), 'internal'],
    ['one byte more', Buffer.concat([whole, Buffer.of(0)]), 'internal'],
    ['an unknown flag', framed(message, 7), 'decode'],
    ['a length of 4 GiB', framed(message, 0, 2 ** 32 - 1), 'limit'],
    ['a packed message without an encoding', framed(message, 1), 'decode'],
  ])('status 0 with %s: fails immediately', async (_, body, code) => {
    const transport = await transportTo(() => ({ body }), { timeoutMs: 60_000 });
    const error = await failure(transport.call(getThing, {}));
    expect([error.code, error.retryable]).toEqual([code, code === 'unavailable']);
  });

  it('a compressed message: read', async () => {
    const body = framed(gzipSync(message), 1);
    const transport = await transportTo(() => ({ body, initial: { 'grpc-encoding': 'gzip' } }));
    expect((await transport.call(getThing, {})).message.id).toBe(7n);
  });

  it('a compressed message that decompresses to more than the limit: fails with limit', async () => {
    const body = framed(gzipSync(new Uint8Array(1 << 20)), 1);
    const transport = await transportTo(() => ({ body, initial: { 'grpc-encoding': 'gzip' } }), { maxBytes: 100_000 });
    expect((await failure(transport.call(getThing, {}))).code).toBe('limit');
  });

  it('the height in the trailers: read', async () => {
    const transport = await transportTo(() => ({ message, trailers: { [heightName]: '901901' } }));
    expect((await transport.call(getThing, {})).height).toBe(901901n);
  });

  it('no response: fails with timeout after the timeout of the call', async () => {
    const transport = await transportTo(() => undefined);
    const error = await failure(transport.call(getThing, {}, { timeoutMs: 50 }));
    expect(error.code).toBe('timeout');
    expect(error.message).toContain('no answer within 50 ms');
  });

  it('the signal of the caller: fails with cancelled, and sends no request if it was already aborted', async () => {
    const controller = new AbortController();
    let asked = 0;
    const transport = await transportTo(() => {
      asked++;
      controller.abort();
      return undefined;
    });
    expect((await failure(transport.call(getThing, {}, { signal: controller.signal }))).code).toBe('cancelled');
    expect((await failure(transport.call(getThing, {}, { signal: controller.signal }))).code).toBe('cancelled');
    expect(asked).toBe(1);
  });

  it('no listening server: fails with refused', async () => {
    const server = await startGrpc(() => undefined);
    await server.close();
    const transport = createGrpcTransport({ address: server.address, naming: publicNaming });
    closing.push(transport);
    expect((await failure(transport.call(getThing, {}))).code).toBe('refused');
  });

  it('TLS to a plaintext server: fails with tls or unavailable, and never hangs', async () => {
    const server = await startGrpc(() => undefined);
    const transport = createGrpcTransport({ address: `https://${server.address}`, naming: publicNaming });
    closing.push(server, transport);
    expect(['tls', 'unavailable']).toContain((await failure(transport.call(getThing, {}))).code);
  });

  it.each(['', 'host', 'host:0', 'host:99999', 'ftp://host:1', 'host:1/path'])(
    'address %j: refused immediately',
    (address) => {
      expect(() => createGrpcTransport({ address, naming: publicNaming })).toThrow(
        'host:port or https://host:port is expected',
      );
    },
  );
});
