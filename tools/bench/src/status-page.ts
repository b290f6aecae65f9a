import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get, Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { startDevnode } from '@hubwatch/devnode';
import type { Benchmark } from './benchmark.js';
import { median } from './median.js';

const startHeight = 902_000;
const warmUp = 50;
const perRun = 50;

/** Time until a browser receives the first byte of the status page. */
export const statusPage: Benchmark = {
  name: 'status-page',
  about: 'milliseconds to the first byte of the status page, beside a bare server that sends the same bytes',
  async run({ runs = 5, log }) {
    const watching = await startWatching();
    const { address } = watching;
    const agent = new Agent({ keepAlive: true });
    const bytes = (await firstByte(`${address}/`, agent)).bytes;
    const bare = createServer((_request, response) => void response.end(Buffer.alloc(bytes, 'x')));
    await new Promise<void>((resolve) => void bare.listen(0, '127.0.0.1', resolve));
    const bareAddress = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
    try {
      for (let time = 0; time < warmUp; time++) await firstByte(`${address}/`, agent);
      const [ours, theirs]: number[][] = [[], []];
      const all: number[] = [];
      for (let run = 0; run < runs; run++) {
        const [mine, other]: number[][] = [[], []];
        for (let time = 0; time < perRun; time++) {
          mine?.push((await firstByte(`${address}/`, agent)).ms);
          other?.push((await firstByte(bareAddress, agent)).ms);
        }
        all.push(...(mine ?? []));
        ours?.push(median(mine ?? []));
        theirs?.push(median(other ?? []));
        log(`  run ${run + 1}: ${median(mine ?? []).toFixed(2)} ms, bare ${median(other ?? []).toFixed(2)} ms`);
      }
      const slowest = all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? Number.NaN;
      return {
        figure: median(ours ?? []),
        target: 5,
        unit: 'ms',
        figures: {
          'bare server with the same bytes': `${median(theirs ?? []).toFixed(2)} ms`,
          'fastest of ours': `${Math.min(...all).toFixed(2)} ms`,
          '99 of 100 of ours within': `${slowest.toFixed(2)} ms`,
          'size of the page': `${(bytes / 1_000).toFixed(1)} kB (at most 60)`,
        },
      };
    } finally {
      agent.destroy();
      bare.close();
      await watching.close();
    }
  },
};

/** Starts the daemon with every subject of the recorded network watched and read. */
async function startWatching(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
  const node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: startHeight, shiftTo: 'now' });
  const named = (text: string) =>
    Object.entries(node.accounts).flatMap(([name, address]) => (name.startsWith(text) ? [{ address }] : []));
  const config = parseConfig(
    JSON.stringify({
      network: { chain_id: node.chainId },
      endpoints: [{ name: 'own', role: 'own', grpc: node.grpc, rest: node.rest, rpc: node.rpc }],
      watch: { nodes: named('node'), providers: named('prov'), accounts: named('acc') },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, 'hubwatch.db') },
      log: { level: 'silent' },
    }),
  );
  const app = await startApp(config, { clock: systemClock, logger: createLogger('silent') });
  await app.pollNow();
  return {
    address: app.address(),
    async close() {
      await app.close();
      await node.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function firstByte(url: string, agent: Agent): Promise<{ readonly ms: number; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    get(url, { agent }, (response) => {
      let ms: number | undefined;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        ms ??= performance.now() - startedMs;
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ ms: ms ?? Number.NaN, bytes }));
    }).on('error', reject);
  });
}
