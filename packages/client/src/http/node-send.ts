import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { addressAttemptMs } from '../deadline.js';
import { Origin } from './origin.js';
import type { HttpBody, HttpRequest, HttpResponse } from './send.js';
import { unpackBody } from './unpack.js';

/**
 * Sends a request with node:http or node:https, on one of the two kept sockets of the origin. Waits until one is free.
 */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  if (hasForeignDispatcher()) return (await import('./fetch-send.js')).send(request, signal);
  const origin = Origin.of(request.url);
  const isPatient = origin.isSlow;
  try {
    return await attempt(request, origin, signal);
  } catch (error) {
    if (signal.aborted || isPatient || !isLostRace(error)) throw error;
    // Nothing was sent, so any request can be retried.
    origin.slowDown();
    return attempt(request, origin, signal);
  }
}

/** Waits until a caller may open one of the two sockets of an origin. */
export function holdSocket(origin: string, signal: AbortSignal): Promise<() => void> {
  return Origin.of(origin).hold(signal);
}

/**
 * Whether the process has configured how fetch connects, such as through a proxy. Otherwise this module does not load
 * fetch, which costs 20 MB of memory.
 */
function hasForeignDispatcher(): boolean {
  const dispatcher = (globalThis as Readonly<Record<symbol, object | undefined>>)[
    Symbol.for('undici.globalDispatcher.1')
  ];
  return dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
}

async function attempt(request: HttpRequest, origin: Origin, signal: AbortSignal): Promise<HttpResponse> {
  const free = await origin.take(signal);
  let asked: ClientRequest;
  try {
    asked = open(request, origin);
  } catch (error) {
    free();
    throw error;
  }
  const abort = (): void => void asked.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  asked.once('close', () => {
    signal.removeEventListener('abort', abort);
    // The agent gets a kept socket back at this moment. A peer sees the end of another socket in later turns of the
    // event loop.
    if (asked.socket?.destroyed === false) queueMicrotask(free);
    else afterTurns(closingTurns, free);
  });
  const response = await answerTo(asked).catch(async (error: unknown) => {
    // The other sockets are as old: the next attempt must open a new one.
    if (asked.reusedSocket) await origin.closeIdle(0);
    throw error;
  });
  return {
    status: response.statusCode ?? 0,
    header: (name) => [response.headers[name.toLowerCase()]].flat()[0],
    body: bodyOf(await unpackBody(response, response.headers['content-encoding']), asked),
  };
}

const closingTurns = 10;

function afterTurns(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(afterTurns, turns - 1, run);
}

function open({ verb, url, headers, body }: HttpRequest, origin: Origin): ClientRequest {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const asked = send(url, {
    method: verb,
    agent: origin.agent,
    headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node', ...headers },
    // Passed to node:net.
    ...(origin.isSlow ? { autoSelectFamilyAttemptTimeout: addressAttemptMs } : {}),
  });
  asked.once('socket', (socket) => {
    if (!asked.reusedSocket) origin.opened(socket);
  });
  asked.end(body);
  return asked;
}

function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    asked.once('response', (begun) => {
      response = begun;
      // Reported while the body is read.
      begun.on('error', () => undefined);
      resolve(begun);
    });
    asked.on('error', (error) => {
      reject(error);
      // The body has its own, less specific connection error. Errors after the end of the body are harmless.
      if (response?.complete === false) response.destroy(error);
    });
    // Without an error: an upgrade that was not requested.
    asked.once('close', () => reject(Object.assign(new Error('no answer'), { code: 'ERR_SOCKET_CLOSED' })));
  });
}

function bodyOf(stream: Readable, asked: ClientRequest): HttpBody {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return { read: () => parts.next(), cancel: () => asked.destroy() };
}

/** Whether a name has several addresses, and one attempt was abandoned in favour of the next, which also failed. */
function isLostRace(error: unknown): boolean {
  const failures = error instanceof AggregateError ? (error.errors as readonly { code?: unknown }[]) : [];
  return failures.length > 1 && failures.some(({ code }) => code === 'ETIMEDOUT');
}
