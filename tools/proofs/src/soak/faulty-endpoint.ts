import type { Devnode } from '@hubwatch/devnode';
import { type AnswerFault, type FaultPlan, type StreamFault, startFaultProxy } from '@hubwatch/devnode/faults';
import type { RandomSource } from '../random-source.js';

/** Behaviour of an endpoint for five minutes. */
const conditions = {
  well: () => ({}),
  /** Nothing listens. */
  down: () => ({}),
  'too many requests': () => both({ kind: 'too-many', retryAfter: '20' }),
  'error page': () => both({ kind: 'html', status: 502 }),
  unavailable: () => both({ kind: 'status', status: 503 }),
  cut: (random) => sometimes(random, 0.5, { kind: 'cut', after: 40 }, { kind: 'cut' }),
  reset: (random) => sometimes(random, 0.5, { kind: 'reset', after: 40 }, { kind: 'reset-stream', code: 2 }),
  truncated: (random) => sometimes(random, 0.5, { kind: 'truncate' }, { kind: 'truncate' }),
  garbled: (random) => sometimes(random, 0.5, { kind: 'garble', after: 8 }, { kind: 'garble' }),
  slow: () => both({ kind: 'delay', ms: 15 }),
  /** One request in fifty is never answered. */
  silent: (random) => sometimes(random, 0.02, { kind: 'black-hole' }, { kind: 'black-hole' }),
  'websocket cut': (random) => ({
    frame: () =>
      random.chance(0.7)
        ? random.pick([{ kind: 'cut' }, { kind: 'close', code: 1011 }, { kind: 'garble' }])
        : undefined,
  }),
} satisfies Record<string, (random: RandomSource) => FaultPlan>;

export type Condition = keyof typeof conditions;

/** Conditions for one hour: each fault once, otherwise healthy, in a seeded random order. */
export function conditionsOfHour(random: RandomSource): readonly Condition[] {
  const names = Object.keys(conditions) as Condition[];
  const order = names.map((name) => ({ name, at: random.bits() })).sort((a, b) => a.at - b.at);
  return order.map(({ name }) => name);
}

/** An endpoint of the node over real sockets, with externally controlled faults. */
export interface FaultyEndpoint {
  readonly grpc: string;
  readonly rest: string;
  readonly rpc: string;
  /** Number of injected faults so far. */
  faults(): number;
  take(condition: Condition): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultyEndpoint(node: Devnode, random: RandomSource): Promise<FaultyEndpoint> {
  const proxies = await Promise.all([
    startFaultProxy({ target: node.grpc, mode: 'grpc' }),
    startFaultProxy({ target: node.rest, mode: 'http' }),
    startFaultProxy({ target: node.rpc, mode: 'http' }),
  ]);
  const [grpc, rest, rpc] = proxies;
  let isUp = true;
  return {
    grpc: grpc.address,
    rest: rest.url,
    rpc: rpc.url,
    faults: () => proxies.reduce((sum, proxy) => sum + proxy.count, 0),
    async take(condition) {
      for (const proxy of proxies) proxy.follow(conditions[condition](random));
      const isDown = condition === 'down';
      if (isDown && isUp) await Promise.all(proxies.map((proxy) => proxy.down(random.pick(['reset', 'cut']))));
      if (!isDown && !isUp) await Promise.all(proxies.map((proxy) => proxy.up()));
      isUp = !isDown;
    },
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

function both(fault: AnswerFault & StreamFault): FaultPlan {
  return { answer: () => fault, stream: () => fault };
}

function sometimes(random: RandomSource, share: number, answer: AnswerFault, stream: StreamFault): FaultPlan {
  return {
    answer: () => (random.chance(share) ? answer : undefined),
    stream: () => (random.chance(share) ? stream : undefined),
  };
}
