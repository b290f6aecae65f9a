import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedPrograms, type PackedPrograms, type RunningCommand } from '@hubwatch/bench/consumers';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { eventually } from './eventually.js';
import { parseExposition } from './exposition.js';

let programs: PackedPrograms;
let node: Devnode;
/** Kills daemons left over from a failed test. */
const leaving = new AbortController();
const folder = mkdtempSync(join(tmpdir(), 'hubwatch-packed-daemon-'));
beforeAll(async () => {
  programs = await packedPrograms();
  node = await startDevnode({ mode: 'moving', chain: 'day', speed: 60, from: 902_400 });
});
afterAll(async () => {
  leaving.abort();
  await node.close();
  programs.remove();
  rmSync(folder, { recursive: true });
});

/** Starts the daemon and resolves with the address that it prints. */
async function started(args: readonly string[]): Promise<{ readonly daemon: RunningCommand; readonly page: string }> {
  const daemon = programs.start('hubwatch', ['run', ...args], { cwd: folder, signal: leaving.signal });
  const page = await Promise.race([
    eventually('the address of the status page', () => /status page (\S+)\//.exec(daemon.out())?.[1]),
    daemon.ended.then(({ code, err }) => {
      throw new Error(`hubwatch run ended with ${code}: ${err}`);
    }),
  ]);
  return { daemon, page };
}

test('packed daemon: standalone from its tarball it reads over every transport and the websocket, continues after SIGHUP, and stops cleanly', async () => {
  const file = join(folder, 'hubwatch.yml');
  const { grpc, rest, rpc } = node;
  writeFileSync(
    file,
    stringify({
      endpoints: [{ name: 'own', role: 'own', grpc, rest, rpc }],
      poll: { endpoints: '1s' },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, 'hubwatch.db') },
    }),
  );
  const { daemon, page } = await started(['--config', file]);
  const value = async (name: string): Promise<number> =>
    parseExposition(await (await fetch(`${page}/metrics`)).text()).get(name) ?? 0;
  for (const transport of ['grpc', 'rest', 'abci', 'rpc']) {
    await eventually(
      `requests over ${transport}`,
      async () => (await value(`hubwatch_requests_total{endpoint="own",transport="${transport}"}`)) || undefined,
    );
  }
  await eventually(
    'a connected websocket',
    async () => (await value('hubwatch_websocket_connected{endpoint="own"}')) || undefined,
  );
  daemon.child.kill('SIGHUP');
  await eventually('the reload', () => /configuration unchanged/.test(`${daemon.out()}${daemon.err()}`) || undefined);
  expect((await fetch(`${page}/-/healthy`)).status).toBe(200);
  daemon.child.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, signal: null });
});
