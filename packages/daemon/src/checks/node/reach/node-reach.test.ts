import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fakeEndpoint } from '../../../../test/fake-endpoint.js';
import { nodeAddress, nodeAddressOf, testConfig, testParts } from '../../../../test/parts.js';
import { selfSigned } from '../../../../test/self-signed.js';
import { verdictsOf, viewOf } from '../../../../test/rule-view.js';
import { nodeIdentityMismatch, nodeUnreachable } from '../../../rules/node/node-reach-rules.js';
import { parseNodeInfo } from './node-info.js';
import { nodeReach } from './node-reach.js';
import { probeAddress, type ProbeOptions } from './probe-address.js';
import { isPublicAddress } from './public-address.js';
import { parseRemoteAddress } from './remote-address.js';

const listening = async (server: Server, host = '127.0.0.1', port = 0): Promise<number> => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket.on('error', () => undefined));
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
};

/** A node that responds over TLS with a self-signed certificate. */
const nodeServer = async (body: string, host?: string) => {
  const seen: string[] = [];
  const server = createServer(selfSigned, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.end(body);
  });
  return { port: await listening(server, host), seen };
};

const infoOf = (address: string, more: object = {}): string =>
  JSON.stringify({ success: true, result: { addr: address, downlink: '1000', uplink: '2000', ...more } });

const options = (more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  timeoutMs: 5_000,
  allowPrivate: true,
  signal: new AbortController().signal,
  ...more,
});

