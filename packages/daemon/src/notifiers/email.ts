import { createTransport, type Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { EmailConfig } from '../config/notifier-schemas.js';
import type { Channel, Delivery } from '../outbox/channel.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import { mark, type NoticeOrigin, noticeLines, oneLine } from './plain-text.js';
import { smtpFailure } from './smtp-failure.js';
import { secretOf } from './secret-of.js';

const connectMs = 10_000;
const silenceMs = 20_000;
const lineLength = 74;

/**
 * Sends notices by SMTP, to each recipient on its own. Mails of one stream form a thread; Message-ID and Date are the
 * notice's own, whatever is sent again.
 */
export const createEmailChannel = (config: EmailConfig, origin: NoticeOrigin): Channel => {
  const domain = /@([^\s<>@]+)>?$/.exec(config.from)?.[1] ?? 'hubwatch.invalid';
  let transport: Transporter<SMTPTransport.SentMessageInfo> | undefined;
  const messageId = (id: string): string => `<${id}@${domain}>`;

  return {
    name: 'email',
    recipients: config.to,
    async send(attempt) {
      const { delivery, recipient } = attempt;
      try {
        transport ??= open(config);
        await transport.sendMail({
          from: config.from,
          to: config.to,
          envelope: { from: config.from, to: recipient },
          subject: subjectOf(delivery),
          text: `${plainBlanks(noticeLines(attempt, origin).map(wrapped).join('\n'))}\n`,
          date: new Date(delivery.atMs),
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
        throw error instanceof DeliveryError ? error : smtpFailure(error);
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
  const pass = secretOf({ file: config.password_file, env: config.password_env });
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
export const subjectOf = (delivery: Delivery): string =>
  plainBlanks(`[${mark(delivery)}] ${oneLine(delivery.title)} (${delivery.rule})`);

/** The narrow blanks in amounts have kept them on one line; as they are they would make a mail be encoded. */
const plainBlanks = (text: string): string => text.replaceAll('\u202f', ' ');

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
