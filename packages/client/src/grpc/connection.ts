import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { addressAttemptMs } from '../deadline.js';
import type { GrpcAddress } from './address.js';

/** One HTTP/2 connection, with the information that it gives about calls that ended early. */
export class GrpcConnection {
  readonly session: ClientHttp2Session;
  readonly openedAtMs: number;
  /** Why the connection ended, unless it ended normally. */
  failure: Error | undefined;
  /** Highest stream that the server processed, after it has announced (GOAWAY) that it accepts no more. */
  private lastProcessed: number | undefined;
  private goawayCode = 0;
  private goawayText = '';
  private readonly socket: Socket;
  private calls = 0;
  private isRetired = false;

  constructor({ host, port, secure, url }: GrpcAddress, nowMs: number) {
    this.openedAtMs = nowMs;
    const at = { host, port, autoSelectFamilyAttemptTimeout: addressAttemptMs };
    const socket = secure
      ? connectTls({ ...at, ALPNProtocols: ['h2'], ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connectTcp(at);
    this.socket = socket;
    this.session = connectHttp2(url, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
    });
    this.session.on('error', (error) => {
      this.failure ??= error;
    });
    this.session.on('goaway', (code: number, last: number, text?: Uint8Array) => {
      this.lastProcessed = last;
      this.goawayCode = code;
      this.goawayText = text === undefined ? '' : new TextDecoder().decode(text);
    });
    // The session closes a connection gracefully, which could wait forever for a silent peer.
    this.session.on('close', () => socket.destroy());
    this.session.on('connect', () => this.session.setLocalWindowSize(windowBytes));
    this.session.unref();
  }

  /** Whether another call can be started on it. */
  get isOpen(): boolean {
    return !this.isRetired && !this.session.closed && !this.session.destroyed;
  }

  /** Bytes received so far: if the number does not grow, the connection is silent. */
  get receivedBytes(): number {
    return this.socket.bytesRead;
  }

  /** Whether the server announced that it did not process this stream. A stream without an id was never sent. */
  isUnprocessed(streamId: number | undefined): boolean {
    return streamId === undefined ? this.lastProcessed !== undefined : streamId > (this.lastProcessed ?? Infinity);
  }

  /** Code and text that the server sent when it closed the connection (GOAWAY). */
  get farewell(): { readonly code: number; readonly text: string } | undefined {
    return this.lastProcessed === undefined ? undefined : { code: this.goawayCode, text: this.goawayText };
  }

  begin(): void {
    if (this.calls++ === 0) this.session.ref();
  }

  end(): void {
    if (--this.calls > 0) return;
    if (this.isRetired) this.destroy();
    else if (!this.session.destroyed) this.session.unref();
  }

  /** Accepts no further call; closes after the last call in progress. */
  retire(): void {
    this.isRetired = true;
    if (this.calls === 0) this.destroy();
  }

  destroy(): void {
    this.isRetired = true;
    this.session.destroy();
    this.socket.destroy();
  }
}

/** Flow-control window: lets a server send a page of a list without waiting. */
const windowBytes = 1 << 20;
