import { type ErrorCode, HubError } from '@hubwatch/client';
import {
  coldQueries,
  createEndpoint,
  createFailureLog,
  createLogger,
  createOwnMetrics,
  type EndpointConnection,
  isExact,
  lookAtBound,
  probeState,
  type StateBracket,
  warmQueries,
} from '@hubwatch/daemon/parts';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { VirtualClock } from './virtual-clock.js';

/** The lowest state of a node is found with few queries, despite faults. */
export const retentionSearch: Proof = {
  name: 'retention-search',
  about:
    'Random nodes that prune, were state-synced, restored, upgraded, limit rates and time out: the right lowest state, in at most 27 queries cold and 3 warm.',
  defaultRuns: 10_000,
  run: prove,
};

const first = 901_801n;
const polls = 14;
/** Number of fault-free polls at the end, so that delayed work can finish. */
const calm = 8;

/** A node's states and behaviour. */
interface Node {
  newest: bigint;
  /** Lowest state of the oldest snapshot that it was restored from, or the chain's first. */
  origin: bigint;
  /** Number of states that each prune run retains; 0 retains all. */
  readonly keep: bigint;
  readonly step: bigint;
  /** Ranges of states skipped by upgrades. */
  readonly holes: readonly (readonly [from: bigint, to: bigint])[];
  /** The handler fails below this height, because its module was added later. */
  readonly youngModule: bigint;
  /** Share of queries that a proxy refuses or loses. */
  faults: number;
}

/** Height up to which states were pruned. */
const prunedTo = ({ newest, origin, keep, step }: Node): bigint => {
  if (keep === 0n) return origin;
  const pruned = (newest / step) * step - keep;
  return pruned > origin ? pruned : origin;
};

/** Lowest retained state. */
const boundOf = (node: Node): bigint => {
  let bound = prunedTo(node);
  while (isHole(node, bound)) bound += 1n;
  return bound;
};

/** The same, but above a hole so close to the bound that the search ignores the few states between them. */
const boundAbove = (node: Node): bigint => {
  const bound = boundOf(node);
  const [near] = node.holes.filter(([from]) => from > bound && from - bound < 4n);
  return near === undefined ? bound : near[1] + 1n;
};

const isHole = ({ holes }: Node, height: bigint): boolean => holes.some(([from, to]) => height >= from && height <= to);

const holds = (node: Node, height: bigint): boolean =>
  height >= prunedTo(node) && height <= node.newest && !isHole(node, height);

const nodeOf = (random: RandomSource): Node => {
  const range = random.pick([300, 20_000, 1_000_000, 12_000_000, 29_000_000]);
  const newest = first + BigInt(10 + random.below(range));
  const step = BigInt(random.pick([10, 10, 10, 10, 20, 50, 100, 1_000]));
  const keep = BigInt(random.pick([0, 2, 100, 1_000, 50_000, 100_000, 362_880, random.below(range)]));
  const origin = random.chance(0.6) ? first : first + BigInt(random.below(Number(newest - first)));
  const node = { newest, origin, keep, step, holes: [], youngModule: 0n, faults: 0 };
  const bound = boundOf(node);
  const span = Number(newest - bound) - 100;
  // A hole of one to three states: next to the bound, in the middle of the retained range, or anywhere, but never at the bound.
  const hole = (): readonly [bigint, bigint] => {
    const from = bound + 8n + BigInt(random.pick([0, random.below(60), Math.floor(span / 2), random.below(span)]));
    return [from, from + BigInt(random.below(3))];
  };
  return {
    ...node,
    holes: apart(span < 300 || random.chance(0.4) ? [] : [hole(), hole()]),
    youngModule: random.chance(0.2) ? bound + BigInt(random.below(Number(newest - bound) + 1)) : 0n,
    faults: random.chance(0.35) ? 0.02 + random.below(30) / 100 : 0,
  };
};

/** Two upgrades are never a few blocks apart: the second one of such a pair is omitted. */
const apart = ([a, b]: Node['holes'][number][]): Node['holes'] =>
  a === undefined || b === undefined ? [] : a[0] - b[0] < 64n && b[0] - a[0] < 64n ? [a] : [a, b];

