import { z } from 'zod';
import { baseUrlText, duration, httpUrl, isBlock, label, mailAddress, oneOrMore, word } from './scalars.js';

const file = (what: string) => word('the path of a file').optional().describe(`File with ${what}.`);
const env = (what: string) =>
  word('the name of an environment variable').optional().describe(`Environment variable with ${what}.`);

/** Rejects a secret that is given twice, and a required one that is missing. */
const oneSecret = (name: string, isNeeded: boolean) => ({
  check: (value: object): boolean => {
    const given = [`${name}_file`, `${name}_env`].filter((key) => key in value).length;
    return given === 1 || (given === 0 && !isNeeded);
  },
  options: {
    error: isNeeded
      ? `one of ${name}_file and ${name}_env is required`
      : `allowed is one of ${name}_file and ${name}_env, not both`,
    when: isBlock,
  },
});

const password = oneSecret('password', false);

const needsUser = {
  check: (value: object): boolean => 'user' in value === ('password_file' in value || 'password_env' in value),
  options: {
    error: 'user needs one of password_file and password_env, and a password needs a user',
    when: isBlock,
  },
};

const email = z
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

const notAChat = 'expected the number of a chat, such as -1001234567890, or the @name of a channel';

const chat = z
  .union([z.int(), z.string()], { error: notAChat })
  .transform(String)
  .refine((text) => /^(?:@\w{4,}|-?\d+)$/.test(text), { error: notAChat })
  .meta({ title: 'chat' });

const token = oneSecret('token', true);

const telegram = z
  .strictObject({
    token_file: file('the token of the bot'),
    token_env: env('the token of the bot'),
    chats: oneOrMore(chat, 'a chat or a list of them').describe('Numbers of chats, or @names of channels.'),
    api: baseUrlText.prefault('https://api.telegram.org').describe('Server of the Bot API.'),
  })
  .refine(token.check, token.options)
  .describe('Messages of a Telegram bot. Needs one of `token_file` and `token_env`.');

/** Body formats of a webhook. */
export const webhookFormats = ['json', 'slack', 'discord', 'ntfy'] as const;

const url = oneSecret('url', true);
const key = oneSecret('key', false);
const bearer = oneSecret('token', false);

const needsUrl = {
  check: (value: object): boolean => 'url' in value !== url.check(value),
  options: {
    error: 'one of url, url_file and url_env is needed; an address that is itself a secret goes to a file',
    when: isBlock,
  },
};

const webhook = z
  .strictObject({
    name: label.describe('Name of the channel in logs and metrics.'),
    format: z.enum(webhookFormats).default('json').describe('Body: the whole notice, or the form of a chat service.'),
    url: httpUrl.optional().describe('URL that notices are posted to.'),
    url_file: file('the URL, where it is a secret'),
    url_env: env('the URL, where it is a secret'),
    key_file: file('the key of the signature header'),
    key_env: env('the key of the signature header'),
    token_file: file('a token that is sent as `Authorization: Bearer`'),
    token_env: env('a token that is sent as `Authorization: Bearer`'),
  })
  .refine(needsUrl.check, needsUrl.options)
  .refine(key.check, key.options)
  .refine(bearer.check, bearer.options);

const alertmanager = z
  .strictObject({
    urls: oneOrMore(baseUrlText, 'the http:// or https:// URL of an Alertmanager, or a list of them').describe(
      'URLs of all Alertmanagers of the cluster. Alerts are posted to each.',
    ),
    only_route: z
      .boolean()
      .default(true)
      .describe('Whether the Alertmanager is the only route. `false`: the other notifiers send notices too.'),
    resend: duration({ min: '10s', max: '10m' }).prefault('1m').describe('How often firing alerts are sent again.'),
    labels: z
      .record(
        z
          .string()
          .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, { error: 'expected a label name: letters, digits and underscores' })
          .meta({ title: 'label name' }),
        word('a label value', 200).describe('Value of the label.'),
      )
      .default({})
      .describe('Labels that are added to every alert.'),
    user: word('a user name').optional().describe('User of `Authorization: Basic`. Needs a password.'),
    password_file: file('the password of `user`'),
    password_env: env('the password of `user`'),
    token_file: file('a token that is sent as `Authorization: Bearer`'),
    token_env: env('a token that is sent as `Authorization: Bearer`'),
  })
  .refine(password.check, password.options)
  .refine(needsUser.check, needsUser.options)
  .refine(bearer.check, bearer.options)
  .describe('Alerts over the v2 API of Alertmanager.');

export const alive = z
  .strictObject({
    url: httpUrl.optional().describe('URL that is requested with GET.'),
    url_file: file('the URL, where it is a secret'),
    url_env: env('the URL, where it is a secret'),
    every: duration({ min: '10s', max: '1h' }).prefault('1m').describe('Time from one ping to the next.'),
  })
  .refine(needsUrl.check, needsUrl.options)
  .describe(
    "Regular ping while the scheduler runs, for a dead man's switch. Needs one of `url`, `url_file` and `url_env`.",
  );

export type AliveConfig = z.output<typeof alive>;

export const notifierSchemas = z
  .strictObject({
    email: email.optional(),
    telegram: telegram.optional(),
    webhooks: z
      .array(webhook)
      .default([])
      .describe('HTTP POST requests. Each needs one of `url`, `url_file` and `url_env`.'),
    alertmanager: alertmanager.optional(),
  })
  .describe('Channels that notices are sent to.');

export type NotifiersConfig = z.output<typeof notifierSchemas>;
export type EmailConfig = NonNullable<NotifiersConfig['email']>;
export type TelegramConfig = NonNullable<NotifiersConfig['telegram']>;
export type WebhookConfig = NotifiersConfig['webhooks'][number];
export type AlertmanagerConfig = NonNullable<NotifiersConfig['alertmanager']>;
