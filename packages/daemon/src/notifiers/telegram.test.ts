import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptOf, hostileText, unreadable } from '../../test/deliveries.js';
import { type HttpService, type ServiceReply, type ServiceRequest, startHttpService } from '../../test/http-service.js';
import { temporaryFolder, testConfig } from '../../test/parts.js';
import type { Channel } from '../outbox/channel.js';
import { configuredChannels } from './index.js';

const token = '123456:AA-secret_token';

interface SentMessage {
  readonly chat_id: string;
  readonly text: string;
  readonly entities?: readonly { readonly type: string; readonly offset: number; readonly length: number }[];
  readonly parse_mode?: string;
  readonly disable_notification: boolean;
}

const refusal = (status: number, description: string, parameters?: object): ServiceReply => ({
  status,
  body: JSON.stringify({ ok: false, error_code: status, description, parameters }),
});

/** The part of the Bot API that sends messages, with the checks of the real API. */
const botApi = ({ method, path, headers, body }: ServiceRequest): ServiceReply => {
  if (!path.startsWith(`/bot${token}/`)) return refusal(404, 'Not Found');
  if (method !== 'POST' || path !== `/bot${token}/sendMessage`) return refusal(404, 'Not Found: method not found');
  if (headers['content-type'] !== 'application/json') return refusal(400, 'Bad Request: message text is empty');
  const { text, entities = [], parse_mode } = JSON.parse(body) as SentMessage;
  if (text.trim() === '') return refusal(400, 'Bad Request: message text is empty');
  if (text.length > 4_096) return refusal(400, 'Bad Request: message is too long');
  if (parse_mode !== undefined) return refusal(400, "Bad Request: can't parse entities");
  if (entities.some(({ offset, length }) => offset + length > text.length))
    return refusal(400, 'Bad Request: entity beyond the text');
  return { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 7 } }) };
};

const channelTo = (service: Pick<HttpService, 'url'>, chats: readonly (string | number)[] = [-1001]): Channel => {
  const file = join(temporaryFolder(), 'token');
  writeFileSync(file, `${token}\n`);
  const telegram = { token_file: file, chats, api: service.url };
  const [channel] = configuredChannels(
    testConfig(
      ['own'],
      `notifiers: ${JSON.stringify({ telegram })}\nalerts: {external_url: "http://monitor:9190", monitor: here}`,
    ),
  );
  if (channel === undefined) throw new Error('no channel');
  return channel;
};

const sent = ({ requests }: HttpService): SentMessage => JSON.parse(requests.at(-1)?.body ?? '') as SentMessage;

/** Text in which a client would detect markup, links and mentions. */
const outsidePre = ({ text, entities = [] }: SentMessage): string =>
  entities.toReversed().reduce((left, { offset, length }) => left.slice(0, offset) + left.slice(offset + length), text);

test('telegram: rule and severity, then the unchanged notice, and the address of the page', async () => {
  const service = await startHttpService(botApi);
  const channel = channelTo(service, [-1001, '@ops_channel']);
  expect(channel.recipients).toEqual(['-1001', '@ops_channel']);
  await channel.send(attemptOf({}, { recipient: '-1001' }));
  expect(sent(service)).toMatchObject({ chat_id: '-1001', disable_notification: false });
  expect(sent(service).text.split('\n')).toEqual([
    '[critical] HubNodeInactive',
    'five: inactive',
    '',
    '1 lease ended in block 901904:',
    '- lease 4: 38885udvpn refunded',
    '',
    'Rule: HubNodeInactive, severity: critical',
    'Seen: 2027-01-15T08:00:00.000Z by here',
    'Notice: second',
    'http://monitor:9190',
  ]);
});

test('telegram: hostile text becomes no markup, link, mention or command', async () => {
  const service = await startHttpService(botApi);
  await channelTo(service).send(attemptOf({ title: hostileText, text: hostileText }, { recipient: '1' }));
  const message = sent(service);
  expect(message.text).not.toMatch(unreadable);
  expect(outsidePre(message)).toBe('[critical] HubNodeInactive\n\nhttp://monitor:9190');
  expect(message.text).toContain('<b>bold <i>never closed');
});

