import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { afterEach, describe, expect, it } from 'vitest';
import { getNothing, getThing } from '../../test/methods.js';
import { seededRandom } from '../../test/seeded-random.js';
import { startHttp } from '../../test/servers.js';
import { HubError } from '../error.js';
import { publicNaming } from '../naming/public.js';
import type { Transport } from '../transport.js';
import { createAbciTransport } from './transport.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

async function transportTo(answer: (params: unknown) => Record<string, unknown>): Promise<Transport<'abci'>> {
  const server = await startHttp((_, body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: unknown };
    const value = {
      code: 0,
      log: '',
      info: '',
      index: '0',
      key: null,
      value: null,
      proofOps: null,
      height: '0',
      codespace: '',
    };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { response: { ...value, ...answer(params) } } }));
  });
  closing.push(server);
  return createAbciTransport({ address: server.url, naming: publicNaming });
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof HubError ? error.code : error),
  );

describe('abci transport', () => {
  it('a call: sends path, hex data and height; returns object and height', async () => {
    const seen: unknown[] = [];
    const value = Buffer.from(encodeBinary(getThing.response, { id: 7n })).toString('base64');
    const transport = await transportTo((params) => {
      seen.push(params);
      return { value, height: '901900' };
    });
    expect(await transport.call(getThing, { id: 5n }, { height: 901900n })).toEqual({
      message: { id: 7n, at: undefined },
      height: 901900n,
    });
    await transport.call(getThing, {});
    const path = publicNaming.typeToWire('/hub.test.v1.QueryService/GetThing');
    expect(seen).toEqual([
      { path, data: '0805', height: '901900' },
      { path, data: '' },
    ]);
  });

  it('an empty value: gives the default object; height 0 means no height', async () => {
    const transport = await transportTo(() => ({}));
    expect(await transport.call(getThing, {})).toEqual({ message: { id: 0n, at: undefined }, height: undefined });
  });

  it.each<[number, string, string]>([
    [22, 'rpc error: code = NotFound desc = lease 9 does not exist: key not found', 'not_found'],
    [18, 'rpc error: code = InvalidArgument desc = invalid address : invalid request', 'invalid_argument'],
    [6, 'rpc error: code = Unimplemented desc = : unknown request', 'unimplemented'],
    [6, 'unknown query path: unknown request', 'unimplemented'],
    [6, 'rpc error: code = Internal desc = boom: unknown request', 'internal'],
    [
      18,
      'failed to load state at height 902000; version does not exist (latest height: 905000): invalid request',
      'height_not_retained',
    ],
    [
      18,
      'failed to load state at height 5; no commit info found (latest height: 905000): invalid request',
      'height_never_existed',
    ],
    [26, 'cannot query with height in the future; please provide a valid height: invalid height', 'height_in_future'],
    [38, 'something: not found', 'height_not_retained'],
    [18, 'a plain error: invalid request', 'unknown'],
    [111222, 'panic', 'internal'],
  ])('application code %i, %s: %s', async (code, log, expected) => {
    const transport = await transportTo(() => ({ code, log, codespace: 'sdk' }));
    expect(await codeOf(transport.call(getThing, {}))).toBe(expected);
  });

  it('bytes that do not decode: fail with decode', async () => {
    const transport = await transportTo(() => ({ value: 'CIA=' }));
    expect(await codeOf(transport.call(getThing, {}))).toBe('decode');
  });

  it('a method that is not served: fails with not_served', async () => {
    const transport = await transportTo(() => ({}));
    expect(await codeOf(transport.call(getNothing, {} as never))).toBe('not_served');
  });

  it.each([1, 2, 3])('mutated responses, seed %i: each is read or fails with a HubError', async (seed) => {
    const random = seededRandom(seed);
    const below = (many: number): number => Math.floor(random() * many);
    const value = Buffer.from(encodeBinary(getThing.response, { id: 7n, at: { seconds: 9n, nanos: 8 } }));
    const answers = [
      { code: 0, log: '', info: '', index: '0', key: null, value: value.toString('base64'), height: '901900' },
      { code: 18, log: 'rpc error: code = NotFound desc = lease 9', codespace: 'sdk', value: null, height: '901900' },
    ];
    const pieces = [
      '',
      'null',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '-1',
      '1e999',
      '18446744073709551616',
      '\\ud800',
      '=',
      '\0',
    ];
    const mutant = (text: string): string => {
      const at = below(text.length);
      const end = at + below(random() < 0.2 ? text.length : 4);
      return `${text.slice(0, at)}${pieces[below(pieces.length)]}${text.slice(end)}`;
    };
    const server = await startHttp((_, body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: { response: answers[below(2)] } });
      response.end(random() < 0.5 ? mutant(text) : mutant(mutant(text)));
    });
    closing.push(server);
    const transport = createAbciTransport({ address: server.url, naming: publicNaming });
    const codes = new Set<unknown>();
    for (let run = 0; run < 300; run++) codes.add(await codeOf(transport.call(getThing, {})));
    expect([...codes].filter((code) => typeof code !== 'string')).toEqual([]);
    expect(codes).toContain('ok');
    expect(codes).toContain('decode');
  });
});
