import { z } from 'zod';
import { baseUrl, duration, httpUrl, isBlock, label, mailAddress, oneOrMore, word } from './scalars.js';

const file = word('the path of a file').optional();
const env = word('the name of an environment variable').optional();

/** Refuses a secret that is given twice, and asks for one that is needed. */
const oneSecret = (name: string, isNeeded: boolean) => ({
  check: (value: object): boolean => {
    const given = [`${name}_file`, `${name}_env`].filter((key) => key in value).length;
    return given === 1 || (given === 0 && !isNeeded);
  },
  options: {
    error: isNeeded
      ? `one of ${name}_file and ${name}_env is needed, which say where the ${name} stands`
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
    host: word('the name of a mail server, such as smtp.example.org'),
    port: z.int().min(1).max(65_535).default(587),
    tls: z.enum(['starttls', 'implicit', 'none']).default('starttls'),
    user: word('a user name').optional(),
    password_file: file,
    password_env: env,
    from: mailAddress,
    to: oneOrMore(mailAddress, 'a mail address or a list of them'),
  })
  .refine(password.check, password.options)
  .refine(needsUser.check, needsUser.options);

const notAChat = 'expected the number of a chat, such as -1001234567890, or the @name of a channel';

const chat = z
  .union([z.int(), z.string()], { error: notAChat })
  .transform(String)
  .refine((text) => /^(?:@\w{4,}|-?\d+)$/.test(text), { error: notAChat });

const token = oneSecret('token', true);

const telegram = z
  .strictObject({
    token_file: file,
    token_env: env,
    chats: oneOrMore(chat, 'a chat or a list of them'),
    /** Another server that speaks the Bot API. */
    api: baseUrl.default('https://api.telegram.org'),
  })
  .refine(token.check, token.options);

/** Bodies that a webhook can be sent in. */
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
    name: label,
    format: z.enum(webhookFormats).default('json'),
    url: httpUrl.optional(),
    url_file: file,
    url_env: env,
    /** Key of the signature header. */
    key_file: file,
    key_env: env,
    /** Sent as `Authorization: Bearer …`. */
    token_file: file,
    token_env: env,
  })
  .refine(needsUrl.check, needsUrl.options)
  .refine(key.check, key.options)
  .refine(bearer.check, bearer.options);

const alertmanager = z
  .strictObject({
    urls: oneOrMore(baseUrl, 'the http:// or https:// URL of an Alertmanager, or a list of them'),
    /** With it, nothing goes to other notifiers: the Alertmanager routes. */
    only_route: z.boolean().default(true),
    /** How often what fires is sent again. */
    resend: duration({ min: '10s', max: '10m' }).default(60_000),
    /** Labels of every alert. */
    labels: z
      .record(
        z
          .string()
          .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, { error: 'expected a label name: letters, digits and underscores' }),
        word('a label value', 200),
      )
      .default({}),
    user: word('a user name').optional(),
    password_file: file,
    password_env: env,
    token_file: file,
    token_env: env,
  })
  .refine(password.check, password.options)
  .refine(needsUser.check, needsUser.options)
  .refine(bearer.check, bearer.options);

/** Whom to tell that the daemon lives, so that somebody notices when it does not. */
export const alive = z
  .strictObject({
    url: httpUrl.optional(),
    url_file: file,
    url_env: env,
    every: duration({ min: '10s', max: '1h' }).default(60_000),
  })
  .refine(needsUrl.check, needsUrl.options);

export type AliveConfig = z.output<typeof alive>;

/** Ways to reach people. */
export const notifiers = z.strictObject({
  email: email.optional(),
  telegram: telegram.optional(),
  webhooks: z.array(webhook).default([]),
  alertmanager: alertmanager.optional(),
});

export type NotifiersConfig = z.output<typeof notifiers>;
export type EmailConfig = NonNullable<NotifiersConfig['email']>;
export type TelegramConfig = NonNullable<NotifiersConfig['telegram']>;
export type WebhookConfig = NotifiersConfig['webhooks'][number];
export type AlertmanagerConfig = NonNullable<NotifiersConfig['alertmanager']>;
