import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Devnode } from '@hubwatch/devnode';
import { selfSigned, startFaultProxy } from '@hubwatch/devnode/faults';
import type { AskedOver, Failing } from './failure-kinds.js';

/** Address of an endpoint where one request, or every connection, fails. */
export interface FailingEndpoint {
  /** Address in configuration format: `host:port` or a URL. */
  readonly address: string;
  /** Whether all other requests are answered. */
  readonly answersOthers: boolean;
  close(): Promise<void> | void;
}

/** Unused port that the system never assigns for port 0, so that no other server can get it. */
const unusedPort = 1;

/** Starts an endpoint in front of a node that fails queries for a bandwidth node. */
export async function startFailing(failing: Failing, over: AskedOver, node: Devnode): Promise<FailingEndpoint> {
  if ('http' in failing) {
    const act = { kind: 'act', act: failing.http } as const;
    const target = over === 'rest' ? node.rest : node.rpc;
    const answer = (request: { path: string; body: string }) => (isAsked(request) ? act : undefined);
    const proxy = await startFaultProxy({ target, mode: 'http', plan: { answer } });
    return { address: proxy.url, answersOthers: true, close: () => proxy.close() };
  }
  if ('grpc' in failing) {
    const act = { kind: 'act', act: failing.grpc } as const;
    const stream = (path: string) => (isAsked({ path, body: '' }) ? act : undefined);
    const proxy = await startFaultProxy({ target: node.grpc, mode: 'grpc', plan: { stream } });
    return { address: proxy.address, answersOthers: true, close: () => proxy.close() };
  }
  const addressOf = (scheme: string, host: string, port: number): string =>
    over === 'grpc' && scheme === 'http' ? `${host}:${port}` : `${scheme}://${host}:${port}`;
  if ('host' in failing)
    return { address: addressOf('http', failing.host, unusedPort), answersOthers: false, close: () => undefined };
  const server = serverOf(failing, over);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  const scheme = 'untrusted' in failing || failing.scheme !== undefined ? 'https' : 'http';
  return { address: addressOf(scheme, '127.0.0.1', port), answersOthers: false, close };
}

function serverOf(
  failing: Exclude<Failing, { host: string } | { http: unknown } | { grpc: unknown }>,
  over: AskedOver,
): Server {
  if ('untrusted' in failing) return over === 'grpc' ? createSecureServer(selfSigned) : createHttps(selfSigned);
  return createServer((socket) => {
    socket.resume();
    failing.socket(socket);
  });
}

/** Whether a request is QueryNode, over any transport and under both namings. */
export function isAsked({ path, body }: { readonly path: string; readonly body: string }): boolean {
  return (
    /\/node\/v3\/nodes\/\w|\.node\.v3\.QueryService\/QueryNode$/.test(path) || /\.QueryService\/QueryNode"/.test(body)
  );
}
