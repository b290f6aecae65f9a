import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { writeAddress } from '@hubwatch/client/address';
import { createLogger, parseConfig, startApp } from '@hubwatch/daemon';
import { connectTo, type EndpointConnection } from '@hubwatch/daemon/parts';
import type { CallOptions, Transport } from '@hubwatch/client';
import { startCountedNode } from './counted-node.js';
import { SimulatedClock } from './simulated-clock.js';

export interface HourOptions {
  readonly watchedNodes: number;
  readonly websocket: boolean;
}

export interface HourReport {
  /** Requests of the first five minutes: searches begin cold. */
  readonly first: ReadonlyMap<string, number>;
  /** Requests of the hour after them. */
  readonly hour: ReadonlyMap<string, number>;
  /** Blocks that came in that hour. */
  readonly blocks: number;
}

const firstMs = 300_000;
export const hourMs = 3_600_000;
const startHeight = 902_000;
/** Until a frame of a websocket is there. */
const frameMs = 5;

/** The daemon at its default intervals beside a node, for an hour of its clock. */
export async function simulateHour({ watchedNodes, websocket }: HourOptions): Promise<HourReport> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
  const counted = await startCountedNode(startHeight);
  const { node } = counted;
  const times = blockTimes();
  const startMs = times.get(startHeight) ?? Number.NaN;
  const clock = new SimulatedClock(startMs);
  const known = Object.entries(node.accounts).flatMap(([name, address]) => (name.startsWith('node') ? [address] : []));
  const watched = Array.from({ length: watchedNodes }, (_, no) => known[no] ?? unknownNode(no));
  const config = parseConfig(
    JSON.stringify({
      network: { chain_id: node.chainId },
      endpoints: [{ name: 'own', role: 'own', grpc: counted.grpc, rest: counted.rest, rpc: counted.rpc, websocket }],
      watch: { nodes: watched.map((address) => ({ address })) },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, 'hubwatch.db') },
      log: { level: 'silent' },
    }),
  );
  const app = await startApp(config, {
    clock,
    logger: createLogger('silent'),
    connectTo: (endpoint, timeoutMs) => heldBy(clock, connectTo(endpoint, timeoutMs)),
  });
  let blocks = 0;
  const run = async (untilMs: number): Promise<void> => {
    for (;;) {
      const next = node.position().height + 1;
      const atMs = (times.get(next) ?? Number.NaN) - startMs;
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
    blocks = 0;
    await run(firstMs + hourMs);
    return { first, hour: counted.take(), blocks };
  } finally {
    await app.close();
    await counted.close();
    rmSync(folder, { recursive: true });
  }
}

/** Recorded times of blocks, milliseconds, by height. */
function blockTimes(): ReadonlyMap<number, number> {
  const file = fileURLToPath(new URL('../../../devnode/recordings/day/blocks.jsonl.gz', import.meta.url));
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return new Map(
    lines.map((line) => {
      const { height, time } = JSON.parse(line) as { readonly height: number; readonly time: string };
      return [height, Date.parse(time)];
    }),
  );
}

/** A node that was never registered: it is asked about like any other. */
function unknownNode(no: number): string {
  return writeAddress({ prefix: 'sentnode', bytes: Uint8Array.from({ length: 20 }, () => no + 1) });
}

/** A connection whose calls hold the clock. */
function heldBy(clock: SimulatedClock, connection: EndpointConnection): EndpointConnection {
  const held = <T extends Transport>(transport: T | undefined): T | undefined =>
    transport && {
      ...transport,
      call: (method: never, request: never, options?: CallOptions) =>
        clock.during(() => transport.call(method, request, options)),
    };
  const { rpc } = connection;
  return {
    ...connection,
    grpc: held(connection.grpc),
    rest: held(connection.rest),
    abci: held(connection.abci),
    rpc: rpc && {
      call: (method: never, ...args: never[]) => clock.during(() => rpc.call(method, ...args)),
    },
    close: () => connection.close(),
  };
}
