// Observes a connection on the wire: the received bytes and how the connection ended.
import { connect } from 'node:net';
import { watchQuiet } from './quiet.js';

export interface Seen {
  readonly bytes: Buffer;
  /** Number of reads in which the bytes arrived. */
  readonly reads: number;
  /** `open` if no more bytes arrived. */
  readonly end: 'fin' | 'reset' | 'open';
}

/** Sends bytes and collects the received ones until the connection ends or is quiet. */
export function overWire(port: number, sent: string | Uint8Array): Promise<Seen> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const done = (end: Seen['end']): void => {
      quiet.stop();
      socket.destroy();
      resolve({ bytes: Buffer.concat(parts), reads: parts.length, end });
    };
    const quiet = watchQuiet(() => done('open'));
    socket.on('data', (part) => {
      parts.push(part);
      quiet.heard();
    });
    socket.on('end', () => done('fin'));
    socket.on('error', () => done('reset'));
  });
}
