import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { rowsOf, rpcBody, rpcPath } from '../recording/rows.js';
import { recordingsFolder } from '../recordings-folder.js';
import { type Devnode, startDevnode } from '../start.js';
import type { Header } from './http/message.js';

const moving = { mode: 'moving', chain: 'chain', speed: 'manual', from: 901900 } as const;
const params = '/sentinel/node/v3/params';
const heightHeader = 'x-cosmos-block-height';

interface Seen {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** Sends a raw request: fetch forbids these headers, and hides the case and order of received headers. */
function send(base: string, path: string, method: string, headers: readonly Header[], body = ''): Promise<Seen> {
  return new Promise((resolve, reject) => {
    // A list of headers is sent verbatim: Node does not add a Host header.
    const host: Header[] = headers.some(([name]) => name === 'Host') ? [] : [['Host', 'node.example']];
    const sent = request(`${base}${path}`, { method, headers: [...host, ...headers].flat() }, (response) => {
      const pairs: Header[] = [];
      const { rawHeaders } = response;
      for (let i = 0; i + 1 < rawHeaders.length; i += 2) pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: pairs, body: text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function timeless(headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name, name === 'Date' || name === 'X-Server-Time' ? '' : value]);
}

const allowHeaders = ({ headers }: Seen): Header[] => headers.filter(([name]) => name.startsWith('Access-Control-'));

describe('CORS of the consensus RPC', () => {
  let devnode: Devnode;
  afterEach(() => devnode.close());

  const rows = rowsOf(recordingsFolder, 'rpc', 'small').filter(({ id }) => id.startsWith('small.cors.'));

  it('enabled for one origin: a moving node answers all twelve recorded rows as recorded, with headers in order', async () => {
    expect(rows).toHaveLength(12);
    devnode = await startDevnode({ ...moving, cors: { rpc: ['https://app.example.org'] } });
    for (const row of rows) {
      const { method, headers } = row.request;
      const seen = await send(devnode.rpc, rpcPath(row), method, headers, rpcBody(row));
      const wanted = row.response;
      expect([row.id, seen.status, timeless(seen.headers), seen.body]).toEqual([
        row.id,
        wanted.status,
        timeless(wanted.headers),
        wanted.body,
      ]);
    }
  });

  it('enabled for every origin: the response does not name an origin', async () => {
    devnode = await startDevnode({ ...moving, cors: { rpc: ['*'] } });
    const seen = await send(devnode.rpc, '/health', 'GET', [['Origin', 'https://any.example']]);
    expect(allowHeaders(seen)).toEqual([['Access-Control-Allow-Origin', '*']]);
  });

  it('disabled: no header, and a preflight runs the method', async () => {
    devnode = await startDevnode(moving);
    const seen = await send(devnode.rpc, '/health', 'OPTIONS', [
      ['Origin', 'https://app.example.org'],
      ['Access-Control-Request-Method', 'GET'],
    ]);
    expect([seen.status, seen.body, allowHeaders(seen)]).toEqual([200, '{"jsonrpc":"2.0","id":-1,"result":{}}', []]);
  });
});

describe('CORS of the gateway', () => {
  let devnode: Devnode;
  afterEach(() => devnode.close());

  const preflight = (method: string, named?: string): Promise<Seen> =>
    send(devnode.rest, params, 'OPTIONS', [
      ['Origin', 'https://app.example.org'],
      ['Access-Control-Request-Method', method],
      ...(named === undefined ? [] : [['Access-Control-Request-Headers', named] as const]),
    ]);

  it('enabled: every origin may read, including errors, and Content-Type is the only allowed header', async () => {
    devnode = await startDevnode({ ...moving, cors: { rest: true } });
    for (const path of [params, '/sentinel/node/v3/none']) {
      const seen = await send(devnode.rest, path, 'GET', [['Origin', 'https://app.example.org']]);
      expect(allowHeaders(seen)).toEqual([['Access-Control-Allow-Origin', '*']]);
    }
    expect(allowHeaders(await send(devnode.rest, params, 'GET', []))).toEqual([]);
    const allowed = await preflight('POST', 'content-type');
    expect([allowed.status, allowHeaders(allowed)]).toEqual([
      200,
      [
        ['Access-Control-Allow-Headers', 'Content-Type'],
        ['Access-Control-Allow-Origin', '*'],
      ],
    ]);
    const refused = [await preflight('GET', heightHeader), await preflight('PUT')];
    expect(refused.map((seen) => [seen.status, allowHeaders(seen)])).toEqual([
      [403, []],
      [405, []],
    ]);
  });

  it('disabled: no header in any response, and a preflight gets "not implemented"', async () => {
    devnode = await startDevnode(moving);
    const seen = await preflight('GET');
    expect([seen.status, allowHeaders(seen)]).toEqual([501, []]);
  });
});
