import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { HubError } from '@hubwatch/client';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint, statusResult } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { selfSigned } from '../../../test/self-signed.js';
import type { EndpointConfig } from '../../config/schema.js';
import { endpointSurface, type SurfaceReading } from './endpoint-surface.js';

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

interface RpcServer {
  readonly url: string;
  /** Every received request: verb, path and body. */
  readonly asked: string[];
}

/** HTTP side of a consensus RPC: its index page, JSON-RPC and the websocket. */
const rpcServer = async (page: string, post: (body: string) => string): Promise<RpcServer> => {
  const asked: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`.trim());
      response.end(request.method === 'POST' ? post(body) : page);
    });
  };
  const server = createServer(answer);
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
};

const pageOf = (...methods: string[]): string =>
  `<html><body><br>Available endpoints:<br>${['status', ...methods]
    .map((method) => `<a href="//rpc.example/${method}?">//rpc.example/${method}?</a></br>`)
    .join('')}</body></html>`;

const look = async (
  addresses: { readonly rpc?: string; readonly rest?: string; readonly grpc?: string },
  fake: FakeEndpoint = fakeEndpoint(['rpc']),
  role: 'own' | 'reference' = 'own',
): Promise<{ reading: SurfaceReading; lines: string[]; states: Record<string, string> }> => {
  const parts = testParts({ own: fake });
  // The timeout uses the real clock, because the servers are real.
  const clock = { ...parts.clock, nowMs: () => Date.now() };
  const endpoint: EndpointConfig = {
    name: 'own',
    role,
    websocket: false,
    naming: 'auto',
    require: { state_depths: [], block_depths: [], tx_depths: [] },
    ...addresses,
  };
  const target = { key: 'own', endpoint };
  const reading = await endpointSurface.collect(target, { ...parts, clock });
  const lines = endpointSurface
    .metrics(target, reading)
    .map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);
  const rules = endpointSurface.rules ?? [];
  const states = Object.fromEntries(rules.map((rule) => [rule.name, rule.judge(target, reading, parts.moment).state]));
  return { reading, lines, states };
};

test('endpoint surface: unsafe methods are found on the index page, without calling them', async () => {
  const open = await rpcServer(pageOf('dial_seeds', 'unsafe_flush_mempool'), () => '{}');
  const { reading, lines, states } = await look({ rpc: open.url });
  expect(reading.exposesUnsafe).toBe(true);
  expect(lines).toContain('hub_endpoint_unsafe_rpc_exposed{own} 1');
  expect(states['HubUnsafeRpcExposed']).toBe('firing');
  expect(open.asked).toEqual(['GET /']);
  const closed = await rpcServer(pageOf('dump_consensus_state'), () => '{}');
  expect((await look({ rpc: closed.url })).states['HubUnsafeRpcExposed']).toBe('ok');
  expect((await look({ rpc: open.url }, undefined, 'reference')).states['HubUnsafeRpcExposed']).toBe('ok');
});

test.each([
  [-32_602, true],
  [-32_601, false],
  [-32_603, undefined],
])(
  'endpoint surface: without the page, code %i of a call with a wrong number of parameters decides',
  async (code, expected) => {
    const proxied = await rpcServer('<html>nothing here</html>', () =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        error: { code, message: 'x', data: 'expected 1 parameters ([seeds]), got 5' },
      }),
    );
    expect((await look({ rpc: proxied.url })).reading.exposesUnsafe).toBe(expected);
    // With one parameter the method would run.
    const posts = proxied.asked.filter((one) => one.startsWith('POST'));
    expect(posts).toHaveLength(1);
    expect(posts[0]).toContain('"method":"dial_seeds","params":["x","y","z","v","w"]');
  },
);

test('endpoint surface: the page of a catch-all proxy, or no response, gives no finding', async () => {
  const proxy = await rpcServer('<html>502</html>', () => '<html>502</html>');
  for (const url of [proxy.url, 'http://127.0.0.1:1']) {
    const { reading, states } = await look({ rpc: url });
    expect(reading.exposesUnsafe).toBeUndefined();
    expect(states['HubUnsafeRpcExposed']).toBe('unknown');
  }
  expect((await look({ rpc: 'http://127.0.0.1:1' })).reading.skewSeconds).toBeUndefined();
});

test('endpoint surface: a local clock 7 minutes fast shows the endpoint 7 minutes behind', async () => {
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() - 420_000).toUTCString());
    response.end(pageOf());
  });
  const { reading } = await look({ rpc: `http://127.0.0.1:${await listen(server)}` });
  expect(Math.abs((reading.skewSeconds ?? 0) + 420)).toBeLessThanOrEqual(1);
});

