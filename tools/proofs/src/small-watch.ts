import { publicNaming } from '@hubwatch/client';
import { createRpcClient, type RpcClient } from '@hubwatch/client/rpc';
import { type SmallBlock, watchBlocks } from '@hubwatch/client/small/watch';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { type AnswerFault, type FrameFault, randomFaults, startFaultProxy } from '@hubwatch/devnode/faults';
import { WebSocket } from 'ws';
import type { Proof, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Where the recorded chain has transactions in most of its blocks. */
const first = 902_050;
const last = 903_650;
const worldBlocks = 40;
/** A world of a few seconds that takes this long stands still. */
const stallMs = 60_000;

const frameFaults: readonly FrameFault[] = [
  { kind: 'drop' },
  { kind: 'duplicate' },
  { kind: 'replay' },
  { kind: 'truncate' },
  { kind: 'garble' },
  { kind: 'delay', ms: 25 },
  { kind: 'cancel', reason: 'client is not pulling messages fast enough' },
  { kind: 'close', code: 1001 },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'black-hole' },
];

const answerFaults: readonly AnswerFault[] = [
  { kind: 'delay', ms: 25 },
  { kind: 'cut' },
  { kind: 'cut', after: 300 },
  { kind: 'reset' },
  { kind: 'html', status: 200 },
  { kind: 'html', status: 502 },
  { kind: 'too-many' },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 301, location: 'http://127.0.0.1:1/' },
  { kind: 'wrong-length', by: 20 },
  { kind: 'wrong-length', by: -20 },
  { kind: 'truncate' },
  { kind: 'replay' },
];

/** What the watcher of a page gets is what the chain has. */
export const smallWatch: Proof = {
  name: 'small-watch',
  about:
    'Through faults of websocket and HTTP the small watcher gives every block of the chain once, in order, as the full client reads it.',
  defaultRuns: 1,
  run: async ({ seed, runs = 10, log }) => {
    // A platform without a WebSocket, as Node 20 is.
    const platform = globalThis as { WebSocket?: unknown };
    platform.WebSocket ??= WebSocket;
    const random = new RandomSource(seed);
    const tally = { passed: 0, total: 0, faults: 0, counterExample: undefined as string | undefined };
    for (let world = 0; world < runs && tally.counterExample === undefined; world++) {
      await playWorld(random, tally);
      log(`world ${world}: ${tally.faults} faults, ${tally.passed} of ${tally.total} blocks equal`);
    }
    const { passed, total, counterExample, faults } = tally;
    return { passed, total, counterExample, figures: { faults } } satisfies ProofOutcome;
  },
};

interface Tally {
  passed: number;
  total: number;
  faults: number;
  counterExample: string | undefined;
}

async function playWorld(random: RandomSource, tally: Tally): Promise<void> {
  const from = first + 1 + random.below(last - first - worldBlocks - 1);
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
  const plan = randomFaults({
    seed: random.below(2 ** 31),
    frame: { rate: 0.15, faults: frameFaults },
    answer: { rate: 0.2, faults: answerFaults },
  });
  const proxy = await startFaultProxy({ target: node.rpc, mode: 'http', plan });
  const over = AbortSignal.timeout(stallMs);
  const truth = createRpcClient({ address: node.rpc, naming: publicNaming });
  try {
    const blocks = watchBlocks(proxy.url, {
      from: BigInt(from + 1),
      silenceMs: 300,
      timeoutMs: 500,
      signal: over,
    });
    const moved = drive(node, from + worldBlocks, random, over);
    for (let height = from + 1; height <= from + worldBlocks; height++) {
      tally.total++;
      const told = await blocks.next().then(
        ({ value }) => value && textOf(value),
        (error: unknown) => String(error),
      );
      const [got, wanted] = [told, await readTruth(truth, height)];
      if (got === wanted) tally.passed++;
      else
        tally.counterExample ??= `block ${height}: ${got ?? `not there after ${stallMs} ms`} where the node has ${wanted}`;
    }
    await blocks.return();
    await moved;
  } finally {
    tally.faults += proxy.count;
    await proxy.close();
    await node.close();
  }
}

/** Moves the chain in steps of a block or several. */
async function drive(node: Devnode, to: number, random: RandomSource, signal: AbortSignal): Promise<void> {
  while (node.position().height < to && !signal.aborted) {
    await node.advanceTo(Math.min(to, node.position().height + 1 + random.below(3)));
    await new Promise((resolve) => setTimeout(resolve, random.below(40)));
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

type Told = Omit<SmallBlock, 'chainId'>;

function textOf({ height, time, hash, txs, results, events }: Told): string {
  const typesOf = (list: SmallBlock['events']): string[] =>
    list.map(({ type, attributes }) => `${type} ${attributes.map(({ key, value }) => `${key}=${value}`).join()}`);
  return JSON.stringify([
    String(height),
    String(time?.seconds),
    time?.nanos,
    hash,
    txs.map(base64),
    results.map(({ code, log, gasWanted, gasUsed, events: own }) => [
      code,
      log,
      `${gasWanted}`,
      `${gasUsed}`,
      typesOf(own),
    ]),
    typesOf(events),
  ]);
}

/** The block as the full client reads it, under the names of the wire. */
async function readTruth(client: RpcClient, height: number): Promise<string> {
  const [{ blockId, block }, results] = await Promise.all([
    client.call('block', { height: BigInt(height) }),
    client.call('block_results', { height: BigInt(height) }),
  ]);
  const wire = (list: SmallBlock['events']): SmallBlock['events'] =>
    list.map((event) => ({ ...event, type: publicNaming.eventToWire(event.type) }));
  const { beginBlockEvents, endBlockEvents, finalizeBlockEvents } = results;
  return textOf({
    height: BigInt(height),
    time: block?.header.time,
    hash: blockId.hash,
    txs: block?.txs ?? [],
    results: results.txsResults.map((result) => ({ ...result, events: wire(result.events) })),
    events: wire([...beginBlockEvents, ...endBlockEvents, ...finalizeBlockEvents]),
  });
}
