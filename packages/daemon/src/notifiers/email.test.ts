import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type MailStage, startMailServer } from '../../test/mail-server.js';
import { temporaryFolder, testConfig } from '../../test/parts.js';
import type { Attempt, Delivery } from '../outbox/channel.js';
import { createEmailChannel } from './email.js';
import { configuredChannels } from './index.js';

const delivery: Delivery = {
  id: 'second',
  threadId: 'first',
  members: [],
  kind: 'firing',
  rule: 'HubNodeInactive',
  severity: 'critical',
  title: 'five: inactive',
  text: '1 lease ended in block 901904:\n- lease 4: 38885udvpn refunded',
  atMs: 1_800_000_000_000,
};

const attempt = (facts: Partial<Delivery> = {}, more: Partial<Attempt> = {}): Attempt => ({
  delivery: { ...delivery, ...facts },
  recipient: 'a@example.org',
  isShort: false,
  ...more,
});

const channelTo = (port: number, more: Record<string, unknown> = {}) => {
  const email = {
    host: '127.0.0.1',
    port,
    tls: 'none',
    from: 'hubwatch <watch@example.org>',
    to: ['a@example.org', 'Bea <b@example.org>'],
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

const mailOf = async (facts: Partial<Delivery> = {}, more: Partial<Attempt> = {}) => {
  const server = await startMailServer();
  const channel = channelTo(server.port);
  await channel.send(attempt(facts, more));
  channel.close();
  const [mail] = server.mails;
  if (mail === undefined) throw new Error('no mail');
  return mail;
};

test('email: carries the stable Message-ID, threads by alert, and contains everything in plain text', async () => {
  const { headers, body } = await mailOf();
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

test('email: sent to one recipient at a time, and lists them all', async () => {
  const { to, headers } = await mailOf({}, { recipient: 'Bea <b@example.org>' });
  expect(to).toEqual(['b@example.org']);
  expect(headers.get('to')).toBe('a@example.org, Bea <b@example.org>');
});

test('email: its Date is the time of the change, even if it is sent late', async () => {
  const { headers } = await mailOf();
  expect(Date.parse(headers.get('date') ?? '')).toBe(delivery.atMs);
});

test('email: the first mail of a thread has no references; a recovery is marked as such', async () => {
  const { headers } = await mailOf({ threadId: 'second', kind: 'recovered' });
  expect(headers.has('in-reply-to')).toBe(false);
  expect(headers.get('subject')).toBe('[recovered] five: inactive (HubNodeInactive)');
});

test('email: hostile text adds neither a header nor a recipient', async () => {
  const hostile = 'x\r\nBcc: evil@example.net\r\n\r\n<script>\u2028\u202e';
  const { raw, headers, to, body } = await mailOf({
    title: hostile,
    text: `${hostile}\r\n.\r\nRCPT TO:<evil@example.net>`,
  });
  expect(to).toEqual(['a@example.org']);
  expect(headers.has('bcc')).toBe(false);
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc/im);
  expect(headers.get('subject')).toContain('x Bcc: evil@example.net');
  expect(body).not.toContain('\u202e');
});

test('email: text that names a file or a URL causes no read of either', async () => {
  const { body } = await mailOf({ title: 'file:///etc/passwd', text: 'path: /etc/passwd\nhref: http://127.0.0.1:1/x' });
  expect(body).not.toContain('root:');
  expect(body).toContain('path: /etc/passwd');
});

test('email: a short form contains the beginning, and states that it is shortened', async () => {
  const text = Array.from({ length: 2_000 }, (_, index) => `- lease ${index}`).join('\n');
  const { body } = await mailOf({ text }, { isShort: true });
  expect(body).toContain('- lease 0');
  expect(body).not.toContain('- lease 1999');
  expect(body.replace(/\s+/g, ' ')).toContain('This is a short form');
  expect(body.length).toBeLessThan(4_000);
});

test('email: long lines are broken at spaces, and the text is sent unencoded', async () => {
  const item = `- lease 4 of sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk: 38\u202f885 udvpn refunded to the provider`;
  const { body, headers } = await mailOf({ text: item });
  expect(headers.get('content-transfer-encoding')).toBe('7bit');
  expect(body.replaceAll('\r\n', '\n')).toContain(
    '- lease 4 of sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk: 38 885 udvpn\n  refunded to the provider\n',
  );
});

test('email: the password is read from its file at each attempt; a missing file is a failure of the channel', async () => {
  const file = join(temporaryFolder(), 'password');
  const server = await startMailServer({ login: { user: 'u', password: 's3cret' } });
  const channel = channelTo(server.port, { user: 'u', password_file: file });
  await expect(channel.send(attempt())).rejects.toMatchObject({ reason: 'config', scope: 'channel' });
  writeFileSync(file, 'wrong\n');
  await expect(channel.send(attempt())).rejects.toMatchObject({ reason: 'auth', scope: 'channel' });
  writeFileSync(file, 's3cret\n');
  await channel.send(attempt());
  expect(server.mails).toHaveLength(1);
});

test('email: STARTTLS is the default, and nothing is sent to a server without it', async () => {
  const server = await startMailServer();
  await expect(channelTo(server.port, { tls: 'starttls' }).send(attempt())).rejects.toMatchObject({
    reason: 'tls',
    scope: 'channel',
  });
  expect(server.mails).toHaveLength(0);
});

test.each<[MailStage, string, object]>([
  ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', { reason: 'tls', scope: 'channel' }],
  ['MAIL FROM', '530 5.7.0 Authentication required', { reason: 'auth', scope: 'channel' }],
  ['MAIL FROM', '550 5.7.1 Sender not allowed', { reason: 'sender', scope: 'channel' }],
  ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', { reason: 'too_large', scope: 'notice' }],
  ['MAIL FROM', '451 4.3.0 Try again later', { reason: 'temporary', scope: 'channel' }],
  ['MAIL FROM', '421 4.7.0 Too many connections', { reason: 'temporary', scope: 'channel' }],
  ['RCPT TO', '550 5.1.1 No such user', { reason: 'recipient', scope: 'recipient' }],
  ['RCPT TO', '552 5.2.2 Mailbox full', { reason: 'recipient', scope: 'recipient' }],
  ['RCPT TO', '554 5.7.1 Relay access denied', { reason: 'sender', scope: 'recipient' }],
  ['RCPT TO', '450 4.2.0 Greylisted', { reason: 'temporary', scope: 'recipient' }],
  ['DATA', '550 5.7.26 Mail from this domain is not authenticated', { reason: 'sender', scope: 'recipient' }],
  ['DATA', '554 5.7.1 Rejected as spam', { reason: 'content', scope: 'notice' }],
  ['DATA', '554 5.6.0 Message content rejected', { reason: 'content', scope: 'notice' }],
  ['DATA', '552 5.3.4 Message too big for system', { reason: 'too_large', scope: 'notice' }],
  ['DATA', '552 5.7.0 Blocked because its content is a risk', { reason: 'content', scope: 'notice' }],
  ['DATA', '451 4.7.1 Try again later', { reason: 'temporary', scope: 'notice' }],
])('email: %s with the reply %s', async (stage, reply, expected) => {
  const server = await startMailServer();
  server.refuse = (at) => (at === stage ? reply : undefined);
  await expect(channelTo(server.port).send(attempt())).rejects.toMatchObject(expected);
});

test.each([
  ['535 5.7.8 Bad credentials', 'auth'],
  ['534 5.7.9 Application-specific password required', 'auth'],
  ['454 4.7.0 Temporary authentication failure', 'temporary'],
])('email: a login with the reply %s', async (reply, reason) => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'x');
  const server = await startMailServer({ login: { user: 'u', password: 'x' } });
  server.refuse = (at) => (at === 'AUTH' ? reply : undefined);
  const channel = channelTo(server.port, { user: 'u', password_file: file });
  await expect(channel.send(attempt())).rejects.toMatchObject({ reason, scope: 'channel' });
});

test('email: no server at the address is a failure of the channel', async () => {
  const server = await startMailServer();
  await server.close();
  await expect(channelTo(server.port).send(attempt())).rejects.toMatchObject({
    reason: 'unreachable',
    scope: 'channel',
  });
});

test.each([
  ['drips a byte of its greeting at a time', (socket: Socket) => setInterval(() => socket.write('2'), 5)],
  ['accepts and never says a word', () => undefined],
])('email: a server that %s ends the attempt, and its connection, at a single deadline', async (_, serve) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const timer = serve(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { email } = testConfig(
    ['own'],
    `notifiers: ${JSON.stringify({ email: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: 'none', from: 'w@example.org', to: ['a@example.org'] } })}`,
  ).notifiers;
  if (email === undefined) throw new Error('no mail is configured');
  const channel = createEmailChannel(email, { monitor: 'here', statusPage: undefined }, 300);
  for (let attempts = 0; attempts < 3; attempts++) {
    await expect(channel.send(attempt())).rejects.toMatchObject({ reason: 'timeout', scope: 'channel' });
    await expect.poll(() => sockets.size).toBe(0);
  }
});