test('endpoint surface: expiry of the served certificate, regardless of its issuer', async () => {
  const server = createHttpsServer(selfSigned, (_request, response) => response.end(pageOf()));
  const { reading, states } = await look({ rest: `https://127.0.0.1:${await listen(server)}` });
  expect(reading.certificates.get('rest')).toBe(Date.parse(new X509Certificate(selfSigned.cert).validTo));
  expect([states['HubTlsCertificateExpiring'], states['HubTlsCertificateExpiryImminent']]).toEqual(['ok', 'ok']);
  const target = { key: 'own', endpoint: { role: 'own', rest: 'https://a' } } as never;
  const at = (days: number) => {
    const one = { ...reading, certificates: new Map([['rest', reading.atMs + days * 86_400_000]] as const) };
    return (endpointSurface.rules ?? [])
      .filter(({ name }) => name.startsWith('HubTls'))
      .map((rule) => rule.judge(target, one, {} as never).state);
  };
  expect([at(20), at(10), at(2), at(-1)]).toEqual([
    ['ok', 'ok'],
    ['firing', 'ok'],
    ['firing', 'firing'],
    ['firing', 'firing'],
  ]);
  const dead = await look({ rest: 'https://127.0.0.1:1' });
  expect(dead.states['HubTlsCertificateExpiring']).toBe('unknown');
});

test('endpoint surface: capabilities of an endpoint and the lag of its index', async () => {
  const fake = fakeEndpoint(['rpc', 'rest', 'grpc']);
  const refused = (code: 'unimplemented' | 'timeout') => new HubError({ code, message: code, transport: 'grpc' });
  Object.assign(fake.queries, {
    'hub.node.v3.QueryService/QueryParams': {},
    'hub.lease.v1.QueryService/QueryParams': {},
    'hub.oracle.v1.QueryService/QueryParams': refused('unimplemented'),
    'hub.plan.v3.QueryService/QueryPlans': refused('timeout'),
  });
  fake.rpc['status'] = statusResult(5_000n, 0);
  let indexed = 4_999n;
  fake.rpc['block_search'] = ({ query }: { query: string }) => ({
    blocks: [],
    totalCount: BigInt(query.replace('block.height=', '')) <= indexed ? 1n : 0n,
  });
  const server = await rpcServer(pageOf(), () => '{}');
  expect((await look({ rpc: server.url }, fake)).lines.filter((line) => /capability|index/.test(line))).toEqual([
    'hub_endpoint_capability{own,rest} 1',
    'hub_endpoint_capability{own,websocket} 1',
    'hub_endpoint_capability{own,tx_index} 1',
    'hub_endpoint_capability{own,lease_v1} 1',
    'hub_endpoint_capability{own,oracle_v1} 0',
    'hub_endpoint_index_lag_blocks{own} 1',
  ]);
  indexed = 4_950n;
  expect((await look({ rpc: server.url }, fake)).reading.indexLag).toBe(100n);
  indexed = 1n;
  expect((await look({ rpc: server.url }, fake)).reading.indexLag).toBeUndefined();
  const status = statusResult(5_000n, 0);
  fake.rpc['status'] = { ...status, nodeInfo: { ...status.nodeInfo, txIndex: 'off' } };
  expect((await look({ rpc: server.url }, fake)).lines).toContain('hub_endpoint_capability{own,tx_index} 0');
});

test.each([
  [undefined, 'own', 'unknown', ''],
  [3, 'own', 'ok', ''],
  [3.5, 'own', 'firing', "own: its clock is 4 s ahead of this machine's"],
  [-90, 'own', 'firing', "own: its clock is 1 min 30 s behind this machine's"],
  [500, 'reference', 'ok', ''],
] as const)(
  'endpoint surface: clock offset of %s s at an endpoint with role %s: %s',
  (skewSeconds, role, state, title) => {
    const rule = endpointSurface.rules?.find(({ name }) => name === 'HubClockSkew');
    const verdict = rule?.judge(
      { key: 'own', endpoint: { role } } as never,
      { skewSeconds, capabilities: new Map() } as never,
      {} as never,
    );
    expect(verdict?.state).toBe(state);
    expect(verdict?.title).toContain(title);
  },
);

test.each([
  [[], false, 'ok'],
  [[100], undefined, 'unknown'],
  [[100], true, 'ok'],
  [[100], false, 'firing'],
] as const)('endpoint surface: transactions required at %j, index %s: %s', (tx_depths, has, state) => {
  const rule = endpointSurface.rules?.find(({ name }) => name === 'HubTxIndexOff');
  const capabilities = new Map(has === undefined ? [] : [['tx_index', has]]);
  const endpoint = { require: { tx_depths } };
  expect(rule?.judge({ key: 'own', endpoint } as never, { capabilities } as never, {} as never).state).toBe(state);
});

test('endpoint surface: an index that is reported as on but answers no search does not count as an index', async () => {
  const fake = fakeEndpoint(['rpc']);
  fake.rpc['status'] = statusResult(905_000n, 1_800_000_000_000);
  fake.rpc['block_search'] = new HubError({ code: 'unimplemented', message: 'sink', transport: 'rpc' });
  const { reading } = await look({}, fake);
  expect([reading.capabilities.get('tx_index'), reading.indexLag]).toEqual([false, undefined]);
});

test('endpoint surface: a server without reflection and a port without a response are distinguished', async () => {
  const http2 = await import('node:http2');
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12', 'grpc-message': 'unknown service' },
      { endStream: true },
    );
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  onTestFinished(() => {
    server.close();
  });
  const reflection = async (address: string) =>
    (await look({ grpc: address }, fakeEndpoint(['grpc']))).reading.capabilities.get('grpc_reflection');
  expect(await reflection(`127.0.0.1:${port}`)).toBe(false);
  expect(await reflection('127.0.0.1:1')).toBeUndefined();
});
