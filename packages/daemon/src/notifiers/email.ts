import { connect } from 'node:net';
import { startTimeout } from '@hubwatch/client';
import type { createTransport, Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { z } from 'zod';
import { mailAddress, oneOrMore, word } from '../config/scalars.js';
import { env, file, needsUser, password } from '../config/secret-fields.js';
import type { Channel, Delivery } from '../outbox/channel.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import { mark, type NoticeOrigin, noticeText, oneLine } from './plain-text.js';
import { smtpFailure } from './smtp-failure.js';
import type { Notifier } from './notifier.js';
import { secretOf } from './secret-of.js';

const schema = z
  .strictObject({
    host: word('the name of a mail server, such as smtp.example.org').describe('Mail server.'),
    port: z.int().min(1).max(65_535).default(587).describe('Port of the mail server.'),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .default('starttls')
      .describe('`starttls` is required before anything is sent; `implicit` is usual for port 465.'),
    user: word('a user name').optional().describe('User for the mail server. Needs a password.'),
    password_file: file('the password of `user`'),
    password_env: env('the password of `user`'),
    from: mailAddress.describe('Sender.'),
    to: oneOrMore(mailAddress, 'a mail address or a list of them').describe(
      'Recipients. Each gets its own mail and its own retries.',
    ),
  })
  .refine(password.check, password.options)
  .refine(needsUser.check, needsUser.options)
  .describe('Mail over SMTP.');

export type EmailConfig = z.output<typeof schema>;

/**
 * Timeout of a whole attempt, from the name lookup to the last reply: a server that responds byte by byte must not delay the
 * others.
 */
const attemptMs = 30_000;
const lineLength = 74;

/**
 * Sends notices by SMTP, to each recipient individually. Mails of one stream form a thread. Message-ID and Date come from the
 * notice, and do not change when it is sent again.
 */
export const createEmailChannel = (config: EmailConfig, origin: NoticeOrigin, limitMs = attemptMs): Channel => {
  const closing = new AbortController();
  const domain = /@([^\s<>@]+)>?$/.exec(config.from)?.[1] ?? 'hubwatch.invalid';
  // Loaded with the first channel. Most daemons have none, and a disk that fails later has no effect on the loaded module.
  const mailer = import('nodemailer');
  mailer.catch(() => undefined);
  const messageId = (id: string): string => `<${id}@${domain}>`;

  return {
    name: 'email',
    recipients: config.to,
    async send(attempt) {
      const { delivery, recipient } = attempt;
      const make = (await mailer).createTransport;
      const timeout = startTimeout(limitMs, { signals: [closing.signal] });
      try {
        await open(make, config, timeout.signal).sendMail({
          from: config.from,
          to: config.to,
          envelope: { from: config.from, to: recipient },
          subject: subjectOf(delivery),
          text: `${plainBlanks(noticeText(attempt, origin).split('\n').map(wrapped).join('\n'))}\n`,
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
        if (error instanceof DeliveryError) throw error;
        if (!timeout.isOver()) throw smtpFailure(error);
        const text = `not accepted within ${limitMs / 1_000} s`;
        throw new DeliveryError(text, { reason: 'timeout', scope: 'channel', cause: error });
      } finally {
        timeout.clear();
      }
    },
    close: () => closing.abort(),
  };
};

/** Opens a connection for one mail, which ends with the signal regardless of the server. The password is read each time. */
const open = (
  make: typeof createTransport,
  config: EmailConfig,
  signal: AbortSignal,
): Transporter<SMTPTransport.SentMessageInfo> => {
  const { host, port, tls, user } = config;
  const pass = secretOf({ file: config.password_file, env: config.password_env });
  return make({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    getSocket: (_, done) => connected(host, port, signal, done),
    connectionTimeout: attemptMs,
    greetingTimeout: attemptMs,
    socketTimeout: attemptMs,
    ...(user === undefined || pass === undefined ? {} : { auth: { user, pass } }),
  });
};

type SocketReady = Parameters<NonNullable<SMTPTransport.Options['getSocket']>>[1];

const connected = (host: string, port: number, signal: AbortSignal, done: SocketReady): void => {
  const socket = connect({ host, port, signal });
  const failed = (error: Error): void => done(Object.assign(error, { code: 'ESOCKET' }), false);
  socket.once('error', failed);
  socket.once('connect', () => {
    socket.removeListener('error', failed);
    done(null, { connection: socket });
  });
};

/** One line without control characters, so that no part of it can become a header. */
export const subjectOf = (delivery: Delivery): string =>
  plainBlanks(`[${mark(delivery)}] ${oneLine(delivery.title)} (${delivery.rule})`);

/** Replaces narrow spaces, which keep amounts on one line: otherwise the mail would have to be encoded. */
const plainBlanks = (text: string): string => text.replaceAll('\u202f', ' ');

/** Breaks a line at spaces, so that it can be sent unencoded; continuation lines of a list item are indented. */
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

export const email = {
  schema: schema.optional(),
  channels: (config, origin) => (config === undefined ? [] : [createEmailChannel(config, origin)]),
} satisfies Notifier<EmailConfig | undefined>;
