import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { watchQuiet } from '../../test/quiet.js';
import { overWire } from '../../test/wire.js';
import { type Devnode, startDevnode } from '../start.js';
import type { AnswerFault, FrameFault } from './fault.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';
import { scripted } from './plan.js';

const from = 901_900;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
let node: Devnode;
let proxy: FaultProxy;

beforeEach(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
  proxy = await startFaultProxy({ target: node.rpc, mode: 'http' });
});
afterEach(async () => {
  await proxy.close();
  await node.close();
});

const answered = (...answers: (AnswerFault | undefined)[]): void => proxy.follow(scripted({ answers }));
const halves = (bytes: Buffer): [head: string, body: Buffer] => {
  const at = bytes.indexOf('\r\n\r\n');
  return [bytes.subarray(0, at).toString().toLowerCase(), bytes.subarray(at + 4)];
};

describe('faults of an HTTP response', () => {
  it('no fault: status, headers and body from the node pass', async () => {
    const [head, body] = halves((await overWire(proxy.port, get('/block?height=901890'))).bytes);
    expect(head).toMatch(/^http\/1.1 200 .*cache-control: public, max-age=86400/s);
    expect(JSON.parse(body.toString()).result.block.header.height).toBe('901890');
  });

  it.each<[AnswerFault, RegExp, string | RegExp]>([
    [{ kind: 'html', status: 502 }, /^http\/1.1 502 .*content-type: text\/html/s, /^<!DOCTYPE html>/],
    [{ kind: 'html', status: 200, contentType: 'application/json' }, /200 .*application\/json/s, /^<!DOCTYPE html>/],
    [{ kind: 'too-many' }, /^http\/1.1 429 (?!.*retry-after)/s, 'Too Many Requests\n'],
    [{ kind: 'too-many', retryAfter: '3' }, /^http\/1.1 429 .*retry-after: 3/s, 'Too Many Requests\n'],
    [{ kind: 'status', status: 301, location: 'http://x/' }, /^http\/1.1 301 .*location: http:\/\/x\//s, 'no\n'],
    [{ kind: 'answer', body: '{"a":18446744073709551616}' }, /^http\/1.1 200 /, '{"a":18446744073709551616}'],
    [{ kind: 'answer', body: Buffer.from([0x22, 0xff, 0x22]) }, /content-length: 3/, /^"\ufffd"$/],
  ])('%j: bytes on the wire', async (fault, head, body) => {
    answered(fault);
    const seen = halves((await overWire(proxy.port, get('/status'))).bytes);
    expect(seen[0]).toMatch(head);
    if (typeof body === 'string') expect(seen[1].toString()).toBe(body);
    else expect(seen[1].toString()).toMatch(body);
    expect(proxy.committed).toEqual(new Map([[fault.kind, 1]]));
  });

  it('truncate, wrong-length: half a body sent as a complete one, and a Content-Length that does not match the body', async () => {
    answered(undefined, { kind: 'truncate' }, { kind: 'wrong-length', by: 10 }, { kind: 'wrong-length', by: -10 });
    const lengths: [number, number][] = [];
    for (let i = 0; i < 4; i++) {
      const [head, body] = halves((await overWire(proxy.port, get('/block?height=901890'))).bytes);
      lengths.push([Number(/content-length: (\d+)/.exec(head)?.[1]), body.length]);
    }
    const [whole] = lengths[0] as [number, number];
    expect(lengths).toEqual([
      [whole, whole],
      [whole >> 1, whole >> 1],
      [whole + 10, whole],
      [whole - 10, whole],
    ]);
  });

  it('replay: repeats the previous response', async () => {
    answered(undefined, { kind: 'replay' });
    await overWire(proxy.port, get('/block?height=901890'));
    const [, body] = halves((await overWire(proxy.port, get('/block?height=901891'))).bytes);
    expect(JSON.parse(body.toString()).result.block.header.height).toBe('901890');
  });

  it('gzip-bomb: a few bytes that decompress to many', async () => {
    answered({ kind: 'gzip-bomb', bytes: 8 << 20 });
    const [head, body] = halves((await overWire(proxy.port, get('/status'))).bytes);
    expect(head).toContain('content-encoding: gzip');
    expect(body.length).toBeLessThan(20_000);
    const fetched = await proxied('/status', { kind: 'gzip-bomb', bytes: 8 << 20 });
    expect((await fetched.arrayBuffer()).byteLength).toBe(8 << 20);
  });

  it('endless: the body continues until the client disconnects', async () => {
    const { body } = await proxied('/status', { kind: 'endless' });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let size = 0;
    while (size < 4_000_000) size += (await reader.read()).value?.length ?? Number.NaN;
    await reader.cancel();
    expect(size).toBeGreaterThanOrEqual(4_000_000);
  });

  it('byte faults: occur within a response', async () => {
    answered({ kind: 'cut', after: 30 }, { kind: 'reset' }, { kind: 'garble' }, { kind: 'black-hole' });
    expect((await overWire(proxy.port, get('/status'))).bytes.length).toBe(30);
    expect((await overWire(proxy.port, get('/status'))).end).toBe('reset');
    const [head, body] = halves((await overWire(proxy.port, get('/status'))).bytes);
    expect(head).toContain('200');
    expect([...body.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    expect(await overWire(proxy.port, get('/status'))).toMatchObject({ end: 'open', bytes: Buffer.alloc(0) });
  });

  const proxied = (path: string, fault: AnswerFault): Promise<Response> => {
    answered(fault);
    return fetch(`${proxy.url}${path}`);
  };
});

describe('faults of a websocket frame', () => {
  const headers = "tm.event='NewBlockHeader'";

  /** Subscribes, plays three blocks and lists the received heights, other texts, and how the connection ended. */
  const follow = async (...frames: (FrameFault | undefined)[]): Promise<(string | number)[]> => {
    const socket = new WebSocket(`${proxy.url}/websocket`);
    await once(socket, 'open');
    const seen: (string | number)[] = [];
    socket.on('error', (error) => seen.push(error.message));
    socket.on('message', (data) => seen.push(heightOf((data as Buffer).toString())));
    socket.on('close', (code) => seen.push(`closed ${code}`));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'subscribe', params: { query: headers } }));
    await expect.poll(() => seen.length).toBe(1);
    proxy.follow(scripted({ frames }));
    await node.advanceTo(node.position().height + 3);
    // Once the response to a later call arrives, every frame that was not dropped has arrived.
    socket.send('{"jsonrpc":"2.0","id":"end","method":"health","params":{}}');
    await new Promise<void>((resolve) => {
      const quiet = watchQuiet(resolve);
      const look = (): void => {
        if (!seen.includes('end') && !seen.some((one) => String(one).startsWith('closed'))) return quiet.heard();
        quiet.stop();
        resolve();
      };
      for (const event of ['message', 'close']) socket.on(event, look);
      look();
    });
    socket.terminate();
    return seen.slice(1);
  };
  const heightOf = (text: string): string | number => {
    try {
      const { id, result, error } = JSON.parse(text);
      const height = result?.data?.value?.header?.height;
      return height === undefined ? (error?.data ?? String(id)) : Number(height) - from;
    } catch {
      return `broken ${text.length}`;
    }
  };

  it('no fault: every frame once, in order', async () => {
    expect(await follow()).toEqual([1, 2, 3, 'end']);
  });

  it.each<[FrameFault, (string | number)[]]>([
    [{ kind: 'drop' }, [1, 3, 'end']],
    [{ kind: 'duplicate' }, [1, 2, 2, 3, 'end']],
    [{ kind: 'delay', ms: 50 }, [1, 2, 3, 'end']],
    [{ kind: 'replay' }, [1, '9', 2, 3, 'end']],
    [{ kind: 'cancel', reason: 'slow client' }, [1, 'subscription was canceled (reason: slow client)', 'end']],
    [{ kind: 'close', code: 1001 }, [1, 'closed 1001']],
    [{ kind: 'cut' }, [1, 'closed 1006']],
    [{ kind: 'black-hole' }, [1]],
    [{ kind: 'oversize', bytes: 100 }, [1, 'broken 100', 3, 'end']],
  ])('%j: effect on the client', async (fault, seen) => {
    expect(await follow(undefined, fault)).toEqual(seen);
    expect(proxy.committed.get(fault.kind)).toBe(1);
  });

  it('truncate: half of the text; garble: invalid UTF-8; reset: an error', async () => {
    expect(await follow({ kind: 'truncate' })).toEqual([expect.stringMatching(/^broken \d{3,}/), 2, 3, 'end']);
    expect(await follow({ kind: 'garble' })).toEqual([expect.stringContaining('UTF-8'), 'closed 1006']);
    expect((await follow({ kind: 'reset' })).at(-1)).toBe('closed 1006');
  });

  it('a response fault: applies to the handshake', async () => {
    answered({ kind: 'html', status: 502 }, { kind: 'cut' });
    const refused = new WebSocket(`${proxy.url}/websocket`);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('502');
    const cut = new WebSocket(`${proxy.url}/websocket`);
    const [ended] = (await once(cut, 'error')) as [Error];
    expect(ended.message).toContain('hang up');
  });
});

