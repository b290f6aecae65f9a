import { execFile } from 'node:child_process';
import { startPrometheus } from '@hubwatch/proofs/programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
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
      const server = await startPrometheus([{ job: 'hubwatch', targets: [new URL(chain.app.address()).host] }]);
      try {
        const answer = await eventually('Prometheus knows the head', async () => {
          const [sample] = await server.query('hub_head_height').catch(() => []);
          return sample?.value;
        });
        expect(answer).toBe(902_301);
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
