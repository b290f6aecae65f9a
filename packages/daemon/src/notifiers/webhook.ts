import { createHmac } from 'node:crypto';
import type { WebhookConfig } from '../config/notifier-schemas.js';
import type { Channel } from '../outbox/channel.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import { post, requireSuccess } from './http-post.js';
import type { NoticeOrigin } from './plain-text.js';
import { webhookBodies } from './webhook-bodies.js';
import { secretOf } from './secret-of.js';

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
