import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { httpUrl, label } from '../config/scalars.js';
import { bearer, env, file, needsUrl, oneSecret } from '../config/secret-fields.js';
import type { Channel } from '../outbox/channel.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import { post, requireSuccess } from './http-post.js';
import type { NoticeOrigin } from './plain-text.js';
import type { Notifier } from './notifier.js';
import { webhookBodies, webhookFormats } from './webhook-bodies.js';
import { secretOf } from './secret-of.js';

const signingKey = oneSecret('key', false);

const schema = z
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
  .refine(signingKey.check, signingKey.options)
  .refine(bearer.check, bearer.options);

export type WebhookConfig = z.output<typeof schema>;

/**
 * Posts notices to an address, in the format of a service. With a key each request is signed: `X-Hubwatch-Signature: t=…,v1=…`
 * with the time in seconds and the hexadecimal HMAC-SHA-256 of `t.body`. `Idempotency-Key` is the notice's id in every attempt.
 */
export const createWebhookChannel = (config: WebhookConfig, origin: NoticeOrigin): Channel => ({
  name: `webhook ${config.name}`,
  recipients: [''],
  async send(attempt) {
    const address = config.url ?? secretOf({ file: config.url_file, env: config.url_env }) ?? '';
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new DeliveryError('what url_file or url_env holds is no http:// or https:// URL', {
        reason: 'config',
        scope: 'channel',
      });
    const key = secretOf({ file: config.key_file, env: config.key_env });
    const token = secretOf({ file: config.token_file, env: config.token_env });
    const { url, body } = webhookBodies[config.format](attempt, { ...origin, url: address });
    const answer = await post(url, body, {
      'Content-Type': 'application/json',
      'Idempotency-Key': attempt.delivery.id,
      ...(key === undefined ? {} : { 'X-Hubwatch-Signature': signature(body, key, Math.floor(Date.now() / 1_000)) }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    });
    const { pathname, search } = new URL(address);
    requireSuccess(answer, [address, ...(pathname === '/' ? [] : [pathname]), search, key ?? '', token ?? '']);
  },
  close: () => undefined,
});

/** Header of a signed request; a receiver computes it from `t` and the bytes of the body. */
export const signature = (body: string, key: string, atSeconds: number): string =>
  `t=${atSeconds},v1=${createHmac('sha256', key).update(`${atSeconds}.${body}`).digest('hex')}`;

export const webhooks = {
  schema: z
    .array(schema)
    .default([])
    .describe('HTTP POST requests. Each needs one of `url`, `url_file` and `url_env`.'),
  channels: (configs, origin) => configs.map((config) => createWebhookChannel(config, origin)),
} satisfies Notifier<readonly WebhookConfig[]>;
