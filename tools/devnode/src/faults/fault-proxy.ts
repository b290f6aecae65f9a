import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Fault, FaultPlan } from './fault.js';
import { grpcProxy } from './grpc-proxy.js';
import { httpProxy } from './http-proxy.js';
import { reset } from './reset.js';
import type { Target } from './target.js';
import { tcpProxy } from './tcp-proxy.js';

export interface FaultProxyOptions {
  /** Whom to ask: `host:port`, or a URL. */
  readonly target: string;
  /** `tcp` passes bytes; `http` knows answers and websocket frames; `grpc` knows the streams of HTTP/2 without TLS. */
  readonly mode: 'tcp' | 'http' | 'grpc';
  readonly plan?: FaultPlan;
}

/** A port of loopback that stands for a port of a node, and commits faults on the way. */
export interface FaultProxy {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly address: string;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** How often each kind was committed. */
  readonly committed: ReadonlyMap<Fault['kind'], number>;
  /** All faults committed. */
  readonly count: number;
  /** Connections taken so far. */
  readonly connections: number;
  /** Another plan from now on. */
  follow(plan: FaultPlan): void;
  /** Ends every connection, and refuses new ones until `up`. */
  down(how?: 'reset' | 'cut'): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of loopback. @throws Error when the target cannot be read. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const target = readTarget(options.target);
  const committed = new Map<Fault['kind'], number>();
  let count = 0;
  let connections = 0;
  let plan: FaultPlan = options.plan ?? {};
  const current: FaultPlan = {
    connection: () => plan.connection?.(),
    answer: (request) => plan.answer?.(request),
    frame: (text) => plan.frame?.(text),
    stream: (path) => plan.stream?.(path),
  };
  const make = { tcp: tcpProxy, http: httpProxy, grpc: grpcProxy }[options.mode];
  const server: Server = make(target, current, ({ kind }) => {
    count++;
    committed.set(kind, (committed.get(kind) ?? 0) + 1);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // Who is reset says so; the test sees it at its own end.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const down = async (how: 'reset' | 'cut' = 'reset'): Promise<void> => {
    const closed = server.listening ? new Promise<void>((resolve) => server.close(() => resolve())) : undefined;
    for (const socket of sockets) {
      if (how === 'reset') reset(socket);
      else socket.destroy();
    }
    await closed;
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    committed,
    get count() {
      return count;
    },
    get connections() {
      return connections;
    },
    follow: (next) => {
      plan = next;
    },
    down,
    up: () => listen(server, port),
    close: () => down('cut'),
  };
}

function readTarget(text: string): Target {
  const { hostname, port } = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  if (port === '') throw new Error(`target ${JSON.stringify(text)}: host:port or a URL with a port is expected`);
  return { host: hostname, port: Number(port) };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
