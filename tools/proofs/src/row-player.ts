import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReadRow } from './recordings.js';

/** A server that answers every request with a recorded row. */
export interface RowPlayer {
  readonly url: string;
  /** Sets the row for the next requests. */
  play(row: ReadRow): void;
  /** Path and query of the last request. */
  asked(): string;
  close(): Promise<void>;
}

export async function playRows(): Promise<RowPlayer> {
  let answer: ReadRow['got'] = {};
  let asked = '';
  const server = createServer((request, response) => {
    asked = request.url ?? '';
    // This server sets its own lengths and encodings.
    const headers = (answer.headers ?? []).filter(
      ([name]) => !/^(?:content-length|transfer-encoding|date)$/i.test(name),
    );
    response.writeHead(answer.status ?? 200, headers.flat());
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (row) => {
      answer = row.got;
    },
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
