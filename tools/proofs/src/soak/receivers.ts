import { receiveMails } from '@hubwatch/demo';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook and a mail server on loopback that fail on request. */
export interface Receivers {
  readonly webhook: string;
  readonly mailPort: number;
  setFailing(failing: { readonly webhook: boolean; readonly mail: boolean }): void;
  /** Number of accepted and refused notifications so far. */
  readonly counts: { readonly webhook: Tally; readonly mail: Tally };
  close(): Promise<void>;
}

interface Tally {
  accepted: number;
  refused: number;
}

export async function startReceivers(): Promise<Receivers> {
  const counts = { webhook: { accepted: 0, refused: 0 }, mail: { accepted: 0, refused: 0 } };
  let failing = { webhook: false, mail: false };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      counts.webhook[failing.webhook ? 'refused' : 'accepted']++;
      // Every second failure closes the connection without a response.
      if (failing.webhook && counts.webhook.refused % 2 === 0) request.socket.destroy();
      else response.writeHead(failing.webhook ? 503 : 200).end('received\n');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const mail = await receiveMails(() => {
    counts.mail[failing.mail ? 'refused' : 'accepted']++;
    if (failing.mail) throw Object.assign(new Error('try again later'), { responseCode: 451 });
  });
  return {
    webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mailPort: mail.port,
    counts,
    setFailing(next) {
      failing = next;
    },
    async close() {
      await mail.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
