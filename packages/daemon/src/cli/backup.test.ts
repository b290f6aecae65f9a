import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { reportStore } from '../store/store-report.js';

const program = ['--conditions=@hubwatch/source', '--import', 'tsx', join(import.meta.dirname, '../main.ts')];

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command in a separate process, because files opened by this process would be locked. */
function hubwatch(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...program, ...args], (_error, out, error) =>
      resolve({ code: child.exitCode ?? -1, out, error }),
    );
  });
}

/** Starts the daemon. @returns a function that stops it */
async function startDaemon(config: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [...program, 'run', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return async () => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  };
}

test('backup and restore: while the daemon runs, backup succeeds and restore is refused; after a stop, restore succeeds', async () => {
  const folder = temporaryFolder();
  const [config, path, backup] = ['hubwatch.yml', 'hubwatch.db', 'backup.db'].map((name) => join(folder, name));
  if (config === undefined || path === undefined || backup === undefined) throw new Error('no paths');
  writeFileSync(
    config,
    `endpoints: [{name: own, grpc: "127.0.0.1:1"}]\nweb: {listen: "127.0.0.1:0"}\nstore: {path: ${path}}\nlog: {level: silent}\n`,
  );
  const silence = (comment: string) =>
    hubwatch('silence', 'add', '--for', '2h', '--rule', 'HubEndpointDown', '--comment', comment, '--config', config);
  const stop = await startDaemon(config);
  expect(await silence('before the backup')).toMatchObject({ code: 0 });
  expect(await hubwatch('backup', '--out', backup, '--config', config)).toMatchObject({ code: 0, error: '' });
  expect(await silence('after the backup')).toMatchObject({ code: 0 });
  expect(await hubwatch('restore', backup, '--config', config)).toMatchObject({
    code: 1,
    error: expect.stringContaining('is in use by another hubwatch; stop that one'),
  });
  await stop();

  const restored = await hubwatch('restore', backup, '--config', config);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('The replaced store is ') });
  const [, replaced = ''] = /The replaced store is (.*)\n/.exec(restored.out) ?? [];
  const { tables } = reportStore(replaced, { isLive: false });
  expect(tables.find(({ name }) => name === 'silences')).toMatchObject({ rows: 2 });
  const again = await startDaemon(config);
  const { out } = await hubwatch('silence', 'list', '--config', config);
  expect(out).toContain('before the backup');
  expect(out).not.toContain('after the backup');
  await again();
});
