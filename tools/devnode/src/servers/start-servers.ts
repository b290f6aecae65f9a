import type { CorsOptions, Ports } from '../options.js';
import { type GrpcListener, startGrpcServer } from './grpc/grpc-server.js';
import type { GrpcHandler } from './grpc/message.js';
import { type HttpListener, startHttpServer } from './http/http-server.js';
import type { HttpHandler } from './http/message.js';
import { withGatewayCors } from './rest/gateway-cors.js';
import type { RpcMethods } from './rpc/method.js';
import { withRpcCors } from './rpc/rpc-cors.js';
import { maxRpcBodyBytes } from './rpc/rpc-http.js';
import type { EventBus } from './websocket/event-bus.js';
import { serveWebsocket } from './websocket/websocket-server.js';

/** Handlers that a node provides to its servers. */
export interface NodeParts {
  readonly nowMs: () => number;
  readonly grpc: GrpcHandler;
  readonly rest: HttpHandler;
  readonly rpc: HttpHandler;
  readonly grpcWeb?: HttpHandler;
  readonly cors: CorsOptions;
  /** Calls and events for the websocket. */
  readonly methods: RpcMethods;
  readonly bus: EventBus;
  /** Called with the address of the consensus RPC once it listens. */
  readonly listening: (rpcAddress: string) => void;
}

export interface Servers {
  readonly addresses: {
    readonly grpc: string;
    readonly rest: string;
    readonly rpc: string;
    readonly websocket: string;
    readonly grpcWeb: string | undefined;
  };
  close(): Promise<void>;
}

const maxRestBodyBytes = 1_000_000;
const maxWebBodyBytes = 10_485_760;

/** Opens all listeners of a node. @throws Error if a port is in use. */
export async function startServers(node: NodeParts, ports: Ports): Promise<Servers> {
  const open: (GrpcListener | HttpListener)[] = [];
  const leave: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const each of leave) each();
    await Promise.all(open.map((listener) => listener.close()));
  };
  try {
    const grpc = await startGrpcServer(ports.grpc ?? 0, node.grpc);
    open.push(grpc);
    const { nowMs, cors } = node;
    const rest = await startHttpServer({
      port: ports.rest ?? 0,
      handler: cors.rest === true ? withGatewayCors(node.rest, nowMs) : node.rest,
      maxBodyBytes: maxRestBodyBytes,
      nowMs,
    });
    open.push(rest);
    const rpc = await startHttpServer({
      port: ports.rpc ?? 0,
      handler: cors.rpc === undefined || cors.rpc.length === 0 ? node.rpc : withRpcCors(node.rpc, cors.rpc, nowMs),
      maxBodyBytes: maxRpcBodyBytes,
      nowMs,
    });
    open.push(rpc);
    let grpcWeb: string | undefined;
    if (node.grpcWeb !== undefined) {
      const handler = node.grpcWeb;
      const web = await startHttpServer({ port: ports.grpcWeb ?? 0, handler, maxBodyBytes: maxWebBodyBytes, nowMs });
      open.push(web);
      grpcWeb = `http://127.0.0.1:${web.port}`;
    }
    node.listening(`127.0.0.1:${rpc.port}`);
    leave.push(serveWebsocket({ server: rpc.server, methods: node.methods, bus: node.bus }));
    const addresses = {
      grpc: `127.0.0.1:${grpc.port}`,
      rest: `http://127.0.0.1:${rest.port}`,
      rpc: `http://127.0.0.1:${rpc.port}`,
      websocket: `ws://127.0.0.1:${rpc.port}/websocket`,
      grpcWeb,
    };
    return { addresses, close };
  } catch (error) {
    await close();
    throw error;
  }
}
