import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchQuiet } from '../../test/quiet.js';
import { type Devnode, startDevnode } from '../start.js';
import type { StreamFault } from './fault.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';
import { scripted } from './plan.js';

let node: Devnode;
let proxy: FaultProxy;
let session: ClientHttp2Session;

beforeEach(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: 901_900 });
  proxy = await startFaultProxy({ target: node.grpc, mode: 'grpc' });
  session = connect(proxy.url);
  session.on('error', () => undefined);
});
afterEach(async () => {
  session.destroy();
  await proxy.close();
  await node.close();
});

interface Seen {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly grpcStatus: string | undefined;
  /** `end`, `error` with its code, or `open` if the stream did not end. */
  readonly end: string;
}

/** Makes one call of a small method over plain HTTP/2. */
async function call(fault: StreamFault | undefined, stopAt = Number.POSITIVE_INFINITY): Promise<Seen> {
  proxy.follow(scripted({ streams: [fault] }));
  const stream = session.request({
    ':method': 'POST',
    ':path': '/sentinel.node.v3.QueryService/QueryParams',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.end(Buffer.alloc(5));
  let headers: IncomingHttpHeaders = {};
  let grpcStatus: string | undefined;
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('response', (found: IncomingHttpHeaders) => (headers = found));
  stream.on('trailers', (found: IncomingHttpHeaders) => (grpcStatus = String(found['grpc-status'])));
  stream.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size >= stopAt) stream.close();
  });
  const end = await new Promise<string>((resolve) => {
    stream.on('end', () => resolve('end'));
    stream.on('error', (error: Error & { code?: string }) => resolve(`error ${error.code ?? ''}`));
    stream.on('close', () => resolve(`closed ${stream.rstCode}`));
    const quiet = watchQuiet(() => resolve('open'));
    for (const event of ['response', 'data', 'trailers']) stream.on(event, () => quiet.heard());
    stream.on('close', () => quiet.stop());
  });
  return { status: headers[':status'] as number | undefined, headers, body: Buffer.concat(parts), grpcStatus, end };
}

describe('faults of a gRPC call', () => {
  it("no fault: the node's message and trailers pass", async () => {
    const seen = await call(undefined);
    expect(seen).toMatchObject({ status: 200, grpcStatus: '0', end: 'end' });
    expect(seen.body.readUInt32BE(1)).toBe(seen.body.length - 5);
    expect(seen.body.length).toBeGreaterThan(20);
    expect(seen.headers['x-cosmos-block-height']).toBe('901900');
  });

  it.each<[StreamFault, Partial<Seen>]>([
    [
      { kind: 'html', status: 503 },
      { status: 503, end: 'end' },
    ],
    [
      { kind: 'too-many', retryAfter: '2' },
      { status: 429, end: 'end' },
    ],
    [
      { kind: 'status', status: 301, location: 'http://x/' },
      { status: 301, end: 'end' },
    ],
    [{ kind: 'black-hole' }, { status: undefined, end: 'open' }],
    [
      { kind: 'delay', ms: 30 },
      { status: 200, grpcStatus: '0', end: 'end' },
    ],
    [{ kind: 'reset-stream', code: constants.NGHTTP2_INTERNAL_ERROR }, { end: 'error ERR_HTTP2_STREAM_ERROR' }],
    [
      { kind: 'answer', body: Buffer.from('hm') },
      { body: Buffer.from('\0\0\0\0\x02hm'), grpcStatus: '0' },
    ],
  ])('%j: bytes on the wire', async (fault, seen) => {
    const found = await call(fault);
    expect(found).toMatchObject(seen);
    if (fault.kind === 'too-many') expect(found.headers['retry-after']).toBe('2');
    if (fault.kind === 'status') expect(found.headers.location).toBe('http://x/');
    expect(proxy.committed).toEqual(new Map([[fault.kind, 1]]));
  });

  it("garble, truncate, gzip-bomb, endless: the message does not match its length or the node's response", async () => {
    const { body: whole } = await call(undefined);
    const garbled = (await call({ kind: 'garble' })).body;
    expect([garbled.length, garbled[5]]).toEqual([whole.length, 0xff]);
    const half = (await call({ kind: 'truncate' })).body;
    expect(half.readUInt32BE(1)).toBe(whole.length - 5);
    expect(half.length).toBe(5 + ((whole.length - 5) >> 1));
    const bomb = await call({ kind: 'gzip-bomb', bytes: 1 << 20 });
    expect([bomb.headers['grpc-encoding'], bomb.body[0]]).toEqual(['gzip', 1]);
    expect([bomb.body.length < 5_000, gunzipSync(bomb.body.subarray(5)).length]).toEqual([true, 1 << 20]);
    const endless = await call({ kind: 'endless' }, 3_000_000);
    expect(endless.body.length).toBeGreaterThanOrEqual(3_000_000);
  });

  it('goaway and cut: the connection is terminated, with or without a reason', async () => {
    const told = once(session, 'goaway');
    const code = constants.NGHTTP2_ENHANCE_YOUR_CALM;
    await call({ kind: 'goaway', code, text: 'too_many_pings' });
    const [heard, , text] = (await told) as [number, number, Buffer];
    expect([heard, text.toString()]).toEqual([code, 'too_many_pings']);
    session = connect(proxy.url);
    session.on('error', () => undefined);
    const closed = once(session, 'close');
    await call({ kind: 'cut' });
    await closed;
    expect(proxy.connections).toBe(2);
  });
});
