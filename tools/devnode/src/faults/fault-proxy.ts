import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Fault, FaultPlan } from './fault.js';
import { grpcProxy } from './grpc-proxy.js';
import { httpProxy } from './http-proxy.js';
import { reset } from './reset.js';
import type { Target } from './target.js';
import { tcpProxy } from './tcp-proxy.js';

export interface FaultProxyOptions {
  /** Address of the node: `host:port` or a URL. */
  readonly target: string;
  /** `tcp` forwards bytes; `http` handles responses and websocket frames; `grpc` handles HTTP/2 streams without TLS. */
  readonly mode: 'tcp' | 'http' | 'grpc';
  readonly plan?: FaultPlan;
}

/** A loopback port that proxies a port of a node and injects faults. */
export interface FaultProxy {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly address: string;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Number of injected faults by kind. */
  readonly committed: ReadonlyMap<Fault['kind'], number>;
  /** Total number of injected faults. */
  readonly count: number;
  /** Number of connections accepted so far. */
  readonly connections: number;
  /** Replaces the fault plan from now on. */
  follow(plan: FaultPlan): void;
  /** Ends every connection and refuses new ones until `up` is called. */
  down(how?: 'reset' | 'cut'): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port. @throws Error if the target is invalid. */
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
    // A reset emits an error here; the test observes it at its own end.
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
