import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHttpService } from '../../test/http-service.js';
import { temporaryFolder } from '../../test/parts.js';

/** A port that was free a moment ago: both configurations of a reload must name the same one. */
const freePort = async (): Promise<string> => {
  const service = await startHttpService();
  await service.close();
  return new URL(service.url).port;
};

/** Starts a daemon in a separate process, with a webhook that receives its notices. */
const startDaemon = async () => {
  const folder = temporaryFolder();
  const receiver = await startHttpService();
  const port = await freePort();
  const file = join(folder, 'hubwatch.yml');
  const write = (text: string): void => writeFileSync(file, text);
  const config = (further: object = {}): string =>
    JSON.stringify(
      {
        endpoints: [{ name: 'own', role: 'own', rpc: 'http://127.0.0.1:1' }],
        poll: { endpoints: '200ms', timeout: '200ms' },
        alerts: { rules: { HubOwnNodeDown: { for: '0s' }, HubEndpointDown: { for: '0s' } } },
        notifiers: { webhooks: [{ name: 'test', url: receiver.url }] },
        web: { listen: `127.0.0.1:${port}` },
        store: { path: join(folder, 'x.db') },
        ...further,
      },
      undefined,
      1,
    );
  write(config());
  const main = join(import.meta.dirname, '../main.ts');
  const args = ['--conditions=@hubwatch/source', '--import', 'tsx', main, 'run', '--config', file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  await once(child.stdout, 'data');
  const read = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  return { child, write, config, notices: receiver.requests, read, log: () => log, reload: () => child.kill('SIGHUP') };
};

const patience = { timeout: 20_000 };

test('reload: a valid file is applied; alerts, their notices and silences are preserved', async () => {
  const { child, write, config, notices, read, log, reload } = await startDaemon();
  await expect.poll(() => notices.length, patience).toBeGreaterThan(0);
  const before = notices.length;
  write(config({ network: { name: 'renamed' }, poll: { endpoints: '300ms', timeout: '200ms' } }));
  reload();
  await expect.poll(log, patience).toContain('configuration reloaded');
  expect(log()).toContain('"changed":["network.name","poll.endpoints"]');
  const metrics = await read('/metrics');
  expect(metrics).toMatch(/^hubwatch_config_reloads\{result="success"\} 1$/m);
  expect(metrics).toMatch(/^hubwatch_config_last_reload_successful 1$/m);
  expect(metrics).toMatch(/^hubwatch_poll_interval_seconds\{job="endpoints"\} 0\.3$/m);
  // The alert still fires, and no further notice is sent for it.
  await expect.poll(() => read('/metrics'), patience).toMatch(/^hubwatch_polls_total\{job="endpoints"\} [1-9]/m);
  expect(await read('/api/v1/status')).toContain('firing');
  expect(notices).toHaveLength(before);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('reload: an invalid file changes nothing, and the log reports the invalid line', async () => {
  const { write, config, read, log, reload } = await startDaemon();
  write(config({ network: { nam: 'renamed' } }));
  reload();
  await expect.poll(log, patience).toContain('configuration not reloaded');
  expect(log()).toMatch(/"key":"network\.nam"|"key":"network"/);
  expect(log()).toMatch(/"line":\d+/);
  expect(log()).toContain('unknown key `nam`; did you mean `name`?');
  const metrics = await read('/metrics');
  expect(metrics).toMatch(/^hubwatch_config_reloads\{result="failure"\} 1$/m);
  expect(metrics).toMatch(/^hubwatch_config_last_reload_successful 0$/m);
});

test('reload: if the new configuration fails to start, the previous one is used again', async () => {
  const { write, config, read, log, reload } = await startDaemon();
  const taken = await startHttpService();
  write(config({ web: { listen: new URL(taken.url).host } }));
  reload();
  await expect.poll(log, patience).toContain('configuration not reloaded');
  expect(log()).toContain('could not be started');
  expect(await read('/metrics')).toMatch(/^hubwatch_config_last_reload_successful 0$/m);
});
