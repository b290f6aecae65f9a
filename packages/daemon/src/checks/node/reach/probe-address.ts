import { lookup as systemLookup } from 'node:dns/promises';
import { request } from 'node:http';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { sharedBudget, startTimeout } from '@hubwatch/client';
import { type ReachedNodeInfo, parseNodeInfo } from './node-info.js';
import { isPublicAddress } from './public-address.js';
import { parseRemoteAddress, type RemoteAddress } from './remote-address.js';

/** Why an address was not reached. */
export type ReachFailure =
  /** Not `host:port`. */
  | 'invalid'
  | 'dns'
  /** Leads to no public address, and such are not looked at. */
  | 'private'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'failed';

export interface Reached {
  readonly state: 'reached';
  /** When the certificate expires, milliseconds; only where a public authority vouches for it under this name. */
  readonly notAfterMs: number | undefined;
  /** Who answers there; `undefined` when nobody said who they are. */
  readonly info: ReachedNodeInfo | undefined;
}

export type ReachOutcome = Reached | { readonly state: 'failed'; readonly reason: ReachFailure; readonly text: string };

export interface ProbeOptions {
  /** For one address with all that its name leads to. */
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly lookup?: (host: string) => Promise<readonly { readonly address: string }[]>;
  /** Authorities to trust beside the usual ones. */
  readonly ca?: string;
}

/** Addresses of one name that are tried: two of each family are plenty. */
const mostOfFamily = 2;
/** An answer that says who a node is takes far less. */
const mostBytes = 64 * 1024;

/** Tries what a published address leads to, one after another, until something answers over TLS, and asks it who it is. */
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
    // One that never answers leaves time for the others.
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

/** A lookup cannot be called off; its answer is not waited for. */
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
    // Nodes vouch for themselves; what is not verified says nothing about expiry.
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

/** Who answers; that nobody says so is no failure of the line. */
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

/** After the TCP connection stands only the handshake can fail. */
const reasonOf = (error: unknown, isConnected: boolean): ReachFailure => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return reasons[code ?? ''] ?? (isConnected ? 'tls' : 'failed');
};
