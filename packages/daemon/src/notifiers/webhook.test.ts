import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptOf, hostileText, unreadable } from '../../test/deliveries.js';
import { type HttpService, type ServiceReply, startHttpService } from '../../test/http-service.js';
import { temporaryFolder, testConfig } from '../../test/parts.js';
import type { Channel } from '../outbox/channel.js';
import { configuredChannels } from './index.js';

const channelTo = (url: string, more: Record<string, unknown> = {}): Channel => {
  const webhooks = [{ name: 'ops', url, ...more }];
  const [channel] = configuredChannels(
    testConfig(
      ['own'],
      `notifiers: ${JSON.stringify({ webhooks })}\nalerts: {external_url: "http://monitor:9190", monitor: here}`,
    ),
  );
  if (channel === undefined) throw new Error('no channel');
  return channel;
};

const bodyOf = <T>({ requests }: HttpService): T => JSON.parse(requests.at(-1)?.body ?? '') as T;

const secretFile = (text: string): string => {
  const file = join(temporaryFolder(), 'secret');
  writeFileSync(file, `${text}\n`);
  return file;
};

test('webhook: the own format contains every field, the id and an idempotency key', async () => {
  const service = await startHttpService();
  const channel = channelTo(`${service.url}/hook`);
  expect(channel).toMatchObject({ name: 'webhook ops', recipients: [''] });
  await channel.send(attemptOf());
  expect(service.requests[0]).toMatchObject({
    method: 'POST',
    path: '/hook',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'second' },
  });
  expect(bodyOf(service)).toEqual({
    version: 1,
    id: 'second',
    threadId: 'first',
    kind: 'firing',
    rule: 'HubNodeInactive',
    severity: 'critical',
    title: 'five: inactive',
    text: '1 lease ended in block 901904:\n- lease 4: 38885udvpn refunded',
    at: '2027-01-15T08:00:00.000Z',
    members: [{ subject: 'five', title: 'five: inactive', isFiring: true }],
    monitor: 'here',
    statusPage: 'http://monitor:9190',
  });
});

test('webhook: a key signs time and body, a token is sent unchanged; both are read from their files', async () => {
  const service = await startHttpService();
  const sentAfter = Math.floor(Date.now() / 1_000);
  await channelTo(service.url, { key_file: secretFile('k3y'), token_file: secretFile('t0ken') }).send(attemptOf());
  const [request] = service.requests;
  const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['x-hubwatch-signature'])) ?? [];
  expect(given).toBe(createHmac('sha256', 'k3y').update(`${at}.${request?.body}`).digest('hex'));
  const sentBefore = Date.now() / 1_000;
  expect(Number(at)).toBeGreaterThanOrEqual(sentAfter);
  expect(Number(at)).toBeLessThanOrEqual(sentBefore);
  expect(request?.headers.authorization).toBe('Bearer t0ken');
});

