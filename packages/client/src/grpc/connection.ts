import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { addressAttemptMs } from '../deadline.js';
import type { GrpcAddress } from './address.js';

/** One HTTP/2 connection, and what it says about calls that ended early. */
export class GrpcConnection {
  readonly session: ClientHttp2Session;
  readonly openedAtMs: number;
  /** Why the connection ended, where it did not end in order. */
  failure: Error | undefined;
  /** Highest stream that the server processed, once it has announced that it takes no more. */
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
    // The session ends a connection in order, for which a silent peer could be waited for without end.
    this.session.on('close', () => socket.destroy());
    this.session.on('connect', () => this.session.setLocalWindowSize(windowBytes));
    this.session.unref();
  }

  /** Whether another call can be made on it. */
  get isOpen(): boolean {
    return !this.isRetired && !this.session.closed && !this.session.destroyed;
  }

  /** Bytes received so far: a connection on which nothing comes is silent. */
  get receivedBytes(): number {
    return this.socket.bytesRead;
  }

  /** Whether the server announced that it never looked at this stream; one without a number was never sent. */
  isUnprocessed(streamId: number | undefined): boolean {
    return streamId === undefined ? this.lastProcessed !== undefined : streamId > (this.lastProcessed ?? Infinity);
  }

  /** What the server announced when it gave the connection up. */
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

  /** Takes no further call; ends with the last that is under way. */
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

/** Bytes on their way that the server need not wait for: a page of a list in one go. */
const windowBytes = 1 << 20;
