import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type MailServerOptions, startMailServer } from '../../test/mail-server.js';
import { temporaryFolder, testConfig } from '../../test/parts.js';
import type { Delivery } from '../outbox/channel.js';
import { configuredChannels } from './index.js';

const delivery: Delivery = {
  id: 'second',
  threadId: 'first',
  kind: 'firing',
  rule: 'HubNodeInactive',
  severity: 'critical',
  title: 'five: inactive',
  text: '1 lease ended in block 901904:\n- lease 4: 38885udvpn refunded',
  atMs: 1_800_000_000_000,
};

const channelTo = (port: number, more: Record<string, unknown> = {}) => {
  const email = {
    host: '127.0.0.1',
    port,
    tls: 'none',
    from: 'hubwatch <watch@example.org>',
    to: ['a@example.org', 'b@example.org'],
    ...more,
  };
  const config = testConfig(
    ['own'],
    `notifiers: ${JSON.stringify({ email })}\nalerts: {external_url: "http://monitor:9190/"}`,
  );
  const [channel] = configuredChannels(config);
  if (channel === undefined) throw new Error('no channel');
  return channel;
};

const mailOf = async (sent: Delivery) => {
  const server = await startMailServer();
  const channel = channelTo(server.port);
  await channel.send(sent);
  channel.close();
  const [mail] = server.mails;
  if (mail === undefined) throw new Error('no mail');
  return mail;
};

test('email: carries the stable Message-ID, threads by alert, and says everything in plain text', async () => {
  const { headers, body, to } = await mailOf(delivery);
  expect(to).toEqual(['a@example.org', 'b@example.org']);
  expect(headers.get('message-id')).toBe('<second@example.org>');
  expect(headers.get('in-reply-to')).toBe('<first@example.org>');
  expect(headers.get('references')).toBe('<first@example.org>');
  expect(headers.get('subject')).toBe('[critical] five: inactive (HubNodeInactive)');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(body).toContain('- lease 4: 38885udvpn refunded');
  expect(body).toContain('Status page: http://monitor:9190');
  expect(body).toContain('Notice: second');
});

test('email: the first of a thread refers to nothing; a recovery says so', async () => {
  const { headers } = await mailOf({ ...delivery, threadId: 'second', kind: 'recovered' });
  expect(headers.has('in-reply-to')).toBe(false);
  expect(headers.get('subject')).toBe('[recovered] five: inactive (HubNodeInactive)');
});

test('email: hostile text makes neither a header nor a recipient', async () => {
  const hostile = 'x\r\nBcc: evil@example.net\r\n\r\n<script>\u2028\u202e';
  const { raw, headers, to, body } = await mailOf({
    ...delivery,
    title: hostile,
    text: `${hostile}\r\n.\r\nRCPT TO:<evil@example.net>`,
  });
  expect(to).toEqual(['a@example.org', 'b@example.org']);
  expect(headers.has('bcc')).toBe(false);
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc/im);
  expect(headers.get('subject')).toContain('x Bcc: evil@example.net');
  expect(body).not.toContain('\u202e');
});

test('email: long lines are broken at blanks, and the text is sent as it reads', async () => {
  const item = `- lease 4 of sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk: 38885udvpn refunded to the provider`;
  const { body, headers } = await mailOf({ ...delivery, text: item });
  expect(headers.get('content-transfer-encoding')).toBe('7bit');
  expect(body.replaceAll('\r\n', '\n')).toContain(
    '- lease 4 of sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk: 38885udvpn\n  refunded to the provider\n',
  );
});

test('email: the password comes from its file at each attempt', async () => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'wrong\n');
  const server = await startMailServer({ login: { user: 'u', password: 's3cret' } });
  const channel = channelTo(server.port, { user: 'u', password_file: file });
  await expect(channel.send(delivery)).rejects.toMatchObject({ reason: 'auth', retry: 'again', concernsChannel: true });
  writeFileSync(file, 's3cret\n');
  await channel.send(delivery);
  expect(server.mails).toHaveLength(1);
});

test('email: STARTTLS is the default, and a server without it gets nothing', async () => {
  const server = await startMailServer();
  await expect(channelTo(server.port, { tls: 'starttls' }).send(delivery)).rejects.toMatchObject({
    reason: 'tls',
    retry: 'again',
  });
  expect(server.mails).toHaveLength(0);
});

test.each<[string, MailServerOptions, object]>([
  [
    'refused for good',
    { refuseRecipient: { code: 550 } },
    { reason: 'rejected', retry: 'never', concernsChannel: false },
  ],
  [
    'refused for now',
    { refuseRecipient: { code: 450 } },
    { reason: 'temporary', retry: 'again', concernsChannel: false },
  ],
])('email: a recipient %s', async (_case, options, expected) => {
  const server = await startMailServer(options);
  await expect(channelTo(server.port).send(delivery)).rejects.toMatchObject(expected);
});

test('email: no server at the address concerns the channel', async () => {
  const server = await startMailServer();
  await server.close();
  await expect(channelTo(server.port).send(delivery)).rejects.toMatchObject({
    reason: 'refused',
    retry: 'again',
    concernsChannel: true,
  });
});