describe('cleanup when a client or the proxy disconnects', () => {
  const handles = (): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) {
      if (/TCP|Connect/.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  };

  /** Starts a node that accepts connections and never responds. */
  const startMute = async () => {
    const held = new Set<Socket>();
    const server = createServer((socket) => {
      held.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => held.delete(socket));
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = (): Promise<unknown> => {
      for (const socket of held) socket.destroy();
      server.close();
      return once(server, 'close');
    };
    return { target: `127.0.0.1:${port}`, held, close };
  };

  it('a client that disconnects: its request to the node is aborted', async () => {
    const mute = await startMute();
    const before = await startFaultProxy({ target: mute.target, mode: 'http' });
    const client = connect(before.port, '127.0.0.1');
    client.write(get('/status'));
    await expect.poll(() => mute.held.size).toBe(1);
    client.destroy();
    await expect.poll(() => mute.held.size).toBe(0);
    await before.close();
    await mute.close();
  });

  it.each<[string, AnswerFault | undefined, string]>([
    ['requests that wait for the node', undefined, ''],
    ['websockets that wait for the node', undefined, 'upgrade'],
    ['websockets that a fault holds up', { kind: 'delay', ms: 50 }, 'upgrade'],
    ['answers in small parts', { kind: 'drip', bytes: 1, everyMs: 20 }, ''],
    ['endless answers', { kind: 'endless' }, ''],
    ['black holes', { kind: 'black-hole' }, ''],
  ])('close amid %s: no connection of the proxy is left, and clients are disconnected', async (_, fault, kind) => {
    const mute = await startMute();
    const idle = handles();
    const target = fault === undefined || kind === 'upgrade' ? mute.target : node.rpc;
    const plan = { answer: () => fault };
    const before = await startFaultProxy({ target, mode: 'http', plan });
    const handshake =
      'GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
    const clients = Array.from({ length: 5 }, () => connect(before.port, '127.0.0.1'));
    const ended = clients.map((client) => {
      client.on('error', () => undefined);
      client.resume();
      client.write(kind === 'upgrade' ? handshake : get('/status'));
      return once(client, 'close');
    });
    if (fault === undefined) await expect.poll(() => mute.held.size).toBe(5);
    else await expect.poll(() => before.count).toBe(5);
    await before.close();
    await Promise.all(ended);
    await expect.poll(() => mute.held.size).toBe(0);
    // Handles from other tests may still be closing, so the count can also decrease.
    await expect.poll(() => Object.entries(handles()).filter(([name, count]) => count > (idle[name] ?? 0))).toEqual([]);
    await mute.close();
  });
});
