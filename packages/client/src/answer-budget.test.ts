import { expect, test } from 'vitest';
import { startGrpc, startHttp } from '../test/servers.js';
import { getThing } from '../test/methods.js';
import { AnswerBudget } from './answer-budget.js';
import { HubError } from './error.js';
import { createGrpcTransport } from './grpc/transport.js';
import { publicNaming as naming } from './naming/public.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';

test('answer budget: ends the response that used the largest part of its own limit', () => {
  const budget = new AnswerBudget(100);
  const ended: string[] = [];
  const small = budget.open(1_000, () => ended.push('small'));
  const large = budget.open(80, () => ended.push('large'));
  expect([small.add(50), large.add(50), ended]).toEqual([undefined, undefined, []]);
  expect(small.add(10)).toBeUndefined();
  expect(ended).toEqual(['large']);
  expect(budget.usedBytes).toBe(60);
  small.free();
  expect(budget.usedBytes).toBe(0);
});

test('answer budget: ends a response over its own limit, or alone over the budget, with the reason', () => {
  const budget = new AnswerBudget(100);
  expect(budget.open(10, () => undefined).add(11)).toContain('larger than the limit of 10 bytes');
  expect(budget.open(1_000, () => undefined).add(101)).toContain('the 100 bytes that all answers share');
  expect(budget.usedBytes).toBe(0);
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );

test('answer budget: endless responses on all transports share it, and other responses are not affected', async () => {
  const budget = new AnswerBudget(1 << 20);
  let mostBytes = 0;
  const open = budget.open.bind(budget);
  budget.open = (...args) => {
    const held = open(...args);
    return {
      ...held,
      add: (bytes) => {
        const reason = held.add(bytes);
        mostBytes = Math.max(mostBytes, budget.usedBytes);
        return reason;
      },
    };
  };
  const part = Buffer.alloc(1 << 14, ' ');
  const endless = await startHttp((_request, _body, response) => {
    response.on('error', () => undefined);
    response.write('{');
    const more = (): void => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', more);
    more();
  });
  const html = await startHttp((_request, _body, response) => response.end(`<html>${'x'.repeat(200_000)}</html>`));
  const moved = await startHttp((_request, _body, response) => response.writeHead(302, { location: '/' }).end());
  const nan = await startHttp((_request, _body, response) => response.end('{"id": NaN}'));
  const good = await startHttp((_request, _body, response) => response.end('{"id":"7"}'));
  const huge = Buffer.concat([Buffer.from([0, 0, 0x0f, 0xff, 0xff]), Buffer.alloc(0xfffff)]);
  const grpc = await startGrpc(() => ({ body: huge }));
  const at = { naming, budget, timeoutMs: 20_000 };
  const transport = createGrpcTransport({ ...at, address: grpc.address });
  const rest = ({ url }: { url: string }) => createRestTransport({ ...at, address: url }).call(getThing, { id: 1n });
  try {
    const codes = await Promise.all([
      ...Array.from({ length: 4 }, () => codeOf(rest(endless))),
      ...Array.from({ length: 2 }, () => codeOf(createRpcClient({ ...at, address: endless.url }).call('status'))),
      codeOf(transport.call(getThing, {})),
      codeOf(rest(html)),
      codeOf(rest(moved)),
      codeOf(rest(nan)),
      codeOf(rest(good)),
    ]);
    expect(codes.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'limit'));
    expect(['limit', 'decode']).toContain(codes[6]);
    expect(codes.slice(7)).toEqual(['http', 'http', 'decode', 'ok']);
    expect(mostBytes).toBeLessThanOrEqual(budget.maxBytes);
    expect(mostBytes).toBeGreaterThan(budget.maxBytes / 2);
    expect(budget.usedBytes).toBe(0);
  } finally {
    await transport.close();
    await Promise.all([endless, html, moved, nan, good, grpc].map((server) => server.close()));
  }
});
