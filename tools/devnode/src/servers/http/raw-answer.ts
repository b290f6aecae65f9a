// Responses that node:http cannot produce: it always sends HTTP/1.1, and it rejects methods and paths that the node accepts.
import type { Duplex } from 'node:stream';
import type { Header, HttpRequest } from './message.js';

export const badVersion = '505 HTTP Version Not Supported: unsupported protocol version';

/** Response of a parser: plain text, no date, connection closed. */
export function plainText(socket: Duplex, status: string): void {
  if (!socket.writable) return;
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`);
}

export interface RawAnswer {
  readonly proto: string;
  readonly status: number;
  readonly reason: string;
  readonly lines: readonly Header[];
  readonly body: Buffer;
}

/** Writes a response directly to the socket, bypassing node:http, and closes it. */
export function writeRaw(socket: Duplex, { proto, status, reason, lines, body }: RawAnswer): void {
  if (!socket.writable) return;
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${proto} ${status} ${reason}\r\n${head}\r\n`, 'latin1');
  socket.end(body);
}

/** Parses a request that node:http rejects because of its method or path: the node accepts any word and any byte. */
export function parseHead(packet: Buffer, remote: string): HttpRequest | undefined {
  const [first = '', ...lines] = packet.toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const match = /^([^\s]+) (\S+) HTTP\/(1\.[01])$/.exec(first);
  if (match === null) return undefined;
  const headers = lines.map((line): Header => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const [, method = '', target = '', version = ''] = match;
  return { method, target, version, headers, body: Buffer.alloc(0), tooLarge: false, remote };
}
