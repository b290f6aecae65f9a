import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { type Clock, holdConnection, sharedBudget, startTimeout } from '@hubwatch/client';

/** Options for plain requests to an address. */
export interface Reach {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Headers of every request: the credentials of an endpoint. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The daemon's clock half-way between request and response. */
  readonly atMs: number;
  /** Half the response time, by the same clock: the maximum error of `atMs` for the moment of the response. */
  readonly withinMs: number;
}

/** Maximum body size: the endpoint page of a node is 4 kB. */
const maxBytes = 65_536;

/**
 * Sends one HTTP request. The certificate is checked elsewhere, so that an endpoint with an unknown one can still be
 * queried.
 *
 * @throws Error if there is no complete response in time, or it is larger than 64 kB
 */
export const plainRequest = (
  address: string,
  reach: Reach,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainAnswer> => heldFor(new URL(address).origin, reach, () => answerTo(address, reach, body, headers));

/** Runs a function that opens its own socket while holding one of the transports' connections to the same origin. */
const heldFor = async <T>(origin: string, { clock, timeoutMs, signal }: Reach, run: () => Promise<T>): Promise<T> => {
  const waiting = startTimeout(timeoutMs, { clock, signals: [signal] });
  const free = await holdConnection(origin, waiting.signal).finally(() => waiting.clear());
  try {
    return await run();
  } finally {
    free();
  }
};

const answerTo = (
  address: string,
  { clock, timeoutMs, signal, headers: own }: Reach,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<PlainAnswer> =>
  new Promise((resolve, reject) => {
    const url = new URL(address);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sentMs = clock.nowMs();
    const method = body === undefined ? 'GET' : 'POST';
    const request = send(url, {
      method,
      headers: { ...own, ...headers },
      signal,
      rejectUnauthorized: false,
      ...(url.protocol === 'https:' ? { ALPNProtocols: ['http/1.1'] } : {}),
      agent: false,
    });
    const cancel = clock.setTimeout(() => request.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    const end = (fn: () => void): void => {
      cancel();
      fn();
    };
    const answered = (status: number | undefined, got: PlainAnswer['headers'], text: string): void => {
      const withinMs = Math.abs(clock.nowMs() - sentMs) / 2;
      end(() => resolve({ status: status ?? 0, headers: got, body: text, atMs: sentMs + withinMs, withinMs }));
    };
    request.on('error', (error) => end(() => reject(error)));
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      answered(response.statusCode, response.headers, '');
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const giveUp = (reason: string): void => void request.destroy(new Error(`the answer is ${reason}`));
      const held = sharedBudget.open(maxBytes, giveUp);
      response.on('error', (error) => end(() => reject(error)));
      response.on('close', () => held.free());
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        const reason = held.add(chunk.length);
        if (reason !== undefined) giveUp(reason);
      });
      response.on('end', () => answered(response.statusCode, response.headers, Buffer.concat(chunks).toString('utf8')));
    });
    request.end(body);
  });

/** Facts that a server reveals when a TLS connection is established. */
export interface TlsLook {
  /** Period in which every certificate of the served chain is valid, milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Why this machine does not trust the certificate, in the platform's words; `undefined` if it does. */
  readonly distrust: string | undefined;
  /** Protocol that the server chose from HTTP/2 and HTTP/1.1; `undefined` if it chose none. */
  readonly protocol: string | undefined;
}

/**
 * Reads the certificates that an address serves, trusted or not.
 *
 * @throws Error if no TLS connection is established in time
 */
export const tlsLook = (host: string, port: number, reach: Reach): Promise<TlsLook> => {
  const name = host.replace(/^\[|\]$/g, '');
  const { origin } = new URL(`https://${isIP(name) === 6 ? `[${name}]` : name}:${port}`);
  return heldFor(origin, reach, () => tlsOf(name, port, reach));
};

