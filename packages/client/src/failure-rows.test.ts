// Meaning of individual texts, headers and codes, the same over every transport that can carry them.
import { afterEach, describe, expect, it, test } from 'vitest';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { getThing } from '../test/methods.js';
import { startGrpc, startHttp } from '../test/servers.js';
import { createAbciTransport } from './abci/transport.js';
import { submit } from './broadcast/submit.js';
import { HubError } from './error.js';
import { createGrpcTransport } from './grpc/transport.js';
import { readHeightRefusal } from './height-refusal.js';
import { publicNaming as naming } from './naming/public.js';
import { networkFailure } from './network-error.js';
import { createRestTransport } from './rest/transport.js';
import { createRpcClient } from './rpc/transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );

/** Codes of a refusal with this text over gRPC, REST, abci and rpc. */
async function codesOf(text: string, status = 2): Promise<Record<string, string>> {
  const grpc = await startGrpc(() => ({ status, text }));
  const rest = await startHttp((_request, _body, response) =>
    response.writeHead(500).end(JSON.stringify({ code: status, message: text, details: [] })),
  );
  const rpc = await startHttp((_request, body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const error = { code: -32603, message: 'Internal error', data: text };
    const result = { response: { code: 18, codespace: 'sdk', log: text, height: '0' } };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'abci_query' ? { result } : { error }) }));
  });
  const transport = createGrpcTransport({ address: grpc.address, naming });
  closing.push(grpc, rest, rpc, transport);
  const at = { address: rpc.url, naming };
  return {
    grpc: await codeOf(transport.call(getThing, {})),
    rest: await codeOf(createRestTransport({ address: rest.url, naming }).call(getThing, { id: 1n })),
    abci: await codeOf(createAbciTransport(at).call(getThing, {})),
    rpc: await codeOf(createRpcClient(at).call('status')),
  };
}

describe('texts of the node', () => {
  it.each([
    ['no query handler found for /sentinel.x.v1.Query/Y', 'unimplemented'],
    [
      'rpc error: code = Unknown desc = {"code":-32603,"message":"Internal error","data":"no query handler found for /sentinel.session.v2.QueryService/QuerySessions"}',
      'unimplemented',
    ],
  ])('%s: %s over every transport', async (text, code) => {
    expect(await codesOf(text)).toEqual({ grpc: code, rest: code, abci: code, rpc: code });
  });

  it.each([
    ['account sequence mismatch, expected 5, got 4: incorrect account sequence', 'wrong_sequence'],
    ['spendable balance 0udvpn is smaller than 5udvpn: insufficient funds', 'insufficient_funds'],
  ])('%s: %s over every query transport', async (text, code) => {
    expect(await codesOf(text)).toMatchObject({ grpc: code, rest: code, abci: code });
  });

  it.each([
    [32, 'sdk', 'account sequence mismatch, expected 5, got 4', 'wrong_sequence'],
    [5, 'sdk', 'insufficient funds', 'insufficient_funds'],
    [13, 'sdk', 'insufficient fee', 'unknown'],
    [5, 'other', 'anything', 'unknown'],
  ])('CheckTx with code %i of %s: %s is %s', async (code, codespace, log, reason) => {
    const server = await startHttp((_request, body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { code, codespace, log, data: '', hash: 'AB' } }));
    });
    closing.push(server);
    const submission = await submit(createRpcClient({ address: server.url, naming }), Uint8Array.of(1), 'sync', {});
    expect(submission).toEqual({ kind: 'rejected', reason, code, codespace, log });
  });

  it.each([
    ['failed to load state at height 905000; version does not exist (latest height: 905000)', 'height_in_future'],
    ['failed to load state at height 905001; version does not exist (latest height: 905000)', 'height_in_future'],
    ['failed to load state at height 904999; version does not exist (latest height: 905000)', 'height_not_retained'],
  ])('%s: %s', (text, code) => {
    expect(readHeightRefusal(text)?.code).toBe(code);
  });
});

describe('heights of responses', () => {
  const plain = naming.headerToWire('x-stack-block-height');
  const message = encodeBinary(getThing.response, { id: 7n });

  it.each([
    [{ [plain]: '79' }, 79n],
    [{ [`grpc-metadata-${plain}`]: '80', [plain]: '79' }, 80n],
    [{ [plain]: '9223372036854775808' }, undefined],
    [{ [plain]: '-1' }, undefined],
    [{}, undefined],
  ])('REST with the headers %j: %s', async (headers, height) => {
    const server = await startHttp((_request, _body, response) => response.writeHead(200, headers).end('{"id":"7"}'));
    closing.push(server);
    const answer = await createRestTransport({ address: server.url, naming }).call(getThing, { id: 1n });
    expect(answer.height).toBe(height);
  });

  it('gRPC with the height in the trailers only: read', async () => {
    const server = await startGrpc(() => ({ message, trailers: { [plain]: '78' } }));
    const transport = createGrpcTransport({ address: server.address, naming });
    closing.push(server, transport);
    expect((await transport.call(getThing, {})).height).toBe(78n);
  });
});

describe('hashes as parameters', () => {
  it.each(['tx', 'block_by_hash', 'header_by_hash'] as const)(
    '%s: bytes and hex text give the same result',
    async (method) => {
      const seen: unknown[] = [];
      const server = await startHttp((_request, body, response) => {
        seen.push((JSON.parse(body) as { params: unknown }).params);
        response.end('{}');
      });
      closing.push(server);
      const client = createRpcClient({ address: server.url, naming });
      for (const hash of [Uint8Array.of(0xab, 0x01), 'ab01', 'AB01', '0xab01'])
        await codeOf(client.call(method, { hash }));
      expect(new Set(seen.map((params) => JSON.stringify(params))).size).toBe(1);
      expect(seen).toHaveLength(4);
      expect(await codeOf(client.call(method, { hash: 'xyz' }))).toBe('invalid_argument');
    },
  );
});

const ofCode = (code: string, cause?: unknown): Error => Object.assign(new Error(code, { cause }), { code });

test.each([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['ESERVFAIL', 'unavailable'],
  ['ETIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'limit'],
  ['HPE_HEADER_OVERFLOW', 'limit'],
  ['HPE_INVALID_CONSTANT', 'http'],
  ['HPE_INVALID_EOF_STATE', 'unavailable'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_HTTP2_ERROR', 'http'],
  ['WS_ERR_INVALID_UTF8', 'decode'],
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'limit'],
  ['Z_DATA_ERROR', 'decode'],
  ['ERR__ERROR_FORMAT_PADDING_1', 'decode'],
  ['ERR_BROTLI_DECODER_ERROR_UNREACHABLE', 'decode'],
  ['SOMETHING_ELSE', 'unavailable'],
])('failure table: %s is %s, also as a cause', (platform, code) => {
  expect(networkFailure(ofCode(platform)).code).toBe(code);
  expect(networkFailure(new TypeError('fetch failed', { cause: ofCode(platform) })).code).toBe(code);
});

test('failure table: with several addresses, another failure takes precedence over a refusal', () => {
  const failed = new AggregateError([ofCode('ECONNREFUSED'), ofCode('ETIMEDOUT')]);
  expect(networkFailure(new TypeError('fetch failed', { cause: failed }))).toEqual({
    code: 'timeout',
    text: 'ECONNREFUSED; ETIMEDOUT',
  });
  expect(networkFailure(new AggregateError([ofCode('ECONNREFUSED'), ofCode('ECONNREFUSED')])).code).toBe('refused');
});
