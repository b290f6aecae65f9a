import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { HubError, publicNaming } from '@hubwatch/client';
import { createAbciTransport } from '@hubwatch/client/abci';
import { createGrpcTransport } from '@hubwatch/client/grpc';
import { createRestTransport } from '@hubwatch/client/rest';
import { createRpcClient } from '@hubwatch/client/rpc';
import { openWebSocket } from '@hubwatch/client/websocket';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import {
  type AnswerFault,
  type FaultProxy,
  type FrameFault,
  scripted,
  type StreamFault,
  startFaultProxy,
} from '@hubwatch/devnode/faults';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** More than the response limit, and far more than the process may grow. */
const bombBytes = 512 << 20;
const maxBytes = 1 << 20;
const maxGrowth = 120 << 20;

let node: Devnode;
const proxies: Record<'grpc' | 'rest' | 'rpc', FaultProxy> = {} as never;

beforeAll(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: 901_900 });
  proxies.grpc = await startFaultProxy({ target: node.grpc, mode: 'grpc' });
  proxies.rest = await startFaultProxy({ target: node.rest, mode: 'http' });
  proxies.rpc = await startFaultProxy({ target: node.rpc, mode: 'http' });
});
afterAll(async () => {
  await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
  await node.close();
});

type Kind = 'rest' | 'abci' | 'rpc' | 'grpc';
let timeoutMs = 60_000;
const options = (address: string) => ({ address, naming: publicNaming, maxBytes, timeoutMs });
const calls: Record<Kind, () => Promise<unknown>> = {
  rest: () => createRestTransport(options(proxies.rest.url)).call(queryParams, {}),
  abci: () => createAbciTransport(options(proxies.rpc.url)).call(queryParams, {}),
  rpc: () => createRpcClient(options(proxies.rpc.url)).call('status'),
  grpc: async () => {
    const transport = createGrpcTransport(options(proxies.grpc.address));
    try {
      return await transport.call(queryParams, {});
    } finally {
      await transport.close();
    }
  },
};

const codeOfError = (error: unknown): string => (error instanceof HubError ? error.code : 'not a HubError');

/** Error code of one call that encounters the fault; `ok` if it succeeds. */
async function codeOf(kind: Kind, fault: AnswerFault | StreamFault): Promise<string> {
  const proxy = proxies[kind === 'abci' ? 'rpc' : kind];
  const before = proxy.count;
  // Twice: if the connection is dropped before the response, a read is retried once.
  proxy.follow(scripted({ answers: [fault as AnswerFault, fault as AnswerFault], streams: [fault as StreamFault] }));
  // Requests without a response run into the timeout; all others have enough time on a busy machine.
  timeoutMs = fault.kind === 'black-hole' ? 1_000 : 60_000;
  const code = await calls[kind]().then(() => 'ok', codeOfError);
  expect([1, 2]).toContain(proxy.count - before);
  return code;
}