async function prove({ seed, runs = 10_000, log }: ProofOptions): Promise<ProofOutcome> {
  const problems: string[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  let [restored, retried] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const random = new RandomSource(seed + run * 7_919);
    const node = nodeOf(random);
    const told = JSON.stringify(node, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const found = await follow(node, random);
    cold.push(...found.cold);
    warm.push(...found.warm);
    restored += found.restored;
    retried += found.unclear;
    if (found.problem === undefined) continue;
    problems.push(`run ${run}: ${found.problem} in ${told}`);
    if (problems.length <= 10) log(problems.at(-1) ?? '');
  }
  return {
    passed: runs - problems.length,
    total: runs,
    counterExample: problems[0],
    figures: {
      'cold: max queries': most(cold),
      'cold: mean queries': mean(cold),
      'warm: max queries': most(warm),
      'warm: mean queries': mean(warm),
      'looks held up by a fault': retried,
      'nodes restored on the way': restored,
    },
  };
}

const most = (values: readonly number[]): number => values.reduce((top, one) => Math.max(top, one), 0);

const mean = (values: readonly number[]): number =>
  Math.round((values.reduce((sum, one) => sum + one, 0) / values.length) * 100) / 100;

/** Polls a node like the daemon, once a minute, while it produces blocks and prunes. */
async function follow(node: Node, random: RandomSource) {
  const clock = new VirtualClock(0);
  const failures = createFailureLog(createLogger('silent'));
  const endpoint = createEndpoint(
    { name: 'own', role: 'own' },
    connectionTo(node, random),
    1_000,
    clock,
    own,
    failures,
  );
  const { signal } = new AbortController();
  const found = {
    cold: [] as number[],
    warm: [] as number[],
    unclear: 0,
    restored: 0,
    problem: '' as string | undefined,
  };
  let bracket: StateBracket | undefined;
  let queries = 0;
  let wasNear = false;
  const probe = (height: bigint) => {
    queries += 1;
    return probeState(endpoint, 'grpc', height, signal);
  };
  found.problem = undefined;
  for (let poll = 0; poll < polls; poll += 1) {
    if (poll >= polls - calm) node.faults = 0;
    if (poll === 3 && random.chance(0.1)) {
      // Restored from a snapshot with more, or fewer, states.
      node.origin = random.chance(0.5)
        ? first
        : node.newest - BigInt(random.below(Number(node.newest - boundOf(node)) + 1));
      found.restored += 1;
    }
    queries = 0;
    // A bracket is wide while a search is in progress; then the search still counts as cold.
    const isWarm = bracket !== undefined && bracket.held - bracket.notHeld <= 4_096n;
    const result = await lookAtBound(bracket, first, node.newest, {
      probe,
      random: () => random.below(2 ** 30) / 2 ** 30,
    });
    ({ bracket } = result);
    (isWarm ? found.warm : found.cold).push(queries);
    const limit = isWarm ? warmQueries : coldQueries;
    if (queries > limit) found.problem ??= `${queries} queries at poll ${poll}, where ${limit} are allowed`;
    if (result.stopped === 'unclear') found.unclear += 1;
    else found.problem ??= problemOf(bracket, node, poll);
    if (poll >= polls - 4) wasNear ||= isNear(bracket);
    node.newest += BigInt(6 + random.below(10));
  }
  if (!wasNear) found.problem ??= `still not found after ${calm} polls without a fault`;
  return found;
}

const own = createOwnMetrics();

/** At the end, at most one prune run with a step that is not known yet may remain unresolved. */
const isNear = ({ held, notHeld }: StateBracket): boolean => held - notHeld <= 1_024n;

const problemOf = (bracket: StateBracket, node: Node, poll: number): string | undefined => {
  const [bound, above] = [boundOf(node), boundAbove(node)];
  if (isExact(bracket) && bracket.held !== bound && bracket.held !== above)
    return `found ${bracket.held} at poll ${poll}, it is ${bound}`;
  if (bracket.held < bound) return `said that ${bracket.held} is held at poll ${poll}, the lowest is ${bound}`;
  return undefined;
};

const connectionTo = (node: Node, random: RandomSource): EndpointConnection => {
  const refuse = (code: ErrorCode, text = ''): Promise<never> =>
    Promise.reject(new HubError({ code, message: text, transport: 'grpc', raw: { text } }));
  return {
    grpc: {
      kind: 'grpc',
      address: 'virtual',
      call: (_method, _request, { height = node.newest } = {}) => {
        if (node.faults > 0 && random.chance(node.faults))
          return refuse(
            random.pick(['rate_limited', 'timeout', 'refused', 'starting', 'unavailable', 'http', 'internal'] as const),
          );
        // A backend behind the same name that is a few blocks behind.
        if (height > node.newest) return refuse('height_in_future');
        if (height < first) return refuse('height_never_existed');
        if (!holds(node, height)) return refuse('height_not_retained', `failed to load state at height ${height}`);
        if (height < node.youngModule)
          return refuse('internal', 'runtime error: invalid memory address or nil pointer dereference');
        return Promise.resolve({ message: {} as never, height });
      },
      close: () => Promise.resolve(),
    },
    close: () => Promise.resolve(),
  };
};
