import { lookup as systemLookup } from 'node:dns/promises';
import { request } from 'node:http';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { sharedBudget, startTimeout } from '@hubwatch/client';
import { type ReachedNodeInfo, parseNodeInfo } from './node-info.js';
import { isPublicAddress } from './public-address.js';
import { parseRemoteAddress, type RemoteAddress } from './remote-address.js';

/** Reason why an address was not reached. */
export type ReachFailure =
  /** Not in the form `host:port`. */
  | 'invalid'
  | 'dns'
  /** Resolves to no public address, and private addresses are not probed. */
  | 'private'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'failed';

export interface Reached {
  readonly state: 'reached';
  /** Certificate expiry in milliseconds; only if a public authority verifies the certificate for this name. */
  readonly notAfterMs: number | undefined;
  /** Identity of the responding node; `undefined` if it did not report one. */
  readonly info: ReachedNodeInfo | undefined;
}

export type ReachOutcome = Reached | { readonly state: 'failed'; readonly reason: ReachFailure; readonly text: string };

export interface ProbeOptions {
  /** Timeout for one published address, including all IP addresses that its name resolves to. */
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly lookup?: (host: string) => Promise<readonly { readonly address: string }[]>;
  /** Additional trusted authorities. */
  readonly ca?: string;
}

/** Maximum number of IP addresses tried per address family. */
const mostOfFamily = 2;
/** Maximum response size. A response that identifies a node is far smaller. */
const mostBytes = 64 * 1024;

/**
 * Tries the IP addresses of a published address one after another until one responds over TLS, then requests its node
 * information.
 */
export const probeAddress = async (text: string, options: ProbeOptions): Promise<ReachOutcome> => {
  const remote = parseRemoteAddress(text);
  if (remote === undefined) return failed('invalid', 'expected host:port, IPv6 in brackets');
  const timeout = startTimeout(options.timeoutMs, { signals: [options.signal] });
  try {
    return await probeRemote(remote, timeout.signal, options);
  } finally {
    timeout.clear();
  }
};

const probeRemote = async (
  { host, port }: RemoteAddress,
  signal: AbortSignal,
  { timeoutMs, allowPrivate, lookup, ca }: ProbeOptions,
): Promise<ReachOutcome> => {
  let ips: readonly string[];
  try {
    ips = await resolved(host, lookup, signal);
  } catch (error) {
    return failed(signal.aborted ? 'timeout' : 'dns', messageOf(error));
  }
  const allowed = ips.filter((ip) => allowPrivate || isPublicAddress(ip));
  if (allowed.length === 0) return failed('private', `${ips.slice(0, 3).join(', ')} is not public`);
  const failures: ReachOutcome[] = [];
  for (const [index, ip] of allowed.entries()) {
    // An address that never responds must leave time for the others.
    const shareMs = index === allowed.length - 1 ? timeoutMs : Math.ceil(timeoutMs / allowed.length);
    const own = startTimeout(shareMs, { signals: [signal] });
    const outcome = await probeIp(ip, host, port, own.signal, ca);
    own.clear();
    if (outcome.state === 'reached') return outcome;
    failures.push(outcome);
  }
  return failures[0] ?? failed('failed', 'nothing was tried');
};

const resolved = async (
  host: string,
  lookup: ProbeOptions['lookup'],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (isIP(host) !== 0) return [host];
  const found = await raced((lookup ?? ((name) => systemLookup(name, { all: true })))(host), signal);
  const ips = found.map(({ address }) => address);
  const ofFamily = (family: number): string[] => ips.filter((ip) => isIP(ip) === family).slice(0, mostOfFamily);
  return [...ofFamily(4), ...ofFamily(6)];
};

/** Stops waiting for a lookup on abort, because a lookup cannot be cancelled. */
const raced = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('no answer in time'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const probeIp = async (
  ip: string,
  host: string,
  port: number,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<ReachOutcome> => {
  const socket = connect({
    host: ip,
    port,
    // Nodes use self-signed certificates. The expiry of an unverified certificate is not reported.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
  const stop = (): void => void socket.destroy(new Error('no answer in time'));
  signal.addEventListener('abort', stop, { once: true });
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
  });
  try {
    if (signal.aborted) stop();
    await secured(socket);
    const info = await asked(socket, host, port);
    return { state: 'reached', notAfterMs: verifiedUntil(socket), info };
  } catch (error) {
    return failed(signal.aborted ? 'timeout' : reasonOf(error, isConnected), messageOf(error));
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
};

const secured = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });

const verifiedUntil = (socket: TLSSocket): number | undefined => {
  if (!socket.authorized) return undefined;
  const ms = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ms) ? undefined : ms;
};

/** Requests the identity of the node. A missing response is not a connection failure. */
const asked = (socket: TLSSocket, host: string, port: number): Promise<ReachedNodeInfo | undefined> =>
  new Promise((resolve) => {
    const give = (body?: string): void => resolve(body === undefined ? undefined : parseNodeInfo(body));
    const asking = request(
      {
        createConnection: () => socket,
        path: '/',
        headers: {
          host: `${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
          accept: 'application/json',
          connection: 'close',
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        const stop = (): void => {
          give();
          socket.destroy();
        };
        const held = sharedBudget.open(mostBytes, stop);
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (held.add(chunk.length) !== undefined) stop();
        });
        socket.once('close', () => held.free());
        response.once('end', () => give(Buffer.concat(chunks).toString('utf8')));
        response.once('error', () => give());
      },
    );
    asking.once('error', () => give());
    socket.once('close', () => give());
    asking.end();
  });

const failed = (reason: ReachFailure, text: string): ReachOutcome => ({ state: 'failed', reason, text });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);

const reasons: Readonly<Record<string, ReachFailure>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
};

/** After the TCP connection is open, only the handshake can fail. */
const reasonOf = (error: unknown, isConnected: boolean): ReachFailure => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return reasons[code ?? ''] ?? (isConnected ? 'tls' : 'failed');
};
