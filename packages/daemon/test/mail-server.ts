import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface Mail {
  readonly to: readonly string[];
  /** Header values by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: readonly Mail[];
  /** Called with each mail before it is accepted. */
  onMail: (mail: Mail) => void;
  /** Reply that refuses a command (`550 5.1.1 no such user`); `undefined` accepts it. `what`: address, user or mail. */
  refuse: (stage: MailStage, what: string) => string | undefined;
  /** Resolves when this many mails were accepted. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  readonly login?: { readonly user: string; readonly password: string };
  readonly startTls?: boolean;
  readonly port?: number;
}

/** Command to which a refusal replies. */
export type MailStage = 'MAIL FROM' | 'RCPT TO' | 'AUTH' | 'DATA';

/** A real mail server on loopback that records accepted mails. */
export const startMailServer = async (options: MailServerOptions = {}): Promise<MailServer> => {
  const mails: Mail[] = [];
  let wake: () => void = () => undefined;
  const { login, startTls = false } = options;
  const refusal = (stage: MailStage, what: string): Error | undefined => {
    const reply = handle.refuse(stage, what);
    return reply === undefined
      ? undefined
      : Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
  };
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: (auth, _session, done) => {
      const refused = refusal('AUTH', auth.username ?? '');
      if (refused !== undefined) {
        done(refused);
        return;
      }
      const isRight = auth.username === login?.user && auth.password === login?.password;
      if (isRight) done(null, { user: auth.username });
      else done(new Error('wrong user or password'));
    },
    onMailFrom: ({ address }, _session, done) => {
      done(refusal('MAIL FROM', address));
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refusal('RCPT TO', address));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const mail = read(
          Buffer.concat(chunks).toString('utf8'),
          session.envelope.rcptTo.map(({ address }) => address),
        );
        handle.onMail(mail);
        const refused = refusal('DATA', mail.raw);
        if (refused === undefined) {
          mails.push(mail);
          wake();
        }
        done(refused);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  let isOpen = true;
  const handle: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    onMail: () => undefined,
    refuse: () => undefined,
    async received(count) {
      while (mails.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  onTestFinished(() => handle.close());
  return handle;
};

const read = (raw: string, to: readonly string[]): Mail => {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  return { to, headers, body: rest.join('\r\n\r\n'), raw };
};
