import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overWire } from '../../test/wire.js';
import type { ByteFault } from './fault.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';
import { randomFaults, scripted } from './plan.js';

const text = 'abcdefghijklmnopqrstuvwxyz';
let node: Server;
let heard: string;
let nodeSockets: Set<Socket>;
let proxy: FaultProxy;

beforeEach(async () => {
  heard = '';
  nodeSockets = new Set();
  node = createServer((socket) => {
    nodeSockets.add(socket);
    socket.on('close', () => nodeSockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard += bytes.toString();
      socket.write(text);
      if (heard.endsWith('bye')) socket.end();
    });
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
});
afterEach(async () => {
  await proxy.close();
  node.close();
});

const start = async (...connections: (ByteFault | undefined)[]): Promise<FaultProxy> => {
  const target = `127.0.0.1:${(node.address() as AddressInfo).port}`;
  proxy = await startFaultProxy({ target, mode: 'tcp', plan: scripted({ connections }) });
  return proxy;
};

describe('byte faults', () => {
  it('no fault: bytes and the end of the stream pass in both directions', async () => {
    const { port } = await start(undefined);
    const { bytes, end } = await overWire(port, 'hello, bye');
    expect([bytes.toString(), end, heard]).toEqual([text, 'fin', 'hello, bye']);
    expect(proxy.count).toBe(0);
  });

  it.each<[ByteFault, string, string]>([
    [{ kind: 'cut' }, '', 'fin'],
    [{ kind: 'cut', after: 5 }, 'abcde', 'fin'],
    [{ kind: 'reset' }, '', 'reset'],
    [{ kind: 'reset', after: 26 }, text, 'open'],
    [{ kind: 'black-hole' }, '', 'open'],
    [{ kind: 'black-hole', after: 3 }, 'abc', 'open'],
    [{ kind: 'half-open', after: 7 }, 'abcdefg', 'open'],
  ])('%j: the client receives %j and then %s', async (fault, received, how) => {
    const { port } = await start(fault);
    const { bytes, end } = await overWire(port, 'hello');
    expect([bytes.toString(), end]).toEqual([received, how]);
    expect(proxy.committed).toEqual(new Map([[fault.kind, 1]]));
  });

  it('half-open: the node loses the client, but the client is not notified', async () => {
    const { port } = await start({ kind: 'half-open', after: 7 });
    const seen = overWire(port, 'hello');
    await expect.poll(() => heard).toBe('hello');
    await expect.poll(() => nodeSockets.size).toBe(0);
    expect((await seen).end).toBe('open');
  });

  it('black-hole: data sent by the client is not read', async () => {
    const { port } = await start({ kind: 'black-hole' });
    await overWire(port, 'hello');
    expect(heard).toBe('');
  });

  it('garble: eight bytes become invalid UTF-8 and the others are unchanged', async () => {
    const { port } = await start({ kind: 'garble', after: 4 });
    const { bytes } = await overWire(port, 'hello');
    expect(bytes.length).toBe(26);
    expect(bytes.toString('latin1').replace(/[\x80-\xff]/g, '?')).toBe('abcd????????mnopqrstuvwxyz');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });

  it('delay and drip: all bytes arrive, late and in small parts', async () => {
    const { port } = await start({ kind: 'delay', ms: 120 }, { kind: 'drip', bytes: 2, everyMs: 10 });
    const late = await overWire(port, 'hello, bye');
    expect(late.bytes.toString()).toBe(text);
    const slow = await overWire(port, 'hello, bye');
    expect([slow.bytes.toString(), slow.reads > 1]).toEqual([text, true]);
    expect(proxy.committed.get('delay')).toBe(1);
  });

  it('down and up: connections end, new ones are refused, and then the same port answers again', async () => {
    const { port } = await start();
    const seen = overWire(port, 'hello');
    await expect.poll(() => heard).toBe('hello');
    await proxy.down();
    expect((await seen).end).toBe('reset');
    expect((await overWire(port, 'hello')).end).toBe('reset');
    await proxy.up();
    expect((await overWire(port, 'bye')).bytes.toString()).toBe(text);
  });
});

describe('random faults', () => {
  const draw = (seed: number): string => {
    const plan = randomFaults({
      seed,
      answer: { rate: 0.5, faults: [{ kind: 'endless' }, { kind: 'replay' }, { kind: 'cut' }] },
      frame: { rate: 0.1, faults: [{ kind: 'drop' }] },
    });
    const answers = Array.from({ length: 400 }, () => plan.answer?.({ path: '/', body: '' })?.kind ?? '-');
    return [...answers, Array.from({ length: 400 }, () => plan.frame?.('')?.kind ?? '-')].join(' ');
  };

  it('a seed: reproduces the same faults, and another seed gives different ones', () => {
    expect(draw(7)).toBe(draw(7));
    expect(draw(7)).not.toBe(draw(8));
    const count = (kind: string): number => draw(7).split(kind).length - 1;
    expect(['endless', 'replay', 'cut'].every((kind) => count(kind) > 40 && count(kind) < 95)).toBe(true);
    expect(count('drop') > 20 && count('drop') < 65).toBe(true);
    expect(randomFaults({ seed: 1 }).stream?.('/x')).toBeUndefined();
  });
});
