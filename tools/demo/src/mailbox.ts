import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  readonly host: string;
  readonly port: number;
  /** Folder of the `.eml` files, named in order of arrival. */
  readonly folder: string;
  close(): Promise<void>;
}

/** A mail server that keeps every mail as a file, so that the demo's notices can be read without an account anywhere. */
export async function startMailbox(folder: string, onMail: (subject: string, file: string) => void): Promise<Mailbox> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        received += 1;
        const file = join(folder, `${String(received).padStart(4, '0')}.eml`);
        writeFile(file, text).then(
          () => {
            onMail(subjectOf(text), file);
            done();
          },
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
  return {
    host: '127.0.0.1',
    port,
    folder,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Subject of a mail, unfolded; encoded words are decoded. */
export function subjectOf(mail: string): string {
  const header = /^Subject: ((?:.*)(?:\r?\n[ \t].*)*)/im.exec(mail)?.[1] ?? '(no subject)';
  return header
    .replace(/\r?\n[ \t]+/g, ' ')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([0-9a-f]{2})/gi, (_hex, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
            'latin1',
          ).toString('utf8'),
    );
}
