import type { RawData, WebSocket } from 'ws';
import { leftMs } from '../deadline.js';
import { HubError } from '../error.js';
import { addressAttemptMs } from '../http/address-race.js';
import { retryAfterOf } from '../http/retry-after.js';
import { codeOfHttpStatus } from '../http/status-code.js';
import { networkFailure } from '../network-error.js';
import { type Place, placeText } from '../place.js';
import { openPlatformSocket } from './browser-socket.js';
import type { Socket, SocketListener, SocketOptions } from './socket.js';

/**
 * Opens a websocket with the `ws` package. Where it is not installed the platform's own is used, which Node has from 22 on.
 *
 * @throws HubError `refused`, `tls`, `timeout`, `unavailable`, `cancelled`, and the code of an HTTP answer
 */
export async function openSocket(options: SocketOptions, listener: SocketListener): Promise<Socket> {
  const ws = await import('ws').catch(() => undefined);
  if (ws === undefined) return openPlatformSocket(options, listener);
  const { place, limits } = options;
  const socket = new ws.WebSocket(options.url, {
    // 0 would be no limit at all.
    handshakeTimeout: Math.max(1, leftMs(limits)),
    maxPayload: options.maxBytes,
    perMessageDeflate: false,
    headers: { ...options.headers },
    // Handed on to node:net, whose own 250 ms are too short for some.
    ...{ autoSelectFamilyAttemptTimeout: addressAttemptMs },
  });
  // Before anything can come: the node may speak in the same moment in which it agrees.
  listen(socket, listener, place);
  const cancel = (): void => socket.terminate();
  limits.signal?.addEventListener('abort', cancel, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
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

function listen(socket: WebSocket, listener: SocketListener, place: Place): void {
  let failure: HubError | undefined;
  socket.on('error', (error) => {
    failure ??= brokenFailure(error, place);
  });
  socket.on('ping', () => listener.alive());
  socket.on('pong', () => listener.alive());
  socket.on('message', (frame) => listener.message(textOf(frame)));
  socket.on('close', (code) => listener.closedBy(failure, code));
}

/** Text of a frame; `ws` gives a list of buffers only when it is asked to. */
function textOf(frame: RawData): string {
  return Buffer.isBuffer(frame) ? frame.toString() : '';
}

function openFailure(error: Error, place: Place): HubError {
  const { code, text } = networkFailure(error);
  return new HubError({
    // A text of the `ws` package, which gives no code for this one.
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

/** Codes of the `ws` package for frames that are none, and for one over the limit. */
function brokenFailure(error: Error & { code?: string }, place: Place): HubError {
  const { code, text } = networkFailure(error);
  const broken = error.code?.startsWith('WS_ERR_') === true;
  const tooLarge = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  return new HubError({
    code: tooLarge ? 'limit' : broken ? 'decode' : code,
    message: `${placeText(place)}: ${text}`,
    ...place,
    raw: { text },
    cause: error,
  });
}
