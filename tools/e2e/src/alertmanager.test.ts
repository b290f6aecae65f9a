import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { monitorChain } from './monitored-chain.js';
import { findProgram, programHint } from './programs.js';

const name = 'prometheus-alertmanager';
const program = findProgram(name);

interface GettableAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: { readonly state: string };
}

describe.skipIf(program === undefined)(`alertmanager: the real program ${programHint(name)}`, () => {
  it('alertmanager: accepts a lapse and its resolution from the daemon', async () => {
    const server = await startAlertmanager(program ?? '');
    const chain = await monitorChain({
      chain: 'chain',
      from: 901_880,
      watch: ['node5'],
      isNow: true,
      notifiers: { alertmanager: { urls: [server.address], resend: '10s' } },
    });
    const active = async (): Promise<GettableAlert[]> => {
      const response = await fetch(`${server.address}/api/v2/alerts`);
      return (await response.json()) as GettableAlert[];
    };
    try {
      await chain.moveTo(901_904);
      await chain.moveTo(901_925);
      const [alert] = await eventually('the lapse is active', async () => {
        const all = await active();
        return all.some(({ labels }) => labels['alertname'] === 'HubNodeInactive') ? all : undefined;
      });
      expect(alert?.labels).toMatchObject({ alertname: 'HubNodeInactive', severity: 'critical' });
      expect(alert?.labels['subject']).toMatch(/^sentnode1/);
      expect(alert?.annotations['summary']).toMatch(/^node5: inactive since /);
      expect(alert?.annotations['description']).toContain('38\u202f885 udvpn refunded');

      await chain.moveTo(902_073);
      await eventually('the lapse is over', async () => ((await active()).length === 0 ? true : undefined));
      expect((await chain.samples()).get('hubwatch_notification_channel_failing{channel="alertmanager"}')).toBe(0);
    } finally {
      await chain.close();
      await server.close();
    }
  });
});

async function startAlertmanager(file: string): Promise<{ address: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-alertmanager-'));
  const port = await freePort();
  await writeFile(join(folder, 'config.yml'), 'route: {receiver: nobody}\nreceivers: [{name: nobody}]\n');
  const child = spawn(
    file,
    [
      `--config.file=${folder}/config.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const address = `http://127.0.0.1:${port}`;
  await eventually('the Alertmanager is ready', async () => {
    const response = await fetch(`${address}/-/ready`).catch(() => undefined);
    return response?.ok === true ? true : undefined;
  });
  return {
    address,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
