import { createTransport, type Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { EmailConfig } from '../config/schema.js';
import { readSecret } from '../config/secret.js';
import { type Channel, type Delivery, DeliveryError, type DeliveryReason } from '../outbox/channel.js';

const connectMs = 10_000;
const silenceMs = 20_000;
const lineLength = 74;

/** Sends notices by SMTP. Mails of one alert form a thread; the Message-ID is the notice's own, whatever is sent again. */
export const createEmailChannel = (config: EmailConfig, statusPage: string | undefined): Channel => {
  const domain = /@([^\s<>@]+)>?$/.exec(config.from)?.[1] ?? 'hubwatch.invalid';
  let transport: Transporter<SMTPTransport.SentMessageInfo> | undefined;
  const messageId = (id: string): string => `<${id}@${domain}>`;

  return {
    name: 'email',
    async send(delivery) {
      try {
        transport ??= open(config);
        await transport.sendMail({
          from: config.from,
          to: config.to,
          subject: subjectOf(delivery),
          text: textOf(delivery, statusPage),
          messageId: messageId(delivery.id),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Hubwatch-Rule': delivery.rule },
          ...(delivery.threadId === delivery.id
            ? {}
            : { inReplyTo: messageId(delivery.threadId), references: messageId(delivery.threadId) }),
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        // The next attempt reads the password again and opens a new connection.
        transport?.close();
        transport = undefined;
        throw deliveryError(error);
      }
    },
    close() {
      transport?.close();
      transport = undefined;
    },
  };
};

const open = (config: EmailConfig): Transporter<SMTPTransport.SentMessageInfo> => {
  const { host, port, tls, user } = config;
  const pass = readSecret(config);
  return createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    ...(user === undefined || pass === undefined ? {} : { auth: { user, pass } }),
  });
};

/** One line without control characters: nothing in it can become a header. */
export const subjectOf = ({ kind, severity, rule, title }: Delivery): string =>
  `[${kind === 'recovered' ? 'recovered' : severity}] ${oneLine(title)} (${rule})`;

const textOf = (delivery: Delivery, statusPage: string | undefined): string =>
  [
    oneLine(delivery.title),
    '',
    plain(delivery.text),
    '',
    `Rule: ${delivery.rule}, severity: ${delivery.severity}`,
    `Seen: ${new Date(delivery.atMs).toISOString()}`,
    ...(statusPage === undefined ? [] : [`Status page: ${statusPage}`]),
    `Notice: ${delivery.id}`,
    '',
  ].join('\n');

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);

const plain = (text: string): string =>
  text
    .split('\n')
    .map((line) => wrapped(line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')))
    .join('\n');

/** Breaks a line at blanks, so that it is sent as it reads; what follows an item is indented under it. */
const wrapped = (line: string): string => {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > lineLength) {
      lines.push(current);
      current = line.startsWith('- ') ? `  ${word}` : word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
};

interface MailFailure extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

const reasonByCode: Readonly<Record<string, DeliveryReason>> = {
  ECONNECTION: 'refused',
  ESOCKET: 'refused',
  EDNS: 'refused',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EAUTH: 'auth',
  ENOAUTH: 'auth',
};

/** A refusal for good of sender, recipient or text ends the notice; everything else may be mended and is tried again. */
const deliveryError = (error: unknown): DeliveryError => {
  const { code = '', responseCode = 0, message } = error as MailFailure;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isFinal = isAboutMail && responseCode >= 500;
  const reason = isFinal ? 'rejected' : isAboutMail ? 'temporary' : (reasonByCode[code] ?? 'other');
  return new DeliveryError(oneLine(message), {
    reason: code === 'ESOCKET' && /\b(tls|ssl|certificate)\b/i.test(message) ? 'tls' : reason,
    retry: isFinal ? 'never' : 'again',
    concernsChannel: !isAboutMail,
    cause: error,
  });
};
