// What tests see on the wire: bytes as they came, and how the connection ended.
import { connect } from 'node:net';

export interface Seen {
  readonly bytes: Buffer;
  /** `open` after `quietMs` without a byte. */
  readonly end: 'fin' | 'reset' | 'open';
  readonly ms: number;
}

/** Sends bytes and takes what comes until the connection ends, or is quiet for so long. */
export function overWire(port: number, sent: string | Uint8Array, quietMs = 300): Promise<Seen> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const started = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const done = (end: Seen['end']): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve({ bytes: Buffer.concat(parts), end, ms: performance.now() - started });
    };
    const quiet = setTimeout(() => done('open'), quietMs);
    socket.on('data', (part) => {
      parts.push(part);
      quiet.refresh();
    });
    socket.on('end', () => done('fin'));
    socket.on('error', () => done('reset'));
  });
}
