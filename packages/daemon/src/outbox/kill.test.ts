import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Mail, startMailServer } from '../../test/mail-server.js';
import { temporaryFolder } from '../../test/parts.js';

const subjects = 25;
const kills = 4;

test('outbox: kill -9 at any time: no notice lost, at most one duplicate per kill with the same id, and order preserved', async () => {
  const store = join(temporaryFolder(), 'hubwatch.db');
  const server = await startMailServer();
  const attempts: Mail[] = [];
  let killAt = 6;
  let child: ChildProcess | undefined;
  server.onMail = (mail) => {
    attempts.push(mail);
    // Killed while the mail is accepted: the daemon never receives the reply.
    if (attempts.length === killAt) child?.kill('SIGKILL');
  };
  const start = (): ChildProcess => {
    const script = join(import.meta.dirname, '../../test/outbox-child.ts');
    const args = [
      '--conditions=@hubwatch/source',
      '--import',
      'tsx',
      script,
      store,
      String(server.port),
      String(subjects),
    ];
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  onTestFinished(() => {
    child?.kill('SIGKILL');
  });
  for (let kill = 0; kill < kills; kill += 1) {
    child = start();
    await once(child, 'exit');
    killAt = attempts.length + 3 + ((kill * 5) % 7);
  }
  killAt = Number.POSITIVE_INFINITY;
  child = start();
  const ids = (): Map<string, Mail> =>
    new Map(server.mails.map((mail) => [mail.headers.get('message-id') ?? '', mail]));
  while (ids().size < 2 * subjects) await server.received(server.mails.length + 1);

  expect(ids().size).toBe(2 * subjects);
  expect(server.mails.length).toBeLessThanOrEqual(2 * subjects + kills);
  const told = [...ids().values()].map((mail) => /\[(\w+)\] (s\d+)/.exec(mail.headers.get('subject') ?? ''));
  for (let subject = 0; subject < subjects; subject += 1) {
    expect(told.filter((match) => match?.[2] === `s${subject}`).map((match) => match?.[1])).toEqual([
      'warning',
      'recovered',
    ]);
  }
});
