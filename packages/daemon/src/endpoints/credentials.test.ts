import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { parseConfig } from '../config/load.js';
import { connectTo } from './connection.js';

type Seen = Readonly<Record<string, unknown>>;

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server that records the headers of every request and returns them, with the path, in an error. */
const startPeer = async () => {
  const seen = new Map<string, Seen>();
  const note = (headers: IncomingHttpHeaders | Seen, what: string): void => void seen.set(what, { ...headers });
  const web = createServer((request, response) => {
    note(request.headers, request.method === 'POST' ? 'rpc' : 'rest');
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(`cannot ${request.method} ${request.url} with ${JSON.stringify(request.headers)}`);
  });
  web.on('upgrade', (request, socket) => {
    note(request.headers, 'websocket');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const grpc = createHttp2Server();
  const sessions = new Set<{ destroy(): void }>();
  grpc.on('session', (session) => sessions.add(session));
  grpc.on('stream', (stream, headers) => {
    note(headers, 'grpc');
    const message = encodeURIComponent(`refused ${String(headers['x-api-key'])}`);
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '13', 'grpc-message': message },
      { endStream: true },
    );
  });
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    grpc.close();
    web.closeAllConnections();
    web.close();
  });
  return { seen, web: await listening(web), grpc: await listening(grpc as unknown as Server) };
};

test('credentials: every transport sends them, and no error includes them', async () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const peer = await startPeer();
  const config = parseConfig(
    JSON.stringify({
      endpoints: [
        {
          name: 'lent',
          grpc: peer.grpc,
          rest: `http://${peer.web}/rest/PathKeyOfRest`,
          rpc: `http://${peer.web}/rpc/PathKeyOfRpc`,
          naming: 'neutral',
          headers_file: file('headers', '# of the provider\nX-Api-Key: HeaderKey99\n'),
          username: 'operator',
          password_file: file('password', 'PassWord99\n'),
        },
      ],
    }),
  );
  const [endpoint] = config.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  const connection = connectTo(endpoint, 5_000);
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  const calls = [
    connection.grpc?.call(queryParams, {}),
    connection.rest?.call(queryParams, {}),
    connection.abci?.call(queryParams, {}),
    connection.rpc?.call('status', {}),
    connection.openWebSocket?.(signal),
  ];
  const authorization = `Basic ${Buffer.from('operator:PassWord99').toString('base64')}`;
  for (const ended of await Promise.allSettled(calls)) {
    const { message, address, raw } = (ended as PromiseRejectedResult).reason as Error & Record<string, unknown>;
    const shown = JSON.stringify([message, address, raw]);
    expect(shown).not.toMatch(/PathKeyOf|HeaderKey99|PassWord99/);
    expect(shown).not.toContain(authorization.slice(6));
    expect(message).toMatch(/at (?:http:\/\/)?127\.0\.0\.1:\d+[: ]/);
  }
  for (const way of ['grpc', 'rest', 'rpc', 'websocket'])
    expect([way, peer.seen.get(way)]).toEqual([
      way,
      expect.objectContaining({ authorization, 'x-api-key': 'HeaderKey99' }),
    ]);
});

test('credentials: the error for an unreadable file contains the endpoint name and nothing else', () => {
  const config = parseConfig(
    'endpoints: [{name: lent, rpc: "http://127.0.0.1:9", headers_file: /absent/SecretInTheWrongPlace1}]',
  );
  const open = (): unknown => config.endpoints.map((one) => connectTo(one, 1_000));
  expect(open).toThrow('credentials of endpoint lent: the file of the secret does not exist');
  expect(open).not.toThrow(/SecretInTheWrongPlace1/);
});

test.each([
  ['X-Key', 'line 1 is not "Name: value"'],
  ['X-Key: a\nX Key: b', 'line 2 is not "Name: value"'],
  ['X-Key: a\u0001', 'line 1 is not "Name: value"'],
])('credentials: a headers file with %j is rejected with its line number', (text, message) => {
  const path = join(temporaryFolder(), 'headers');
  writeFileSync(path, text);
  const [endpoint] = parseConfig(
    `endpoints: [{name: lent, rpc: "http://127.0.0.1:9", headers_file: ${path}}]`,
  ).endpoints;
  expect(() => endpoint && connectTo(endpoint, 1_000)).toThrow(message);
});
