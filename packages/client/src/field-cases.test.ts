import { encodeBinary } from '@hubwatch/types/runtime/binary';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { getThing } from '../test/methods.js';
import { startGrpc, startHttp } from '../test/servers.js';
import { createAbciTransport } from './abci/transport.js';
import { HubError } from './error.js';
import { createGrpcTransport } from './grpc/transport.js';
import { readHeightRefusal } from './height-refusal.js';
import { publicNaming } from './naming/public.js';
import { createRestTransport } from './rest/transport.js';
import type { Transport } from './transport.js';

// Cases that operators of such nodes reported. Cases about pages are next to pages.ts.

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});

type RestAnswer = { readonly status?: number; readonly body: string; readonly headers?: Record<string, string> };

async function restTo(answer: (path: string) => RestAnswer): Promise<Transport<'rest'>> {
  const server = await startHttp((request, _, response) => {
    const { status = 200, body, headers } = answer(request.url ?? '');
    response.writeHead(status, headers).end(body);
  });
  closing.push(server);
  return createRestTransport({ address: server.url, naming: publicNaming });
}

const failure = (call: Promise<unknown>): Promise<HubError> =>
  call.then(
    () => expect.unreachable('the call is refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(HubError);
      return error as HubError;
    },
  );

describe('field cases of calls', () => {
  it('501 on one route: unimplemented and not retryable, while other routes respond', async () => {
    const rest = await restTo((path) =>
      path.includes('/5')
        ? { status: 501, body: '{"code":12,"message":"Not Implemented","details":[]}' }
        : { body: '{"id":"6"}' },
    );
    const refused = await failure(rest.call(getThing, { id: 5n }));
    expect([refused.code, refused.retryable, refused.raw.httpStatus]).toEqual(['unimplemented', false, 501]);
    expect((await rest.call(getThing, { id: 6n })).message.id).toBe(6n);
  });

  it.each([
    [200, 'text/html', 'http'],
    [502, 'text/html', 'unavailable'],
    [200, 'application/json', 'http'],
  ])('HTML page with status %i as %s: %s, with a short excerpt', async (status, type, code) => {
    const page = `<html>${'x'.repeat(5_000)}</html>`;
    const rest = await restTo(() => ({ status, body: page, headers: { 'content-type': type } }));
    const error = await failure(rest.call(getThing, { id: 5n }));
    expect(error.code).toBe(code);
    expect(error.message.length).toBeLessThan(300);
    expect(error.raw.text?.length).toBeLessThanOrEqual(500);
  });

  it.each([
    ['as the gateway writes it', publicNaming.headerToWire('grpc-metadata-x-stack-block-height'), '901900', 901900n],
    ['in capitals', publicNaming.headerToWire('grpc-metadata-x-stack-block-height').toUpperCase(), '901900', 901900n],
    ['no number', publicNaming.headerToWire('grpc-metadata-x-stack-block-height'), '90x', undefined],
    ['taken away by a proxy', 'x-other', '901900', undefined],
  ])('height header %s: the height, or unknown', async (_, name, value, height) => {
    const rest = await restTo(() => ({ body: '{"id":"6"}', headers: { [name]: value } }));
    expect((await rest.call(getThing, { id: 6n })).height).toBe(height);
  });

  it('slow read of a past height: has its own timeout, and live reads continue meanwhile', async () => {
    const height = publicNaming.headerToWire('x-stack-block-height');
    const server = await startHttp((request, _, response) => {
      // The request for the past height never gets a response.
      if (!(height in request.headers)) response.end('{"id":"6"}');
    });
    closing.push(server);
    const rest = createRestTransport({ address: server.url, naming: publicNaming, timeoutMs: 60_000 });
    const past = failure(rest.call(getThing, { id: 1n }, { height: 901_900n, timeoutMs: 300 }));
    for (let poll = 0; poll < 20; poll++) expect((await rest.call(getThing, { id: 6n })).message.id).toBe(6n);
    expect((await past).code).toBe('timeout');
  });

  it('invalid heights: refused before sending, on every transport', async () => {
    const asked: unknown[] = [];
    const grpc = await startGrpc((call) => {
      asked.push(call);
      return { message: encodeBinary(getThing.response, {}) };
    });
    const http = await startHttp((request, _, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    const transports = [
      createGrpcTransport({ address: grpc.address, naming: publicNaming }),
      createRestTransport({ address: http.url, naming: publicNaming }),
      createAbciTransport({ address: http.url, naming: publicNaming }),
    ];
    closing.push(grpc, http, ...transports);
    const none = fc.oneof(
      fc.bigInt({ max: -1n }),
      fc.bigInt({ min: 2n ** 63n }),
      fc.oneof(fc.string(), fc.double(), fc.constant(null)).map((value) => value as unknown as bigint),
    );
    await fc.assert(
      fc.asyncProperty(none, fc.constantFrom(...transports), async (height, transport) => {
        expect((await failure(transport.call(getThing, { id: 1n }, { height }))).code).toBe('invalid_argument');
      }),
    );
    expect(asked).toEqual([]);
  });

  it.each([
    ['codespace sdk code 26: invalid height: Hub is not ready; please wait for first block', 'starting'],
    [
      'codespace sdk code 18: invalid request: failed to load state at height 0; no commit info found (latest height: 0)',
      'starting',
    ],
  ])('response %s: the node is starting; the state is neither pruned nor missing', (text, code) => {
    expect(readHeightRefusal(text)?.code).toBe(code);
  });

  it.each([
    ['height 902000 is not available, lowest height is 905500', { code: 'height_not_retained', lowestHeight: 905500n }],
    ['height 901801 is not available, lowest height is 905500', { code: 'height_not_retained', lowestHeight: 905500n }],
    [
      'height 901800 is not available, lowest height is 905500',
      { code: 'height_never_existed', lowestHeight: 905500n },
    ],
    [
      'height 906001 must be less than or equal to the current blockchain height 906000',
      { code: 'height_in_future', latestHeight: 906000n },
    ],
  ])('refused block %s: the code, with the height from the text', (text, refusal) => {
    expect(readHeightRefusal(text)).toMatchObject(refusal);
  });

  it.each([
    'failed to load state at height 902000; version does not exist (latest height: 904999)',
    'failed to load state at height 902000; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: 904999)',
  ])('pruned state %s: not retained, with the latest height', (text) => {
    expect(readHeightRefusal(text)).toEqual({ code: 'height_not_retained', latestHeight: 904999n });
  });
});
