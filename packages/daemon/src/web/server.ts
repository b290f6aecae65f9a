import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostPort } from '../config/scalars.js';
import type { AllowsHost } from './allowed-hosts.js';
import type { Logger } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { type Admission, InFlight } from './in-flight.js';
import { contentSecurityPolicy } from './page-assets.js';

export interface Reply {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}

/** Routes by path, each with its handler and the handler's name in metrics. */
export type Routes = Readonly<Record<string, Route>>;

interface Route {
  readonly name: string;
  /**
   * The handler uses almost no time or memory. Such requests are answered regardless of the number of other requests.
   */
  readonly isCheap?: boolean;
  readonly answer: () => Reply | Promise<Reply>;
}

export interface WebServer {
  /** `http://127.0.0.1:9190` */
  readonly url: string;
  close(): Promise<void>;
}

/** Longer than the usual scrape interval: a connection closed just as it is reused fails a scrape. */
const keepAliveMs = 75_000;
/** A client that reads no byte of its response for this time is disconnected. */
const stuckMs = 10_000;

const foreignHost = `This name is not one of this monitor. If it should be, add it to the key web.hosts of the configuration, or make it the host
of alerts.external_url; an IP address works at once.
`;

const common = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Serves GET and HEAD requests for the routes, for allowed hosts only. @throws Error that explains how to choose
 * another address if this one is in use.
 */
export const startWebServer = async (
  listen: HostPort,
  routes: Routes,
  own: OwnMetrics,
  logger: Logger,
  allowsHost: AllowsHost = () => true,
): Promise<WebServer> => {
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  server.keepAliveTimeout = keepAliveMs;
  server.timeout = stuckMs;
  const inFlight = new InFlight();
  /** Encodes a reply that several requests share only once. */
  const encoded = new WeakMap<Reply, Buffer>();

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const handler = route?.name ?? 'none';
    const { socket } = request;
    const isCheap = route?.isCheap ?? false;
    const admission = inFlight.admit(socket, isCheap);
    if (admission === 'ignored') return;
    if (admission === 'admitted') response.once('close', () => inFlight.done(socket, isCheap));
    const end = own.httpDuration.startTimer({ handler });
    const reply = await admittedReply(admission, request, route);
    const { status = 200, type, body } = reply;
    const bytes = encoded.get(reply) ?? Buffer.from(body);
    encoded.set(reply, bytes);
    if (inFlight.isClosing(socket)) response.shouldKeepAlive = false;
    response.writeHead(status, { ...common, 'Content-Type': type, 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    end();
    own.httpRequests.inc({ handler, code: String(status) });
  };

  const admittedReply = (
    admission: Admission,
    { method = '', headers }: IncomingMessage,
    route: Routes[string] | undefined,
  ): Reply | Promise<Reply> => {
    if (admission === 'busy') return busy;
    return allowsHost(headers.host) ? replyTo(method, route) : textResponse(421, foreignHost);
  };

  const replyTo = async (method: string, route: Routes[string] | undefined): Promise<Reply> => {
    if (route === undefined) return textResponse(404, `Not found. Paths: ${Object.keys(routes).join(' ')}\n`);
    if (method !== 'GET' && method !== 'HEAD') return textResponse(405, 'Allowed: GET, HEAD\n');
    try {
      return await route.answer();
    } catch (error) {
      logger.error({ handler: route.name, err: error }, 'request failed');
      return textResponse(500, 'Internal error; see the log of the daemon.\n');
    }
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`web.listen: ${cannotListen(listen, error)}`, { cause: error }));
    });
    server.listen(listen.port, listen.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};

const cannotListen = ({ host, port }: HostPort, error: NodeJS.ErrnoException): string => {
  switch (error.code) {
    case 'EADDRINUSE':
      return `${host}:${port} is in use by another program; stop that one, or set another port`;
    case 'EACCES':
      return `no permission to listen on ${host}:${port}; set a port of 1024 or more`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine; set 127.0.0.1, or one that it has`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}; set another address`;
  }
};

export const textResponse = (status: number, body: string): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
});

const busy = textResponse(503, 'Too many requests at the same time; try again in a second.\n');