test.each<[string, ReturnType<typeof parseRemoteAddress>]>([
  ['203.0.113.1:8585', { host: '203.0.113.1', port: 8_585 }],
  ['[2001:db8::1]:8585', { host: '2001:db8::1', port: 8_585 }],
  ['node.example:443', { host: 'node.example', port: 443 }],
  ['https://node.example:443/', { host: 'node.example', port: 443 }],
  ['2001:db8::1', undefined],
  ['2001:db8::1:8585', undefined],
  ['[2001:db8::zz]:8585', undefined],
  ['node.example', undefined],
  ['node.example:0', undefined],
  ['node.example:65536', undefined],
  ['user@node.example:1', undefined],
  ['node.example:1/../x', undefined],
  ['a b:1', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('remote address: %j', (text, parsed) => {
  expect(parseRemoteAddress(text)).toEqual(parsed);
});

test.each<[string, boolean]>([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
  ].map((ip): [string, boolean] => [ip, false]),
])('public address: %s is %s', (ip, expected) => {
  expect(isPublicAddress(ip)).toBe(expected);
});

test('reach: one responding address family is enough, and an unreachable one tried first uses only its share of the time', async () => {
  const { port, seen } = await nodeServer(infoOf(nodeAddress));
  const lookup = (): Promise<{ address: string }[]> =>
    Promise.resolve([{ address: '::1' }, { address: '127.0.0.9' }, { address: '127.0.0.1' }]);
  const outcome = await probeAddress(`node.example:${port}`, options({ lookup }));
  expect(outcome).toMatchObject({ state: 'reached', info: { address: nodeAddress } });
  expect(seen).toEqual([`GET / node.example:${port}`]);
  const silent = createTcpServer();
  await listening(silent, '127.0.0.9', port);
  const late = await probeAddress(`node.example:${port}`, options({ lookup, timeoutMs: 3_000 }));
  expect(late).toMatchObject({ state: 'reached', info: { address: nodeAddress } });
  const onlyV6 = () => Promise.resolve([{ address: '::1' }]);
  expect(await probeAddress(`node.example:${port}`, options({ lookup: onlyV6 }))).toMatchObject({ state: 'failed' });
});

test('reach: the certificate expiry is reported only if an authority verifies the certificate', async () => {
  const { port } = await nodeServer(infoOf(nodeAddress));
  expect(await probeAddress(`127.0.0.1:${port}`, options())).toMatchObject({ state: 'reached', notAfterMs: undefined });
  const vouched = await probeAddress(`127.0.0.1:${port}`, options({ ca: selfSigned.cert }));
  expect(vouched.state === 'reached' && vouched.notAfterMs).toBeGreaterThan(Date.now());
  const lookup = () => Promise.resolve([{ address: '127.0.0.1' }]);
  const otherName = await probeAddress(`other.example:${port}`, options({ ca: selfSigned.cert, lookup }));
  expect(otherName).toMatchObject({ state: 'reached', notAfterMs: undefined });
});

test('reach: failure reasons: refused, no TLS, no response, no name, private, invalid', async () => {
  const closed = createTcpServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port: refused } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const plain = await listening(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
  const silent = await listening(createTcpServer());
  const reason = async (address: string, more: Partial<ProbeOptions> = {}) => {
    const outcome = await probeAddress(address, options(more));
    return outcome.state === 'failed' ? outcome.reason : outcome.state;
  };
  expect(await reason(`127.0.0.1:${refused}`)).toBe('refused');
  expect(await reason(`127.0.0.1:${plain}`)).toBe('tls');
  expect(await reason(`127.0.0.1:${silent}`, { timeoutMs: 200 })).toBe('timeout');
  expect(await reason('node.invalid:1', { lookup: () => Promise.reject(new Error('ENOTFOUND')) })).toBe('dns');
  expect(await reason('node.example:1', { timeoutMs: 200, lookup: () => new Promise(() => undefined) })).toBe(
    'timeout',
  );
  expect(await reason('2001:db8::1')).toBe('invalid');
});

test('reach: no connection to a private address unless allowed, regardless of the name that resolves to it', async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await listening(server);
  const lookup = () => Promise.resolve([{ address: '127.0.0.1' }, { address: '::ffff:127.0.0.1' }]);
  for (const address of [`127.0.0.1:${port}`, `[::ffff:127.0.0.1]:${port}`, `node.example:${port}`]) {
    const outcome = await probeAddress(address, options({ allowPrivate: false, lookup }));
    expect(outcome, address).toMatchObject({ state: 'failed', reason: 'private' });
  }
  expect(connections).toBe(0);
});

test('reach: an endless response is cut off, and a response that is not from a node gives no information', async () => {
  const endless = await nodeServer('x'.repeat(1_000_000));
  expect(await probeAddress(`127.0.0.1:${endless.port}`, options())).toMatchObject({
    state: 'reached',
    info: undefined,
  });
  const page = await nodeServer('<html>');
  expect(await probeAddress(`127.0.0.1:${page.port}`, options())).toMatchObject({ state: 'reached', info: undefined });
});

const other = nodeAddressOf(7);

test.each<[string, string, ReturnType<typeof parseNodeInfo>]>([
  ['facts under result, speeds as text', infoOf(nodeAddress), { address: nodeAddress, isSpeedZero: false }],
  [
    'older facts',
    JSON.stringify({ result: { address: other, bandwidth: { download: 0, upload: 5 } } }),
    { address: other, isSpeedZero: true },
  ],
  ['facts at the top', JSON.stringify({ node_address: other }), { address: other, isSpeedZero: undefined }],
  ['an error as text', JSON.stringify({ success: false, error: 'no' }), { address: undefined, isSpeedZero: undefined }],
  [
    'an error as an object',
    JSON.stringify({ error: { code: 1 }, result: null }),
    { address: undefined, isSpeedZero: undefined },
  ],
  [
    'an address that is none',
    JSON.stringify({ result: { addr: 'sentnode1<script>' } }),
    { address: undefined, isSpeedZero: undefined },
  ],
  ['a number', '5', { address: undefined, isSpeedZero: undefined }],
  ['no JSON', '<html>', undefined],
])('node info: %s', (_case, body, expected) => {
  expect(parseNodeInfo(body)).toEqual(expected);
});

const reached = async (body: string, addresses?: (port: number) => string[]) => {
  const { port } = await nodeServer(body);
  const fake = fakeEndpoint();
  const remoteAddrs = addresses?.(port) ?? [`127.0.0.1:${port}`];
  fake.queries['hub.node.v3.QueryService/QueryNode'] = { node: { remoteAddrs } };
  const parts = testParts({ own: fake });
  const watch = { ...parts.config.watch, reach: { enabled: true, every: 1, timeout: 5_000, private: true } };
  const config = { ...parts.config, watch };
  const [target] = nodeReach.targets(config);
  if (target === undefined) throw new Error('no target');
  const reading = await nodeReach.collect(target, { ...parts, config });
  const samples = nodeReach
    .metrics(target, reading)
    .map(({ family, labels, value }) => `${[family.name.slice(9), ...labels.slice(1)].join(' ')} ${value}`);
  const verdict = (rule: typeof nodeUnreachable) =>
    verdictsOf(rule, viewOf({ config, readings: [[nodeReach, nodeAddress, reading]] }))[0];
  return { samples, unreachable: verdict(nodeUnreachable), mismatch: verdict(nodeIdentityMismatch) };
};

test('reach: each published address is tried separately, and one that responds is enough', async () => {
  const { samples, unreachable } = await reached(infoOf(nodeAddress), (port) => [
    '2001:db8::1',
    '127.0.0.1:1',
    `127.0.0.1:${port}`,
  ]);
  expect(samples).toEqual(['reachable 1 0', 'reachable 2 1', 'identity_matches 2 1', 'speed_test_plausible 1']);
  expect(unreachable?.state).toBe('ok');
  const dead = await reached('', () => ['2001:db8::1', '127.0.0.1:1']);
  expect(dead.unreachable).toMatchObject({ state: 'firing', title: 'five: cannot be reached at any of its addresses' });
  expect(dead.unreachable?.text).toContain(
    '- 2001:db8::1: invalid (expected host:port, IPv6 in brackets)\n- 127.0.0.1:1: refused',
  );
});

test('reach: another node that responds at the address is reported as an identity mismatch, with its address', async () => {
  const { samples, unreachable, mismatch } = await reached(infoOf(other));
  expect(samples).toContain('identity_matches 0 0');
  expect(unreachable?.state).toBe('ok');
  expect(mismatch).toMatchObject({ state: 'firing', title: 'five: another node answers at its address' });
  expect(mismatch?.text).toContain(other);
  expect((await reached(infoOf(nodeAddress))).mismatch?.state).toBe('ok');
  expect((await reached('{}')).mismatch?.state).toBe('ok');
});

test('reach: a reported speed of 0 is a separate signal, and the node counts as reachable', async () => {
  const { samples, unreachable } = await reached(infoOf(nodeAddress, { downlink: '0' }));
  expect(samples).toEqual(['reachable 0 1', 'identity_matches 0 1', 'speed_test_plausible 0']);
  expect(unreachable?.state).toBe('ok');
});

test('reach: off by default, for all nodes; if enabled, it covers watched nodes only', () => {
  const off = testConfig();
  expect(nodeReach.targets(off)).toEqual([]);
  expect(verdictsOf(nodeUnreachable, viewOf({ config: off }))).toEqual([]);
  const on = { ...off, watch: { ...off.watch, reach: { ...off.watch.reach, enabled: true } } };
  expect(nodeReach.targets(on).map(({ key }) => key)).toEqual([nodeAddress]);
  expect(verdictsOf(nodeUnreachable, viewOf({ config: on }))[0]?.state).toBe('unknown');
});
