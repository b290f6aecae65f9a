import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { findProgram, programHint } from './programs.js';

const prometheus = findProgram('prometheus');
const promtool = findProgram('promtool');

describe('metrics: read by the real tools', () => {
  let chain: MonitoredChain;

  beforeAll(async () => {
    chain = await monitorChain({ chain: 'day', from: 902_300 });
    await chain.moveTo(902_301);
  });

  afterAll(() => chain.close());

  it.skipIf(promtool === undefined)(`metrics: the linter reports nothing ${programHint('promtool')}`, async () => {
    const page = await (await fetch(`${chain.app.address()}/metrics`)).text();
    expect(await lint(promtool ?? '', page)).toEqual({ code: 0, output: '' });
  });

  it.skipIf(prometheus === undefined)(
    `metrics: Prometheus scrapes them and answers a query ${programHint('prometheus')}`,
    async () => {
      const server = await startPrometheus(prometheus ?? '', new URL(chain.app.address()).host);
      try {
        const answer = await eventually('Prometheus knows the head', async () => {
          const response = await fetch(`${server.address}/api/v1/query?query=hub_head_height`).catch(() => undefined);
          if (response?.ok !== true) return undefined;
          const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
          return data.result[0]?.value[1];
        });
        expect(answer).toBe('902301');
      } finally {
        await server.close();
      }
    },
  );
});

function lint(program: string, page: string): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = execFile(program, ['check', 'metrics'], (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
    child.stdin?.end(page);
  });
}

async function startPrometheus(program: string, target: string): Promise<{ address: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-prometheus-'));
  const port = await freePort();
  const config = `scrape_configs: [{job_name: hubwatch, scrape_interval: 1s, static_configs: [{targets: ['${target}']}]}]\n`;
  await writeFile(join(folder, 'prometheus.yml'), config);
  const child = spawn(
    program,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
