import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@hubwatch/daemon';
import { describe, expect, it } from 'vitest';
import { demoConfig } from './demo-config.js';
import { startMailbox, subjectOf } from './mailbox.js';

describe('demo', () => {
  it('demo: the daemon accepts its configuration', () => {
    const text = demoConfig({
      node: {
        grpc: '127.0.0.1:9090',
        rest: 'http://127.0.0.1:1317',
        rpc: 'http://127.0.0.1:26657',
        chainId: 'hub-golden-2',
      },
      web: '127.0.0.1:9190',
      smtp: '127.0.0.1:2525',
      mailTo: 'operator@example.org',
      store: '/tmp/store.db',
      nodes: [{ alias: 'node1', address: 'sent1ythg7xx6sa4n8778zkdyn3hepmy9hl8puzm4xt' }],
      providers: [{ alias: 'prov1', address: 'sent1ythg7xx6sa4n8778zkdyn3hepmy9hl8puzm4xt' }],
      accounts: [{ alias: 'acc1', address: 'sent1ythg7xx6sa4n8778zkdyn3hepmy9hl8puzm4xt' }],
    });
    const config = parseConfig(text);
    expect(config.watch.nodes[0]?.address).toMatch(/^sentnode1/);
    expect(config.watch.providers[0]?.address).toMatch(/^sentprov1/);
    expect(config.watch.accounts[0]?.address).toMatch(/^sent1/);
    expect(config.notifiers.email).toMatchObject({ host: '127.0.0.1', port: 2525, to: ['operator@example.org'] });
  });

  it.each([
    ['Subject: plain\r\n\r\nbody', 'plain'],
    ['From: a\r\nSubject: folded\r\n  line\r\n\r\nbody', 'folded line'],
    ['Subject: =?UTF-8?Q?caf=C3=A9_late?=\r\n\r\n', 'café late'],
    ['Subject: =?UTF-8?B?Y2Fmw6k=?=\r\n\r\n', 'café'],
    ['From: a\r\n\r\nSubject of the body', '(no subject)'],
  ])('mailbox: the subject of %j is %j', (mail, subject) => {
    expect(subjectOf(mail)).toBe(subject);
  });

  it('mailbox: an accepted mail is stored as a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hubwatch-mailbox-'));
    const subjects: string[] = [];
    const mailbox = await startMailbox(join(folder, 'mail'), (subject) => subjects.push(subject));
    await sendRaw(mailbox.port, 'Subject: hello\r\n\r\nworld');
    expect(subjects).toEqual(['hello']);
    expect(await readFile(join(mailbox.folder, '0001.eml'), 'utf8')).toContain('world');
    await mailbox.close();
    await rm(folder, { recursive: true });
  });
});

/** Sends one mail over raw SMTP: each command follows the response to the previous one. */
function sendRaw(port: number, mail: string): Promise<void> {
  const commands = [
    'EHLO test',
    'MAIL FROM:<a@example.org>',
    'RCPT TO:<b@example.org>',
    'DATA',
    `${mail}\r\n.`,
    'QUIT',
  ];
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (data) => {
      const answers = data.toString().trim().split('\r\n');
      if (!/^\d{3} /.test(answers.at(-1) ?? '')) return;
      const command = commands.shift();
      if (command !== undefined) socket.write(`${command}\r\n`);
    });
    socket.on('close', () => done());
    socket.on('error', failed);
  });
}
