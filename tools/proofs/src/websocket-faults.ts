import { HubError, publicNaming } from '@hubwatch/client';
import { type FollowEvent, type FollowedBlock, followChain, type Gap } from '@hubwatch/client/follow';
import { createRpcClient } from '@hubwatch/client/rpc';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import {
  type AnswerFault,
  type FaultProxy,
  type FrameFault,
  randomFaults,
  startFaultProxy,
} from '@hubwatch/devnode/faults';
import type { Proof, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Where the recorded chain has transactions in most of its blocks. */
const first = 902_050;
const last = 903_650;
/** Blocks that one world plays. */
const worldBlocks = 300;
/** Followers of a world, each behind proxies of its own; every third has two endpoints. */
const followers = 4;
/** A world in which no follower gets a block for so long stands still. */
const stallMs = 90_000;

const frameFaults: readonly FrameFault[] = [
  { kind: 'drop' },
  { kind: 'drop' },
  { kind: 'duplicate' },
  { kind: 'replay' },
  { kind: 'truncate' },
  { kind: 'garble' },
  { kind: 'delay', ms: 25 },
  { kind: 'cancel', reason: 'internal subscription event buffer is out of capacity' },
  { kind: 'cancel', reason: 'client is not pulling messages fast enough' },
  { kind: 'close', code: 1001 },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'black-hole' },
  { kind: 'oversize', bytes: 600_000 },
];

const answerFaults: readonly AnswerFault[] = [
  { kind: 'delay', ms: 25 },
  { kind: 'cut' },
  { kind: 'cut', after: 300 },
  { kind: 'reset' },
  { kind: 'garble', after: 40 },
  { kind: 'black-hole' },
  { kind: 'half-open', after: 200 },
  { kind: 'html', status: 200 },
  { kind: 'html', status: 502 },
  { kind: 'too-many' },
  { kind: 'too-many', retryAfter: '0' },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 301, location: 'http://127.0.0.1:1/' },
  { kind: 'wrong-length', by: 20 },
  { kind: 'wrong-length', by: -20 },
  { kind: 'truncate' },
  { kind: 'replay' },
  { kind: 'gzip-bomb', bytes: 1 << 20 },
  { kind: 'endless' },
  { kind: 'answer', body: '{"jsonrpc":"2.0","id":1,"result":{"height":18446744073709551616}}' },
];

/** What a follower gets is what the chain has, whatever happens to its connections. */
export const websocketFaults: Proof = {
  name: 'websocket-faults',
  about:
    'Through 10 000 faults of websocket and HTTP a followed chain equals the chain by height: nothing lost, nothing twice.',
  defaultRuns: 100,
  run: async ({ seed, runs = 10_000, log }) => {
    const random = new RandomSource(seed);
    const outcome = {
      passed: 0,
      total: 0,
      pushed: 0,
      faults: 0,
      kinds: new Map<string, number>(),
      counterExample: undefined as string | undefined,
    };
    for (let world = 0; outcome.faults < runs && outcome.counterExample === undefined; world++) {
      // A small number of runs plays small worlds, so that `npm test` stays short.
      const blocks = Math.min(worldBlocks, Math.max(20, Math.ceil(runs / 6)));
      await playWorld(random, blocks, outcome);
      log(`world ${world}: ${outcome.faults} faults, ${outcome.passed} of ${outcome.total} blocks equal`);
    }
    const cut = await cutScenario(runs >= 1_000 ? 3_000 : 600);
    log(`a cut of ${cut.cutMs} ms: ${cut.passed} of ${cut.total} headers`);
    const figures = {
      faults: outcome.faults,
      'blocks taken from the websocket': outcome.pushed,
      'headers through a cut': `${cut.passed} of ${cut.total}`,
      ...Object.fromEntries(outcome.kinds),
    };
    return {
      passed: outcome.passed + cut.passed,
      total: outcome.total + cut.total,
      counterExample: outcome.counterExample ?? cut.counterExample,
      figures,
    } satisfies ProofOutcome;
  },
};

interface Tally {
  passed: number;
  total: number;
  /** Blocks that were taken from the websocket; the others were read by height. */
  pushed: number;
  faults: number;
  readonly kinds: Map<string, number>;
  counterExample: string | undefined;
}

async function playWorld(random: RandomSource, blocks: number, tally: Tally): Promise<void> {
  const from = first + 1 + random.below(last - first - blocks - 1);
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
  const proxies: FaultProxy[] = [];
  const behindFaults = async (): Promise<FaultProxy> => {
    const plan = randomFaults({
      seed: random.below(2 ** 31),
      frame: { rate: 0.12, faults: frameFaults },
      answer: { rate: 0.25, faults: answerFaults },
    });
    const proxy = await startFaultProxy({ target: node.rpc, mode: 'http', plan });
    proxies.push(proxy);
    return proxy;
  };
  const over = new AbortController();
  const stalled = setTimeout(() => over.abort(), stallMs);
  try {
    const truth = truthOf(node, from + 1);
    const results = Array.from({ length: followers }, async (_, index) => {
      const endpoints = [await behindFaults(), ...(index % 3 === 2 ? [await behindFaults()] : [])];
      const urls = endpoints.map(({ url }) => url) as [string, ...string[]];
      const pauseAt = from + 1 + random.below(blocks);
      const told: Truth = (height) => {
        stalled.refresh();
        return truth(height);
      };
      return follow({ urls, from: from + 1, to: from + blocks, pauseAt, random, truth: told, signal: over.signal });
    });
    await drive(node, from + blocks, random, over.signal);
    for (const { equal, pushed, wrong } of await Promise.all(results)) {
      tally.passed += equal;
      tally.pushed += pushed;
      tally.total += blocks;
      tally.counterExample ??= wrong;
    }
  } finally {
    clearTimeout(stalled);
    over.abort();
    for (const { committed, count } of proxies) {
      tally.faults += count;
      for (const [kind, times] of committed) tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + times);
    }
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await node.close();
  }
}

