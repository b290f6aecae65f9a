import { lookup as lookUp } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { pause } from '@hubwatch/client';
import { plainRequest, type Reach, tlsLook } from '../../endpoints/surface.js';
import type { Budget } from '../budget.js';
import type { RootPage, ReachedAddress, Wire } from '../diagnosis.js';
import { shownPlace } from '../subject.js';

/** Resolves a name to addresses; empty if it does not resolve. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export const systemLookup: Lookup = async (host) => (await lookUp(host, { all: true })).map(({ address }) => address);

/** Maximum number of addresses tried per name: most names have one of each family. */
const maxAddresses = 4;

/** Checks an address below its protocol: the name, TCP per address, TLS, and the response to a plain request. */
export const lookAtWire = async (address: string, reach: Reach, budget: Budget, lookup: Lookup): Promise<Wire> => {
  const { host, port } = shownPlace(address);
  const ips = isIP(host) === 0 ? await resolved(host, reach, lookup) : [host];
  const reached = await Promise.all(
    ips
      .slice(0, maxAddresses)
      .map(async (ip): Promise<ReachedAddress> => ({ ip, tcp: await tcp(ip, port, reach, budget) })),
  );
  if (!reached.some((one) => one.tcp === 'open')) return { reached, tls: undefined, page: undefined };
  budget.spend();
  const name = isIP(host) === 6 ? `[${host}]` : host;
  // Run concurrently: a server that stays silent uses the full timeout for each.
  const [tls, plain] = await Promise.all([
    tlsLook(host, port, reach).catch(() => undefined),
    pageOf(`http://${name}:${port}/`, reach, budget),
  ]);
  const page = tls === undefined ? plain : await pageOf(`https://${name}:${port}/`, reach, budget);
  return { reached, tls, page };
};

const resolved = async (
  host: string,
  { clock, timeoutMs, signal }: Reach,
  lookup: Lookup,
): Promise<readonly string[]> =>
  Promise.race([
    // A name that cannot be looked up has no address, regardless of the reason: the advice is the same.
    lookup(host).catch(() => []),
    pause(clock, timeoutMs, signal).then(() => []),
  ]);

const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EACCES', 'EPERM']);

const tcp = (
  host: string,
  port: number,
  { clock, timeoutMs, signal }: Reach,
  budget: Budget,
): Promise<ReachedAddress['tcp']> => {
  budget.spend();
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (found: ReachedAddress['tcp']): void => {
      cancel();
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve(found);
    };
    const abort = (): void => end('silent');
    const cancel = clock.setTimeout(abort, timeoutMs);
    signal.addEventListener('abort', abort);
    socket.on('connect', () => end('open'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      end(code === 'ECONNREFUSED' ? 'refused' : unreachable.has(code) ? 'unreachable' : 'silent');
    });
  });
};

/** Classifies the response to a request for `/`, without following a redirect. */
const pageOf = async (url: string, reach: Reach, budget: Budget): Promise<RootPage | undefined> => {
  budget.spend();
  try {
    const { status, headers, body } = await plainRequest(url, reach);
    const location = headers['location'];
    return { status, kind: kindOf(status, body), location: typeof location === 'string' ? location : undefined };
  } catch (error) {
    // The HTTP/1 parser received HTTP/2 frames: a gRPC server.
    const isFrames = String((error as NodeJS.ErrnoException).code).startsWith('HPE_');
    return isFrames ? { status: 0, kind: 'http2', location: undefined } : undefined;
  }
};

const kindOf = (status: number, body: string): RootPage['kind'] => {
  if (body.includes('Available endpoints:')) return 'engine';
  if (status === 501 && /"code":\s*12/.test(body)) return 'gateway';
  return /^\s*</.test(body) ? 'html' : 'other';
};
