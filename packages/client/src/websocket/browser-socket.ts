import { systemClock } from '../clock.js';
import { leftMs } from '../deadline.js';
import { HubError } from '../error.js';
import { placeText } from '../place.js';
import type { Socket, SocketListener, SocketOptions } from './socket.js';

/** The used part of the platform's WebSocket; its type is only available in browsers and from Node 22 on. */
interface PlatformSocket {
  readonly readyState: number;
  binaryType: string;
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

const open = 1;

/**
 * Opens the platform's own websocket. It accepts no headers, does not expose pings, and gives no reason why a
 * connection failed. A frame over the limit is discarded only after it was received.
 *
 * @throws HubError `unavailable`, `timeout`, `cancelled`, `not_served` if the platform has none
 */
export function openPlatformSocket(options: SocketOptions, listener: SocketListener): Promise<Socket> {
  const { place, limits, maxBytes } = options;
  const fail = (code: HubError['code'], text: string): HubError =>
    new HubError({ code, message: `${placeText(place)}: ${text}`, ...place });
  const Platform = (globalThis as { WebSocket?: new (url: string) => PlatformSocket }).WebSocket;
  if (Platform === undefined) {
    return Promise.reject(fail('not_served', 'this platform has no WebSocket; install the package "ws"'));
  }
  return new Promise((resolve, reject) => {
    const socket = new Platform(options.url);
    let failure: HubError | undefined;
    let ended = false;
    const end = (reason: HubError | undefined, closeCode: number): void => {
      if (ended) return;
      ended = true;
      release();
      reject(failure ?? reason ?? fail('unavailable', 'the connection could not be made'));
      listener.closedBy(failure ?? reason, closeCode);
    };
    const giveUp = (reason: HubError | undefined): void => {
      failure ??= reason;
      socket.close();
      // The peer may never complete the closing handshake; the owner need not wait for it.
      end(reason, 1006);
    };
    const cancelTimer = systemClock.setTimeout(
      () => giveUp(fail('timeout', 'the handshake has timed out')),
      leftMs(limits),
    );
    const cancel = (): void => giveUp(fail('cancelled', 'cancelled by the caller'));
    const release = (): void => {
      cancelTimer();
      limits.signal?.removeEventListener('abort', cancel);
    };
    if (limits.signal?.aborted) cancel();
    else limits.signal?.addEventListener('abort', cancel, { once: true });
    socket.onopen = () => {
      release();
      resolve({
        get isOpen() {
          return !ended && socket.readyState === open;
        },
        send: (text) => socket.send(text),
        close: () => socket.close(),
        terminate: () => giveUp(undefined),
      });
    };
    socket.onmessage = ({ data }) => {
      if (ended) return;
      // The node sends text only.
      const text = typeof data === 'string' ? data : '';
      if (text.length > maxBytes) giveUp(fail('limit', `a frame is larger than the limit of ${maxBytes} bytes`));
      else listener.message(text);
    };
    socket.onclose = ({ code }) => end(undefined, code);
  });
}

/** Replaces `node-socket` in bundles for browsers. */
export { openPlatformSocket as openSocket };
