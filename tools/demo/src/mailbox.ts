import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MailReceiver, receiveMails } from './mail-receiver.js';

export interface Mailbox extends MailReceiver {
  /** Folder of the `.eml` files, named in order of arrival. */
  readonly folder: string;
}

/** A mail server that stores every mail as a file, so that the demo's notifications can be read without an account. */
export async function startMailbox(folder: string, onMail: (subject: string, file: string) => void): Promise<Mailbox> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let received = 0;
  const receiver = await receiveMails(async ({ raw }) => {
    received += 1;
    const file = join(folder, `${String(received).padStart(4, '0')}.eml`);
    await writeFile(file, raw);
    onMail(subjectOf(raw), file);
  });
  return { ...receiver, folder };
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
