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
import { RandomSource } from './random-source.js';

/** From here on, the recorded chain has transactions in most blocks. */
const first = 902_050;
const last = 903_650;
/** Followers of a world, each behind its own proxies; every third has two endpoints. */
const followers = 4;
/** A world is considered stuck if no follower gets a block for this long. */
const stallMs = 90_000;
/** Longest request time on an idle machine, and the minimum ratio of the timeout to the time of most responses. */
const idleTimeoutMs = 400;
const patience = 6;

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

/** Result of a world. */
interface Played {
  /** Number of correct blocks over all followers, and the expected number. */
  readonly equal: number;
  readonly total: number;
  /** Number of blocks received over the websocket; the others were read by height. */
  readonly pushed: number;
  readonly faults: number;
  readonly kinds: ReadonlyMap<string, number>;
  readonly wrong: string | undefined;
  /** Whether the world was aborted because no follower received blocks any more. */
  readonly stoodStill: boolean;
  readonly timeoutMs: number;
  /** Limits for the next world, based on the duration of fault-free responses in this one. */
  readonly nextLimits: number;
}

/**
 * Plays blocks of the recorded chain to followers behind faults.
 *
 * @param limits factor for the followers' timeouts compared to an idle machine; a busy machine makes the proof slower,
 * not false
 */
export async function playWorld(seed: number, blocks: number, limits: number): Promise<Played> {
  const random = new RandomSource(seed);
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
  let stoodStill = false;
  const stalled = setTimeout(() => {
    stoodStill = true;
    over.abort();
  }, stallMs);
  const timeoutMs = Math.ceil(idleTimeoutMs * limits);
  const tookMs: number[] = [];
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
      const range = { from: from + 1, to: from + blocks, pauseAt };
      return follow({ urls, ...range, timeoutMs, tookMs, random, truth: told, signal: over.signal });
    });
    await drive(node, from + blocks, random, over.signal);
    const judged = await Promise.all(results);
    const kinds = new Map<string, number>();
    for (const { committed } of proxies)
      for (const [kind, times] of committed) kinds.set(kind, (kinds.get(kind) ?? 0) + times);
    return {
      equal: sum(judged.map(({ equal }) => equal)),
      total: followers * blocks,
      pushed: sum(judged.map(({ pushed }) => pushed)),
      faults: sum(proxies.map(({ count }) => count)),
      kinds,
      wrong: judged.find(({ wrong }) => wrong !== undefined)?.wrong,
      stoodStill,
      timeoutMs,
      nextLimits: Math.max(1, (patience * nearlySlowest(tookMs)) / idleTimeoutMs),
    };
  } finally {
    clearTimeout(stalled);
    over.abort();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await node.close();
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** 90th percentile; 0 if empty. */
function nearlySlowest(tookMs: readonly number[]): number {
  return tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.9)] ?? 0;
}

/** Moves the chain: mostly block by block, sometimes several at once, sometimes with a pause. */
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

/** Blocks read directly from the node. */
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
  /** Height after which the reader pauses for a while. */
  readonly pauseAt: number;
  readonly timeoutMs: number;
  /** Collects the duration of each response. */
  readonly tookMs: number[];
  readonly random: RandomSource;
  readonly truth: Truth;
  readonly signal: AbortSignal;
}

/** Follows up to a height. Returns the number of correct blocks and the first error. */
async function follow(following: Following): Promise<Judged> {
  const { urls, from, to, pauseAt, timeoutMs, tookMs, random, truth, signal } = following;
  const recent: string[] = [];
  let filled = 0;
  const chain = followChain({
    rpc: urls,
    naming: publicNaming,
    timeoutMs,
    maxBytes: 1 << 19,
    backoff: { firstMs: 4, mostMs: 60 },
    silenceMs: timeoutMs * 0.6,
    muteMs: timeoutMs * 0.375,
    pollMs: 25,
    random: () => random.bits() / 2 ** 32,
    onEvent: (event) => {
      if (event.kind === 'filled') filled++;
      if (event.kind === 'attempt' && event.outcome === 'ok') tookMs.push(event.ms);
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

/** Returns the number of correct blocks in a stream and the first error. */
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

/** Serializes a whole block as one text. */
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
