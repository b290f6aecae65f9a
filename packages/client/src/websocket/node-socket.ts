import type { RawData, WebSocket } from 'ws';
import { addressAttemptMs, leftMs } from '../deadline.js';
import { HubError } from '../error.js';
import { codeOfHttpStatus } from '../failure-table.js';
import { retryAfterOf } from '../http/retry-after.js';
import { networkFailure } from '../network-error.js';
import { type Place, placeText } from '../place.js';
import { openPlatformSocket } from './browser-socket.js';
import type { Socket, SocketListener, SocketOptions } from './socket.js';

/**
 * Opens a websocket with the `ws` package. If it is not installed, the platform's own is used, which Node has from 22
 * on.
 *
 * @throws HubError `refused`, `tls`, `timeout`, `unavailable`, `cancelled`, and the code of an HTTP response
 */
export async function openSocket(options: SocketOptions, listener: SocketListener): Promise<Socket> {
  const ws = await import('ws').catch(() => undefined);
  if (ws === undefined) return openPlatformSocket(options, listener);
  const { place, limits } = options;
  const socket = new ws.WebSocket(options.url, {
    // 0 would mean no limit.
    handshakeTimeout: Math.max(1, leftMs(limits)),
    maxPayload: options.maxBytes,
    perMessageDeflate: false,
    headers: { ...options.headers },
    // Passed to node:net, whose default of 250 ms is too short for some addresses.
    ...{ autoSelectFamilyAttemptTimeout: addressAttemptMs },
  });
  // Registered before any data can arrive: the node may send a frame together with the handshake.
  listen(socket, listener, options);
  const cancel = (): void => socket.terminate();
  limits.signal?.addEventListener('abort', cancel, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      if (limits.signal?.aborted) cancel();
      socket.once('open', resolve);
      socket.once('error', (error) => reject(openFailure(error, place)));
      socket.once('unexpected-response', (request, answer) => {
        const status = answer.statusCode ?? 0;
        const header = (name: string): string | undefined => [answer.headers[name]].flat()[0];
        reject(answerFailure(status, retryAfterOf(header), place));
        request.destroy();
      });
    });
  } catch (error) {
    if (limits.signal?.aborted) {
      const text = `${placeText(place)}: cancelled by the caller`;
      throw new HubError({ code: 'cancelled', message: text, ...place, cause: limits.signal.reason });
    }
    throw error;
  } finally {
    limits.signal?.removeEventListener('abort', cancel);
  }
  return {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    send: (text) => socket.send(text),
    close: () => socket.close(),
    terminate: () => socket.terminate(),
  };
}

function listen(socket: WebSocket, listener: SocketListener, { place, limits, maxBytes }: SocketOptions): void {
  let failure: HubError | undefined;
  const giveUp = (reason: string): void => {
    failure ??= new HubError({ code: 'limit', message: `${placeText(place)}: a frame is ${reason}`, ...place });
    socket.terminate();
  };
  const held = limits.budget.open(maxBytes, giveUp);
  // `ws` exposes a frame when it is complete; the bytes that it buffers before are counted as they arrive.
  socket.once('upgrade', ({ socket: raw }) => {
    // Not before `ws` adds its own listener: it would miss frames that came with the head of the response.
    socket.once('open', () => {
      raw.on('data', (part: Buffer) => {
        const reason = held.add(part.length);
        if (reason !== undefined) giveUp(reason);
      });
    });
  });
  // A control frame has a head of two bytes, and may come between the parts of a message.
  const control = (data: Buffer): void => {
    held.add(-2 - data.length);
    listener.alive();
  };
  socket.on('error', (error) => {
    failure ??= brokenFailure(error, place);
  });
  socket.on('ping', control);
  socket.on('pong', control);
  socket.on('message', (frame) => {
    listener.message(textOf(frame));
    held.free();
  });
  socket.on('close', (code) => {
    held.free();
    listener.closedBy(failure, code);
  });
}

/** Text of a frame; `ws` returns a list of buffers only on request. */
function textOf(frame: RawData): string {
  return Buffer.isBuffer(frame) ? frame.toString() : '';
}

function openFailure(error: Error, place: Place): HubError {
  const { code, text } = networkFailure(error);
  return new HubError({
    // Text from the `ws` package, which sets no code for this error.
    code: /handshake has timed out/.test(error.message) ? 'timeout' : code,
    message: `${placeText(place)}: ${text}`,
    ...place,
    raw: { text: error.message },
    cause: error,
  });
}

function answerFailure(status: number, retry: { retryAfterMs?: number }, place: Place): HubError {
  return new HubError({
    code: codeOfHttpStatus(status),
    message: `${placeText(place)}: HTTP ${status} instead of a websocket`,
    ...place,
    raw: { httpStatus: status, ...retry },
  });
}

function brokenFailure(error: Error, place: Place): HubError {
  const { code, text } = networkFailure(error);
  return new HubError({ code, message: `${placeText(place)}: ${text}`, ...place, raw: { text }, cause: error });
}