describe('a hostile endpoint over HTTP', () => {
  const json = (body: string | Uint8Array): AnswerFault => ({ kind: 'answer', body });

  it.each<[AnswerFault, string]>([
    [{ kind: 'html', status: 200 }, 'http'],
    [{ kind: 'html', status: 200, contentType: 'application/json' }, 'http'],
    [{ kind: 'html', status: 502 }, 'unavailable'],
    [{ kind: 'status', status: 503 }, 'unavailable'],
    [{ kind: 'status', status: 301, location: 'http://127.0.0.1:1/' }, 'http'],
    [{ kind: 'too-many', retryAfter: '1' }, 'rate_limited'],
    [{ kind: 'gzip-bomb', bytes: bombBytes }, 'limit'],
    [{ kind: 'endless' }, 'limit'],
    [{ kind: 'cut' }, 'unavailable'],
    [{ kind: 'cut', after: 200 }, 'unavailable'],
    [{ kind: 'reset' }, 'unavailable'],
    [{ kind: 'wrong-length', by: 50 }, 'unavailable'],
    [{ kind: 'garble', after: 10 }, 'decode'],
    [json(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'decode'],
  ])('hostile page %j: over REST, abci and rpc %s', async (fault, code) => {
    for (const kind of ['rest', 'abci', 'rpc'] as const)
      expect([kind, await codeOf(kind, fault)]).toEqual([kind, code]);
  });

  it.each<[Kind, string, string]>([
    ['rest', '[]', 'http'],
    ['rest', '{"params":[]}', 'decode'],
    ['rest', '{"params":{"deposit":7}}', 'decode'],
    ['rest', '{"params":{"status_timeout":"1e99s"}}', 'decode'],
    ['rest', '{"params":{"deposit":{"amount":{}}}}', 'decode'],
    ['rest', '{"params"', 'decode'],
    ['rest', '['.repeat(200_000), 'http'],
    ['abci', '{"jsonrpc":"2.0","id":1,"result":{"response":{"code":0,"height":18446744073709551616}}}', 'decode'],
    ['rpc', '[]', 'http'],
    ['rpc', 'null', 'http'],
    ['rpc', '{"jsonrpc":"2.0","id":0,"result":{}}', 'decode'],
    ['rpc', '{"jsonrpc":"2.0","id":1,"error":7}', 'unknown'],
    ['rpc', '{"jsonrpc":"2.0","id":1,"error":{"code":"a","message":{},"data":[]}}', 'unknown'],
  ])('%s with response %s: %s', async (kind, body, code) => {
    expect(await codeOf(kind, json(body.slice(0, 900_000)))).toBe(code);
  });

  it('numbers beyond 64 bits, texts for lists, and members named like the prototype: a decode error, never a value', async () => {
    const status = (await createRpcClient(options(node.rpc)).call('status')) as object;
    expect(status).toBeDefined();
    const whole = await (await fetch(`${node.rpc}/status`)).text();
    const hostile: [RegExp, string][] = [
      [/"latest_block_height":"\d+"/, '"latest_block_height":18446744073709551616'],
      [/"latest_block_height":"\d+"/, '"latest_block_height":"184467440737095516160000"'],
      [/"latest_block_height":"\d+"/, '"latest_block_height":null'],
      [/"latest_block_hash":"\w+"/, '"latest_block_hash":"zz"'],
      [/"catching_up":false/, '"catching_up":"false"'],
      [/"latest_block_time":"[^"]+"/, '"latest_block_time":"yesterday"'],
      [/"other":\{/, '"__proto__":{"moniker":1},"other":[{'],
    ];
    for (const [pattern, instead] of hostile) {
      const body = whole.replace(pattern, instead);
      expect(body).not.toBe(whole);
      // The id of the next call is not known here, so the proxy copies it from the request.
      proxies.rpc.follow({
        answer: ({ body: asked }) => {
          const { id } = JSON.parse(asked) as { id: number };
          return { kind: 'answer', body: body.replace(/"id":-1/, `"id":${id}`) };
        },
      });
      const failure = await calls.rpc().catch(codeOfError);
      expect([instead, ['decode', 'http'].includes(failure as string)]).toEqual([instead, true]);
    }
  });
});

describe('a hostile endpoint over gRPC', () => {
  it.each<[StreamFault, string]>([
    [{ kind: 'html', status: 502 }, 'unavailable'],
    [{ kind: 'html', status: 503 }, 'unavailable'],
    [{ kind: 'too-many', retryAfter: '4' }, 'rate_limited'],
    [{ kind: 'status', status: 301, location: 'http://127.0.0.1:1/' }, 'http'],
    [{ kind: 'endless' }, 'limit'],
    [{ kind: 'gzip-bomb', bytes: 64 << 20 }, 'limit'],
    [{ kind: 'garble' }, 'decode'],
    [{ kind: 'answer', body: Buffer.from([0xff, 0xff, 0xff, 0xff]) }, 'decode'],
    [{ kind: 'answer', body: Buffer.alloc(2 << 20) }, 'limit'],
    [{ kind: 'cut' }, 'unavailable'],
    [{ kind: 'black-hole' }, 'timeout'],
  ])('HTTP answer on a gRPC port %j: %s', async (fault, code) => {
    expect(await codeOf('grpc', fault)).toBe(code);
  });

  it('429 on a gRPC port: the error has the requested wait', async () => {
    proxies.grpc.follow(scripted({ streams: [{ kind: 'too-many', retryAfter: '4' }] }));
    await expect(calls.grpc()).rejects.toMatchObject({ code: 'rate_limited', raw: { retryAfterMs: 4_000 } });
  });

  it('gRPC connection closed for too many pings: one call fails, and the next one is answered', async () => {
    const transport = createGrpcTransport(options(proxies.grpc.address));
    proxies.grpc.follow(scripted({ streams: [undefined, { kind: 'goaway', code: 11, text: 'too_many_pings' }] }));
    await transport.call(queryParams, {});
    await expect(transport.call(queryParams, {})).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(transport.call(queryParams, {})).resolves.toMatchObject({ height: 901_900n });
    await transport.close();
  });

  it('node given by IP address that refuses: at most one connection per request', async () => {
    await proxies.grpc.down();
    const transport = createGrpcTransport(options(proxies.grpc.address));
    let connections = 0;
    const count = (): void => void connections++;
    subscribe('net.client.socket', count);
    for (let question = 0; question < 40; question++) {
      expect(await transport.call(queryParams, {}).catch(codeOfError)).toBe('refused');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    unsubscribe('net.client.socket', count);
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(40);
    await proxies.grpc.up();
    // The channel waits at most 5 s between two attempts.
    await expect
      .poll(() =>
        transport.call(queryParams, {}).then(
          ({ height }) => height,
          () => undefined,
        ),
      )
      .toBe(901_900n);
    await transport.close();
  });
});

describe('a hostile endpoint over the websocket', () => {
  const next = async (frame: FrameFault): Promise<string> => {
    const open = options(proxies.rpc.url);
    proxies.rpc.follow({});
    const client = await openWebSocket({ ...open, silenceMs: 400 });
    const subscription = await client.subscribe('NewBlockHeader');
    const event = subscription[Symbol.asyncIterator]().next();
    proxies.rpc.follow(scripted({ frames: [frame] }));
    await node.advanceTo(node.position().height + 1);
    const code = await event.then(({ value }) => String(value?.kind), codeOfError);
    await client.close();
    return code;
  };

  it.each<[FrameFault, string]>([
    [{ kind: 'truncate' }, 'decode'],
    [{ kind: 'garble' }, 'decode'],
    [{ kind: 'oversize', bytes: 16 << 20 }, 'limit'],
    [{ kind: 'cut' }, 'unavailable'],
    [{ kind: 'reset' }, 'unavailable'],
    [{ kind: 'close', code: 1009 }, 'unavailable'],
    [{ kind: 'cancel', reason: 'client is not pulling messages fast enough' }, 'internal'],
    [{ kind: 'delay', ms: 20 }, 'NewBlockHeader'],
  ])('%j: %s', async (fault, code) => {
    expect(await next(fault)).toBe(code);
  });

  it('open connection without answers: timeout within the limit', async () => {
    expect(await next({ kind: 'black-hole' })).toBe('timeout');
  });

  it.each<[AnswerFault, string]>([
    [{ kind: 'html', status: 502 }, 'unavailable'],
    [{ kind: 'html', status: 200 }, 'http'],
    [{ kind: 'too-many' }, 'rate_limited'],
    [{ kind: 'cut' }, 'unavailable'],
    [{ kind: 'black-hole' }, 'timeout'],
  ])('a handshake with %j: %s', async (fault, code) => {
    proxies.rpc.follow(scripted({ answers: [fault] }));
    const opening = openWebSocket({ ...options(proxies.rpc.url), timeoutMs: 500 });
    await expect(opening).rejects.toMatchObject({ code });
  });
});

it('bombs and endless responses, ten of each on every transport: process memory does not grow', async () => {
  const growths: number[] = [];
  for (const kind of ['rest', 'abci', 'rpc', 'grpc'] as const) {
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 10; i++) {
      expect(await codeOf(kind, { kind: 'gzip-bomb', bytes: kind === 'grpc' ? 64 << 20 : bombBytes })).toBe('limit');
      expect(await codeOf(kind, { kind: 'endless' })).toBe('limit');
      growths.push(process.memoryUsage().rss - before);
    }
  }
  expect(Math.max(...growths)).toBeLessThan(maxGrowth);
});
