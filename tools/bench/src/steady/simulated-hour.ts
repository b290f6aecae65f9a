import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPrefix } from '@hubwatch/client/address';
import { createLogger, parseConfig, startApp } from '@hubwatch/daemon';
import { connectTo } from '@hubwatch/daemon/parts';
import { startCountedNode } from './counted-node.js';
import { writeDenseChain } from './dense-chain.js';
import { heldBy } from './held-connection.js';
import { SimulatedClock } from './simulated-clock.js';

export interface HourReport {
  /** Requests in the first five minutes, which include the initial searches. */
  readonly first: ReadonlyMap<string, number>;
  /** Requests in the following hour, by transport and method. */
  readonly hour: ReadonlyMap<string, number>;
  /** The same, by the daemon's job that made them. */
  readonly byJob: ReadonlyMap<string, number>;
  /** Number of these requests that name a watched node or its account. */
  readonly aboutNodes: number;
  /** Number of watched nodes: all nodes of the chain. */
  readonly nodes: number;
  /** Number of blocks in that hour. */
  readonly blocks: number;
}

const firstMs = 300_000;
export const hourMs = 3_600_000;
/** Time between two blocks of the live network. */
const blockMs = 6_000;
const startRecorded = 902_000;
const lastRecorded = 902_200;
/** Delay of a websocket frame. */
const frameMs = 5;

/** Runs the daemon with its default intervals against a node, for an hour of its clock. */
export async function simulateHour({ websocket }: { readonly websocket: boolean }): Promise<HourReport> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
  const { times, heightOf } = writeDenseChain(folder, blockMs, lastRecorded);
  const startHeight = heightOf(startRecorded);
  const counted = await startCountedNode(folder, startHeight);
  const { node } = counted;
  const startMs = times.get(startHeight) ?? Number.NaN;
  const clock = new SimulatedClock(startMs);
  const nodes = Object.entries(node.accounts).flatMap(([name, address]) => (name.startsWith('node') ? [address] : []));
  const named = nodes.flatMap((address) => ['sent', 'sentnode'].map((prefix) => withPrefix(address, prefix)));
  let aboutNodes = 0;
  const onRequest = (request: unknown): void => {
    const text = Object.values(Object(request) as object).join(' ');
    if (named.some((address) => text.includes(address))) aboutNodes++;
  };
  const config = parseConfig(
    JSON.stringify({
      network: { chain_id: node.chainId },
      endpoints: [{ name: 'own', role: 'own', grpc: counted.grpc, rest: counted.rest, rpc: counted.rpc, websocket }],
      watch: { nodes: nodes.map((address) => ({ address })) },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, 'hubwatch.db') },
      log: { level: 'silent' },
    }),
  );
  const app = await startApp(config, {
    clock,
    logger: createLogger('silent'),
    connectTo: (endpoint, timeoutMs) => heldBy(clock, connectTo(endpoint, timeoutMs), onRequest),
  });
  let blocks = 0;
  const run = async (untilMs: number): Promise<void> => {
    for (;;) {
      const next = node.position().height + 1;
      const atMs = (times.get(next) ?? Number.NaN) - startMs;
      if (Number.isNaN(atMs)) throw new Error(`the chain ends at ${next - 1}, before the hour does`);
      await clock.runTo(Math.min(untilMs, atMs));
      if (!(atMs < untilMs)) return;
      await clock.during(async () => {
        await node.advanceTo(next);
        if (websocket) await new Promise((resolve) => setTimeout(resolve, frameMs));
      });
      blocks++;
    }
  };
  try {
    await run(firstMs);
    const first = counted.take();
    const before = await requestsByJob(app.address());
    [blocks, aboutNodes] = [0, 0];
    await run(firstMs + hourMs);
    const after = await requestsByJob(app.address());
    const byJob = new Map([...after].map(([job, count]) => [job, count - (before.get(job) ?? 0)]));
    return { first, hour: counted.take(), byJob, aboutNodes, nodes: nodes.length, blocks };
  } finally {
    await app.close();
    await counted.close();
    rmSync(folder, { recursive: true });
  }
}

/** Requests by job, from the daemon's own metrics. */
async function requestsByJob(address: string): Promise<ReadonlyMap<string, number>> {
  const page = await (await fetch(`${address}/metrics`)).text();
  const lines = page.matchAll(/^hubwatch_poll_requests_total\{job="(\w+)"\} (\d+)$/gm);
  return new Map([...lines].map(([, job = '', count]) => [job, Number(count)]));
}
