import { type IncomingMail, type MailReceiver, receiveMails } from '@hubwatch/demo';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  header(name: string): string | undefined;
}

export interface MailServer extends MailReceiver {
  readonly mails: readonly ReceivedMail[];
}

/** A real SMTP server that stores accepted mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const receiver = await receiveMails((mail) => void mails.push(readMail(mail)));
  return { ...receiver, mails };
}

function readMail({ from, to, raw }: IncomingMail): ReceivedMail {
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