test('webhook slack: sends plain text blocks only, with an escaped fallback', async () => {
  const service = await startHttpService();
  await channelTo(service.url, { format: 'slack' }).send(
    attemptOf({ title: hostileText, text: hostileText.repeat(100) }),
  );
  const body = bodyOf<{ text: string; blocks: { text: { type: string; text: string; emoji: boolean } }[] }>(service);
  expect(body.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  expect(body.text).toContain('&lt;b&gt;bold');
  expect(body.blocks.map(({ text }) => text.type)).toEqual(['plain_text', 'plain_text']);
  expect(body.blocks[0]?.text.text).toBe('[critical] HubNodeInactive');
  expect(body.blocks[1]?.text.text.length).toBeLessThanOrEqual(3_000);
  for (const { text } of body.blocks) expect(text.text).not.toMatch(unreadable);
});

test('webhook discord: the text stays in its code block, and mentions no user', async () => {
  const service = await startHttpService(() => ({ status: 204 }));
  await channelTo(service.url, { format: 'discord' }).send(
    attemptOf({ title: hostileText, text: hostileText.repeat(100) }),
  );
  const body = bodyOf<{
    allowed_mentions: object;
    embeds: { title: string; description: string; timestamp: string; color: number }[];
  }>(service);
  expect(body.allowed_mentions).toEqual({ parse: [] });
  const [embed] = body.embeds;
  expect(embed?.title).toBe('[critical] HubNodeInactive');
  expect(embed?.description).toMatch(/^```\n[^`]*\n```$/);
  expect(embed?.description.length).toBeLessThanOrEqual(4_096);
  expect(embed?.description).not.toMatch(unreadable);
  expect(embed?.timestamp).toBe('2027-01-15T08:00:00.000Z');
});

test('webhook ntfy: posts plain text within the limit to the server root, with the topic', async () => {
  const service = await startHttpService();
  await channelTo(`${service.url}/sub/hub%20watch`, { format: 'ntfy' }).send(
    attemptOf({ title: hostileText, text: `${hostileText}${'é'.repeat(9_000)}` }),
  );
  expect(service.requests[0]?.path).toBe('/sub/');
  const body = bodyOf<{ topic: string; title: string; message: string; priority: number; click: string }>(service);
  expect(body).toMatchObject({ topic: 'hub watch', priority: 5, click: 'http://monitor:9190' });
  expect(body).not.toHaveProperty('markdown');
  expect(Buffer.byteLength(body.message)).toBeLessThanOrEqual(4_096);
  expect(`${body.title}${body.message}`).not.toMatch(unreadable);
});

test.each(['json', 'slack', 'discord', 'ntfy'])('webhook %s: the short form is short', async (format) => {
  const service = await startHttpService();
  await channelTo(`${service.url}/t`, { format }).send(attemptOf({ text: 'x'.repeat(50_000) }, { isShort: true }));
  expect(service.requests[0]?.body.length).toBeLessThan(2_500);
});

test.each<[ServiceReply | undefined, object]>([
  [{ status: 401 }, { reason: 'auth', scope: 'channel' }],
  [
    { status: 404, body: 'no_service' },
    { reason: 'recipient', scope: 'channel' },
  ],
  [{ status: 410 }, { reason: 'recipient', scope: 'channel' }],
  [{ status: 413 }, { reason: 'too_large', scope: 'notice' }],
  [
    { status: 400, body: 'invalid_payload' },
    { reason: 'content', scope: 'notice' },
  ],
  [
    { status: 429, headers: { 'retry-after': '7' } },
    { reason: 'rate_limited', scope: 'channel', waitMs: 7_000 },
  ],
  [{ status: 503 }, { reason: 'temporary', scope: 'channel' }],
  [
    { status: 301, headers: { location: 'http://127.0.0.1:1/' } },
    { reason: 'config', scope: 'channel' },
  ],
  [undefined, { reason: 'unreachable', scope: 'channel' }],
])('webhook: response %j', async (reply, expected) => {
  const service = await startHttpService(() => reply);
  await expect(channelTo(service.url).send(attemptOf())).rejects.toMatchObject(expected);
  expect(service.requests).toHaveLength(1);
});

test('webhook: no error contains a secret address; an endless response is not read to its end', async () => {
  const service = await startHttpService(({ path }) => ({ status: 500, body: `${path} `.repeat(1_000_000) }));
  const file = secretFile(`${service.url}/services/T0/s3cret`);
  const channel = channelTo('', { url: undefined, url_file: file });
  const failure = await channel.send(attemptOf()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'temporary' });
  expect(String(failure)).not.toContain('s3cret');
  expect(String(failure).length).toBeLessThan(400);
});

test('webhook: a file without an address is a configuration error', async () => {
  const channel = channelTo('', { url: undefined, url_file: secretFile('not an address') });
  await expect(channel.send(attemptOf())).rejects.toMatchObject({ reason: 'config', scope: 'channel' });
});
