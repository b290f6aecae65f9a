import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { type Clock, holdConnection, sharedBudget, startTimeout } from '@hubwatch/client';

/** What plain requests to an address may use. */
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
  /** The daemon's clock half-way between request and answer. */
  readonly atMs: number;
  /** Half the time that the answer took, by the same clock: how wrong `atMs` may be for the moment of the answer. */
  readonly withinMs: number;
}

/** Largest body that is read: the endpoint page of a node is 4 kB. */
const maxBytes = 65_536;

/**
 * One HTTP request; the certificate is looked at elsewhere, so that an endpoint with an unknown one can still be asked.
 *
 * @throws Error when there is no whole answer in time, or it is larger than 64 kB
 */
export const plainRequest = (
  address: string,
  reach: Reach,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainAnswer> => heldFor(new URL(address).origin, reach, () => answerTo(address, reach, body, headers));

/** Runs what opens a socket of its own while it holds one of the connections that transports have to the same origin. */
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

/** What a server shows of itself when a TLS connection is made. */
export interface TlsLook {
  /** From when to when every certificate of the served chain is valid, milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Why this machine does not trust it, as the platform puts it; `undefined` when it does. */
  readonly distrust: string | undefined;
  /** Protocol that it chose of HTTP/2 and HTTP/1.1; `undefined` when it chose none. */
  readonly protocol: string | undefined;
}

/**
 * Looks at the certificates that an address serves, trusted or not.
 *
 * @throws Error when no TLS connection comes about in time
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
    // A server that speaks no TLS may end the connection in order.
    socket.on('close', () => end(() => reject(new Error('the connection ended before TLS began'))));
    socket.on('secureConnect', () => {
      const starts: number[] = [];
      const ends: number[] = [];
      // Without a certificate the object is empty, whatever its type says.
      let one: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true);
      // The last of a chain names itself as its issuer.
      for (const seen = new Set<unknown>(); one?.valid_to !== undefined && !seen.has(one.fingerprint256); ) {
        seen.add(one.fingerprint256);
        starts.push(Date.parse(one.valid_from ?? ''));
        ends.push(Date.parse(one.valid_to));
        one = one.issuerCertificate;
      }
      // Its type says Error; the platform gives a code.
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      const protocol = socket.alpnProtocol === false ? undefined : (socket.alpnProtocol ?? undefined);
      if (ends.length === 0) end(() => reject(new Error('no certificate was served')));
      else end(() => resolve({ startMs: Math.max(...starts), endMs: Math.min(...ends), distrust, protocol }));
    });
  });

/**
 * When the first certificate of the served chain expires, milliseconds; whether it is trusted is not asked.
 *
 * @throws Error when no TLS connection comes about in time
 */
export const certificateEnd = async (host: string, port: number, reach: Reach): Promise<number> =>
  (await tlsLook(host, port, reach)).endMs;

const unsafeMethods = ['dial_seeds', 'dial_peers', 'unsafe_flush_mempool'];

/**
 * Whether the consensus RPC offers methods that change the node: by the page that lists its methods, else by a call of
 * `dial_seeds` with five parameters where it takes one, which a node refuses before it runs anything. `undefined` where
 * neither tells, as behind a proxy. No request is made that could run such a method.
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
    // A page of a proxy.
    return undefined;
  }
};

/**
 * How far the endpoint's clock is ahead of ours, seconds; its `Date` has whole seconds, of which the middle is taken.
 * `undefined` when the answer took so long that nothing can be said, as on a busy machine, or in a demo whose clock runs fast.
 */
export const clockSkew = ({ headers, atMs, withinMs }: PlainAnswer): number | undefined => {
  const date = Date.parse(String(headers['date'] ?? ''));
  if (Number.isNaN(date)) return undefined;
  const skewMs = date + 500 - atMs;
  const isClear = withinMs <= mostUnclearMs || Math.abs(skewMs) > unclearShare * withinMs;
  return isClear ? skewMs / 1_000 : undefined;
};

/** An error of a measured offset that changes no verdict. */
const mostUnclearMs = 1_500;
/** Times its own error that an offset must exceed to be one. */
const unclearShare = 4;

/** Whether the consensus RPC takes a websocket; `undefined` when it did not answer. */
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