/** Moves the chain: mostly block by block, sometimes several at once, sometimes not for a while. */
async function drive(node: Devnode, to: number, random: RandomSource, signal: AbortSignal): Promise<void> {
  while (node.position().height < to && !signal.aborted) {
    const step = random.chance(0.1) ? 1 + random.below(8) : 1;
    await node.advanceTo(Math.min(to, node.position().height + step));
    await new Promise((resolve) => setTimeout(resolve, random.chance(0.02) ? 150 : random.below(25)));
  }
}

type Truth = (height: number) => Promise<string>;

interface Judged {
  readonly equal: number;
  readonly pushed: number;
  readonly wrong?: string;
}

/** Blocks as they are read from the node itself. */
function truthOf(node: Devnode, from: number): Truth {
  const rpc = createRpcClient({ address: node.rpc, naming: publicNaming });
  const known: Promise<string>[] = [];
  const read = async (height: bigint): Promise<string> => {
    const [{ block }, results] = await Promise.all([
      rpc.call('block', { height }),
      rpc.call('block_results', { height }),
    ]);
    return textOf({ kind: 'block', height, block, results });
  };
  return (height) => (known[height - from] ??= read(BigInt(height)));
}

interface Following {
  readonly urls: readonly [string, ...string[]];
  readonly from: number;
  readonly to: number;
  /** Height after which the reader does nothing for a while. */
  readonly pauseAt: number;
  readonly random: RandomSource;
  readonly truth: Truth;
  readonly signal: AbortSignal;
}

/** Follows up to a height; how many blocks were the right ones, and the first thing that was not right. */
async function follow({ urls, from, to, pauseAt, random, truth, signal }: Following): Promise<Judged> {
  const recent: string[] = [];
  let filled = 0;
  const chain = followChain({
    rpc: urls,
    naming: publicNaming,
    timeoutMs: 400,
    maxBytes: 1 << 19,
    backoff: { firstMs: 4, mostMs: 60 },
    silenceMs: 240,
    muteMs: 150,
    pollMs: 25,
    random: () => random.bits() / 2 ** 32,
    onEvent: (event) => {
      if (event.kind === 'filled') filled++;
      recent.push(described(event));
      if (recent.length > 12) recent.shift();
    },
  });
  const pause = (height: number): Promise<void> | undefined =>
    height === pauseAt ? new Promise((resolve) => setTimeout(resolve, 300)) : undefined;
  try {
    const { equal, wrong } = await judge(chain.blocks({ from: BigInt(from), signal }), from, to, truth, pause);
    const pushed = equal - Math.min(equal, filled);
    return wrong === undefined ? { equal, pushed } : { equal, pushed, wrong: `${wrong}; last: ${recent.join(' | ')}` };
  } finally {
    chain.close();
  }
}

/** How many blocks of a stream were the right ones, and the first thing that was not right. */
export async function judge(
  items: AsyncIterable<FollowedBlock | Gap>,
  from: number,
  to: number,
  truth: Truth,
  pause: (height: number) => Promise<void> | undefined = () => undefined,
): Promise<{ equal: number; wrong?: string }> {
  let next = from;
  const wrong = (what: string) => ({ equal: next - from, wrong: `block ${next}: ${what}` });
  try {
    for await (const item of items) {
      if (item.kind === 'gap') return wrong(`told as a gap ${item.from} to ${item.to}`);
      if (item.height !== BigInt(next)) return wrong(`${item.height} came in its place`);
      if (textOf(item) !== (await truth(next))) return wrong("another content than the node's");
      if (next === to) return { equal: next - from + 1 };
      await pause(next);
      next++;
    }
    return wrong(`not there ${stallMs} ms after the last`);
  } catch (error) {
    return wrong(`${error instanceof HubError ? error.code : 'not a HubError'} ${String(error)}`);
  }
}

/** The measured case in which the best published clients lost 13 to 40 of 47 headers. */
async function cutScenario(cutMs: number): Promise<ProofOutcome & { readonly cutMs: number }> {
  const from = 901_900;
  const total = 48;
  const blockMs = cutMs / 24;
  const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from });
  const proxy = await startFaultProxy({ target: node.rpc, mode: 'http' });
  let connected: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (connected = resolve));
  const chain = followChain({
    rpc: proxy.url,
    naming: publicNaming,
    onEvent: ({ kind }) => {
      if (kind === 'connected') connected();
    },
  });
  const seen: bigint[] = [];
  const reading = (async () => {
    for await (const item of chain.headers({ from: BigInt(from + 1) })) {
      if (item.kind === 'header') seen.push(item.height);
      if (seen.length === total) break;
    }
  })();
  await ready;
  for (let block = 1; block <= total; block++) {
    await node.advanceTo(from + block);
    if (block === 12) {
      await proxy.down();
      setTimeout(() => void proxy.up(), cutMs);
    }
    await new Promise((resolve) => setTimeout(resolve, blockMs));
  }
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 30_000).unref())]);
  chain.close();
  await proxy.close();
  await node.close();
  const passed = seen.filter((height, index) => height === BigInt(from + 1 + index)).length;
  const counterExample = passed === total ? undefined : `a cut of ${cutMs} ms: the headers were ${seen.join(', ')}`;
  return { passed, total, counterExample, cutMs };
}

/** Everything of a block as one text. */
export function textOf(item: object): string {
  return JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
}

function described(event: FollowEvent): string {
  return JSON.stringify(event, (_, value: unknown) =>
    value instanceof Error ? value.message.slice(0, 80) : typeof value === 'bigint' ? String(value) : value,
  );
}