const tlsOf = (name: string, port: number, { clock, timeoutMs, signal }: Reach): Promise<TlsLook> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: name,
      port,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    const end = (fn: () => void): void => {
      cancel();
      signal.removeEventListener('abort', abort);
      socket.destroy();
      fn();
    };
    const abort = (): void => end(() => reject(new Error('given up')));
    const cancel = clock.setTimeout(() => end(() => reject(new Error(`no TLS in ${timeoutMs} ms`))), timeoutMs);
    signal.addEventListener('abort', abort);
    socket.on('error', (error: Error) => end(() => reject(error)));
    // A server without TLS may end the connection regularly.
    socket.on('close', () => end(() => reject(new Error('the connection ended before TLS began'))));
    socket.on('secureConnect', () => {
      const starts: number[] = [];
      const ends: number[] = [];
      // Without a certificate the object is empty, regardless of its type.
      let one: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true);
      // The last certificate of a chain names itself as its issuer.
      for (const seen = new Set<unknown>(); one?.valid_to !== undefined && !seen.has(one.fingerprint256); ) {
        seen.add(one.fingerprint256);
        starts.push(Date.parse(one.valid_from ?? ''));
        ends.push(Date.parse(one.valid_to));
        one = one.issuerCertificate;
      }
      // The declared type is Error; the platform provides a code.
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      const protocol = socket.alpnProtocol === false ? undefined : (socket.alpnProtocol ?? undefined);
      if (ends.length === 0) end(() => reject(new Error('no certificate was served')));
      else end(() => resolve({ startMs: Math.max(...starts), endMs: Math.min(...ends), distrust, protocol }));
    });
  });

/**
 * When the first certificate of the served chain expires, milliseconds; trust is not checked.
 *
 * @throws Error if no TLS connection is established in time
 */
export const certificateEnd = async (host: string, port: number, reach: Reach): Promise<number> =>
  (await tlsLook(host, port, reach)).endMs;

const unsafeMethods = ['dial_seeds', 'dial_peers', 'unsafe_flush_mempool'];

/**
 * Whether the consensus RPC offers methods that change the node. Reads the page that lists its methods. If that fails,
 * calls `dial_seeds` with five parameters, although it accepts one; a node rejects such a call before it runs any code.
 * `undefined` if neither is conclusive, as behind a proxy. No request could run such a method.
 *
 * @source recordings `root.b.get` and `dial_seeds.b.x.post`
 */
export const exposesUnsafe = async (
  rpc: string,
  page: PlainAnswer | undefined,
  reach: Reach,
): Promise<boolean | undefined> => {
  if (page?.status === 200 && page.body.includes('Available endpoints:'))
    return unsafeMethods.some((method) => page.body.includes(`/${method}?`));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dial_seeds', params: ['x', 'y', 'z', 'v', 'w'] });
  const answer = await plainRequest(rpc, reach, body, { 'content-type': 'application/json' }).catch(() => undefined);
  const code = codeOf(answer?.body);
  if (code === -32_602) return true;
  return code === -32_601 ? false : undefined;
};

const codeOf = (body: string | undefined): unknown => {
  try {
    return (JSON.parse(body ?? '') as { readonly error?: { readonly code?: unknown } } | null)?.error?.code;
  } catch {
    // A page from a proxy.
    return undefined;
  }
};

/**
 * How far the endpoint's clock is ahead of ours, seconds. Its `Date` has whole seconds; the middle of the second is
 * used. `undefined` if the response took too long to be conclusive, as on a busy machine or in a demo with a fast
 * clock.
 */
export const clockSkew = ({ headers, atMs, withinMs }: PlainAnswer): number | undefined => {
  const date = Date.parse(String(headers['date'] ?? ''));
  if (Number.isNaN(date)) return undefined;
  const skewMs = date + 500 - atMs;
  const isClear = withinMs <= mostUnclearMs || Math.abs(skewMs) > unclearShare * withinMs;
  return isClear ? skewMs / 1_000 : undefined;
};

/** Error of a measured offset that does not affect a verdict. */
const mostUnclearMs = 1_500;
/** Factor by which an offset must exceed its own error to count. */
const unclearShare = 4;

/** Whether the consensus RPC accepts a websocket; `undefined` if it did not respond. */
export const takesWebsocket = async (rpc: string, reach: Reach): Promise<boolean | undefined> => {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'aHViLXdhdGNoLXByb2JlIQ==',
  };
  const answer = await plainRequest(`${rpc}/websocket`, reach, undefined, headers).catch(() => undefined);
  return answer && answer.status === 101;
};
