import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { getThing } from '../../test/methods.js';
import { type HttpHandler, startHttp } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming as naming } from '../naming/public.js';
import { createRestTransport } from '../rest/transport.js';
import { createRpcClient } from '../rpc/transport.js';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const maxBytes = 65_536;

async function failureOf(handle: HttpHandler, over: 'rest' | 'rpc' = 'rest'): Promise<HubError> {
  const server = await startHttp(handle);
  open.push(server);
  const at = { address: server.url, naming, maxBytes, timeoutMs: 20_000 };
  const call =
    over === 'rest' ? createRestTransport(at).call(getThing, { id: 1n }) : createRpcClient(at).call('status');
  const failure = await (call as Promise<unknown>).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof HubError) return failure;
  throw new Error(`a HubError is expected, not ${String(failure)}`);
}

/** Writes as fast as the reader consumes. */
function endless(response: ServerResponse, begin: string): void {
  const part = Buffer.alloc(1 << 14, ' ');
  response.on('error', () => undefined);
  response.write(begin);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more);
  more();
}

test.each([
  ['spaces', '', 'limit'],
  ['an object', '{', 'limit'],
  ['a page', '<html>', 'http'],
  ['a page behind spaces', ' \r\n\t<html>', 'http'],
])('endless response: %s', async (_, begin, code) => {
  expect(await failureOf((_request, _body, response) => endless(response, begin))).toMatchObject({ code });
});

test('response that announces more than the limit: aborted at its first byte', async () => {
  const failure = await failureOf((_request, _body, response) => {
    // Nothing follows: waiting for the rest would end with `timeout`.
    response.writeHead(200, { 'content-length': maxBytes + 1 }).write('{');
  });
  expect(failure).toMatchObject({ code: 'limit', raw: { httpStatus: 200 } });
  expect(failure.message).toContain(`larger than the limit of ${maxBytes} bytes: ${maxBytes + 1}`);
});

test('response of exactly the limit, in two chunks that split a character: read', async () => {
  const body = Buffer.from(`{"id":"7","name":"${'€'.repeat(20)}"}`);
  const whole = Buffer.concat([body, Buffer.alloc(maxBytes - body.length, ' ')]);
  const cut = body.indexOf('€') + 1;
  const server = await startHttp((_request, _body, response) => {
    response.write(whole.subarray(0, cut), () => setImmediate(() => response.end(whole.subarray(cut))));
  });
  open.push(server);
  const rest = createRestTransport({ address: server.url, naming, maxBytes });
  expect(await rest.call(getThing, { id: 1n })).toMatchObject({ message: { id: 7n } });
});

test.each(['rest', 'rpc'] as const)(
  '%s: a response that nests too deeply is refused before it is parsed',
  async (over) => {
    const failure = await failureOf((_request, _body, response) => {
      response.end(`{"result":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    }, over);
    expect(failure.code).toBe(over === 'rest' ? 'decode' : 'http');
    expect(failure.message).toContain(over === 'rest' ? 'nests too deep' : 'without a JSON-RPC answer');
  },
);

test.each<['rest' | 'rpc', (text: string) => object]>([
  ['rest', (message) => ({ code: 2, message, details: [] })],
  ['rpc', (data) => ({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'x', data } })],
])('%s: a long text from a node is truncated after its beginning', async (over, answerWith) => {
  const text = 'message larger than '.repeat(3_000);
  const failure = await failureOf((_request, _body, response) => {
    response.writeHead(over === 'rest' ? 500 : 200).end(JSON.stringify(answerWith(text)));
  }, over);
  expect(failure.raw.text).toBe(text.slice(0, 4_096));
});
