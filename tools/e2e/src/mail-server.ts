import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  header(name: string): string | undefined;
}

/** A real SMTP server that keeps what it accepts. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
          this.mails.push(
            readMail(
              from,
              session.envelope.rcptTo.map(({ address }) => address),
              Buffer.concat(chunks).toString('utf8'),
            ),
          );
          done();
        });
      },
    });
  }

  static async start(): Promise<MailServer> {
    const mailServer = new MailServer();
    await new Promise<void>((resolve, reject) => {
      mailServer.#server.on('error', reject);
      mailServer.#server.listen(0, '127.0.0.1', resolve);
    });
    return mailServer;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}

function readMail(from: string, to: readonly string[], raw: string): ReceivedMail {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  const encoding = /^content-transfer-encoding: *(\S+)/im.exec(unfolded)?.[1]?.toLowerCase();
  const text = body.join('\r\n\r\n');
  return {
    from,
    to,
    text:
      encoding === 'quoted-printable'
        ? decodeQuotedPrintable(text)
        : encoding === 'base64'
          ? Buffer.from(text, 'base64').toString('utf8')
          : text,
    header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1],
  };
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
