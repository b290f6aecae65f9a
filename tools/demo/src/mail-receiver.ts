import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as received: envelope and text. */
export interface IncomingMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** Source port of the sender. */
  readonly remotePort: number;
}

export interface MailReceiver {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A mail server on loopback without login and TLS; a mail is accepted once `onMail` has completed. */
export async function receiveMails(onMail: (mail: IncomingMail) => Promise<void> | void): Promise<MailReceiver> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, { envelope, remotePort }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const mail = {
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          remotePort,
        };
        Promise.resolve(mail)
          .then(onMail)
          .then(
            () => done(),
            (error: unknown) => done(error as Error),
          );
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return { host: '127.0.0.1', port, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}