test('telegram: a text of any length is cut to the limit of the Bot API', async () => {
  const service = await startHttpService(botApi);
  await channelTo(service).send(attemptOf({ text: '💥'.repeat(50_000) }, { recipient: '1' }));
  const message = sent(service);
  expect(message.text.length).toBeLessThanOrEqual(4_096);
  expect(message.text).toContain('…');
  expect(message.text).not.toMatch(unreadable);
});

test('telegram: a recovery and an information are silent', async () => {
  const service = await startHttpService(botApi);
  const channel = channelTo(service);
  await channel.send(attemptOf({ kind: 'recovered' }, { recipient: '1' }));
  expect(sent(service).disable_notification).toBe(true);
  expect(sent(service).text).toMatch(/^\[recovered\] /);
  await channel.send(attemptOf({ severity: 'info' }, { recipient: '1' }));
  expect(sent(service).disable_notification).toBe(true);
});

test('telegram: a group that became a supergroup is followed', async () => {
  const service = await startHttpService((request) => {
    const { chat_id } = JSON.parse(request.body) as SentMessage;
    return chat_id === '-5'
      ? refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1005 })
      : botApi(request);
  });
  const channel = channelTo(service, [-5]);
  await channel.send(attemptOf({}, { recipient: '-5' }));
  await channel.send(attemptOf({}, { recipient: '-5' }));
  expect(service.requests.map(({ body }) => (JSON.parse(body) as SentMessage).chat_id)).toEqual([
    '-5',
    '-1005',
    '-1005',
  ]);
});

test.each<[string, ServiceReply, object]>([
  ['an unknown token', refusal(401, 'Unauthorized'), { reason: 'auth', scope: 'channel' }],
  ['a token of no bot', refusal(404, 'Not Found'), { reason: 'auth', scope: 'channel' }],
  [
    'a chat that is not there',
    refusal(400, 'Bad Request: chat not found'),
    { reason: 'recipient', scope: 'recipient' },
  ],
  ['a bot that was blocked', refusal(403, 'Forbidden: bot was blocked'), { reason: 'recipient', scope: 'recipient' }],
  [
    'a text that is too long',
    refusal(400, 'Bad Request: message is too long'),
    { reason: 'too_large', scope: 'notice' },
  ],
  [
    'entities it cannot read',
    refusal(400, "Bad Request: can't parse entities"),
    { reason: 'content', scope: 'notice' },
  ],
  [
    'too many messages',
    refusal(429, 'Too Many Requests: retry after 35', { retry_after: 35 }),
    { reason: 'rate_limited', scope: 'recipient', waitMs: 35_000 },
  ],
  ['a fault of its own', refusal(502, 'Bad Gateway'), { reason: 'temporary', scope: 'channel' }],
  ['a page of a proxy', { status: 200, body: '<html>login</html>' }, { reason: 'other', scope: 'channel' }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { reason: 'config', scope: 'channel' }],
])('telegram: %s', async (_case, reply, expected) => {
  const service = await startHttpService(() => reply);
  await expect(channelTo(service).send(attemptOf({}, { recipient: '1' }))).rejects.toMatchObject(expected);
});

test('telegram: no error contains the token, even if the server repeats it', async () => {
  const service = await startHttpService(({ path }) => refusal(500, `no ${path}`));
  const channel = channelTo(service);
  const failure = await channel.send(attemptOf({}, { recipient: '1' })).catch((error: unknown) => error);
  expect(String(failure)).toContain('no /bot…/sendMessage');
  await service.close();
  const refused = await channel.send(attemptOf({}, { recipient: '1' })).catch((error: unknown) => error);
  expect(refused).toMatchObject({ reason: 'unreachable', scope: 'channel' });
  expect(String(refused)).not.toContain('secret_token');
});

test('telegram: a missing token file is a configuration error', async () => {
  const [channel] = configuredChannels(
    testConfig(['own'], 'notifiers: {telegram: {token_file: /absent/x, chats: [1]}}'),
  );
  await expect(channel?.send(attemptOf())).rejects.toMatchObject({ reason: 'config', scope: 'channel' });
});
