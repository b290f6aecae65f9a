import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../test/mail-server.js';
import { temporaryFolder } from '../test/parts.js';
import { type Scene, startScene } from '../test/scene.js';
import { openStore } from './store/store.js';

const start = 1_800_000_000_000;

/** A small file system, which only root can mount. */
const smallDisk = (): string => {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
};

const fillDisk = (folder: string): (() => void) => {
  const file = join(folder, 'fill');
  for (let bytes = 65_536; bytes >= 512; bytes /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // There is no room for a piece of this size.
    }
  }
  return () => rmSync(file);
};

/** Advances time by a minute, and awaits the work started by its timers. */
const aMinute = async ({ clock, app }: Scene): Promise<void> => {
  for (let second = 0; second < 60; second += 5) {
    clock.advance(5_000);
    await app.pollNow();
  }
};

test.skipIf(process.getuid?.() !== 0)(
  'app: on a full disk notices are sent from memory, the daemon is unhealthy, and all data reach the disk once there is room',
  async () => {
    const server = await startMailServer();
    const folder = smallDisk();
    const scene = await startScene(start, { smtpPort: server.port, folder });
    const free = fillDisk(folder);
    await aMinute(scene);
    await server.received(1);
    expect(server.mails[0]?.headers.get('subject')).toContain('the disk is full');
    expect((await scene.get('/-/healthy')).status).toBe(503);
    expect((await scene.get('/-/ready')).text).toContain('Free space on the file system');
    expect((await scene.get('/metrics')).text).toContain('hubwatch_store_healthy 0\n');
    free();
    await aMinute(scene);
    await server.received(2);
    expect((await scene.get('/-/healthy')).status).toBe(200);
    const store = openStore(scene.store);
    const alerts = store.all("SELECT rule, state FROM alerts WHERE rule = 'HubwatchStoreFailing'");
    expect(alerts).toEqual([{ rule: 'HubwatchStoreFailing', state: 'resolved' }]);
    expect(store.all('SELECT state, count(*) AS rows FROM outbox GROUP BY state')).toEqual([
      { state: 'delivered', rows: 2 },
    ]);
    store.close();
  },
);

test('app: a store deleted at runtime is reported, rewritten, and the alert closed with a notice', async () => {
  const server = await startMailServer();
  const scene = await startScene(start, { smtpPort: server.port });
  for (const end of ['', '-wal', '-shm']) rmSync(`${scene.store}${end}`);
  scene.clock.advance(5_000);
  expect((await scene.get('/-/healthy')).status).toBe(503);
  await aMinute(scene);
  await server.received(3);
  // The order is only defined per rule and subject.
  expect(server.mails.map(({ headers }) => headers.get('subject')).toSorted()).toEqual([
    expect.stringContaining('[critical] store: not written since'),
    expect.stringContaining('[recovered] store: everything is kept on disk again'),
    expect.stringContaining('[warning] store: was deleted or replaced, written new at'),
  ]);
  expect((await scene.get('/-/healthy')).status).toBe(200);
  expect(readdirSync(join(scene.store, '..'))).toContain('hubwatch.db');
});
