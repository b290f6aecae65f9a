import { collect, connect, type Extent, HubError, publicNaming, type Transport } from '@hubwatch/client';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import type { TransportKind } from '@hubwatch/types/runtime/method';
import { Counts } from './counts.js';
import { answersOf, changed, type Kind, kinds, randomRecords, type Record } from './page-world.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** A whole list reported as complete is the list at one height, in the node's order. */
export const pagesProof: Proof = {
  name: 'pages',
  about:
    'Lists read while the chain goes on are the true list at one height and say so, over gRPC, REST and abci_query of a simulated node, both defective lists included.',
  defaultRuns: 1_000,
  run: prove,
};

const base = 902_000;

/**
 * `held`: the chain advances between pages. `pruned`: the pinned state is lost in the middle. `unpinned`: each page
 * comes from the latest state. `stripped`: a proxy removes the heights.
 */
const manners = ['held', 'held', 'held', 'held', 'pruned', 'unpinned', 'stripped'] as const;

interface Run {
  readonly kind: Kind;
  readonly manner: (typeof manners)[number];
  readonly over: TransportKind;
  readonly pageSize: number;
  readonly reverse: boolean;
  readonly status: number | undefined;
  /** States starting at height `base`. */
  readonly states: readonly (readonly Record[])[];
}

async function prove({ seed, runs = 1_000 }: ProofOptions): Promise<ProofOutcome> {
  const random = new RandomSource(seed);
  const counts = new Counts();
  let states: Run['states'] = [[]];
  const at = (height: number): readonly Record[] => states[Math.min(height - base, states.length - 1)] ?? [];
  const node = await startDevnode({
    mode: 'moving',
    chain: 'chain',
    from: 904_600,
    speed: 'manual',
    shiftTo: 'none',
    answers: answersOf(at),
  });
  const hub = connect({ grpc: node.grpc, rest: node.rest, rpc: node.rpc, naming: publicNaming });
  let counterExample: string | undefined;
  let whole = 0;
  let held = 0;
  let passed = 0;
  try {
    for (let index = 0; index < runs; index++) {
      const run = randomRun(random);
      states = run.states;
      const found = await read(
        run,
        node,
        { grpc: hub.grpc, rest: hub.rest, abci: hub.abci }[run.over] as Transport<'grpc'>,
        random,
      );
      if (run.manner === 'held') {
        held++;
        if (found.extent?.kind === 'complete') whole++;
      }
      const wrong = contradiction(run, found);
      counts.add(`${run.kind.name}, ${run.manner}`, wrong === undefined);
      if (wrong === undefined) passed++;
      else counterExample ??= `run ${index}, ${describe(run)}: ${wrong}`;
    }
  } finally {
    await hub.close();
    await node.close();
  }
  return {
    passed,
    total: runs,
    counterExample,
    figures: { ...counts.figures(), 'complete where the height stayed held': `${whole} of ${held}` },
  };
}

function randomRun(random: RandomSource): Run {
  const kind = random.pick(kinds);
  const states = [randomRecords(random)];
  for (let change = random.below(12); change > 0; change--) states.push(changed(random, states.at(-1) as Record[]));
  return {
    kind,
    states,
    manner: random.pick(manners),
    over: random.pick(kind.overRest ? (['grpc', 'rest', 'abci'] as const) : (['grpc', 'abci'] as const)),
    pageSize: random.chance(0.2) ? 1 + random.below(3) : 1 + random.below(60),
    reverse: random.chance(0.3),
    status: kind.filters && random.chance(0.6) ? random.below(4) : undefined,
  };
}

interface Found {
  readonly items?: readonly string[];
  readonly extent?: Extent;
  readonly error?: HubError;
  /** Heights of the pages, as reported by the node. */
  readonly heights: readonly number[];
}

async function read(run: Run, node: Devnode, transport: Transport<'grpc'>, random: RandomSource): Promise<Found> {
  const heights: number[] = [];
  let head = base;
  node.hold({ lastBlock: head });
  const call: Transport<'grpc'>['call'] = async (method, request, options) => {
    const answer = await transport.call(method, request, options);
    heights.push(Number(answer.height));
    // The chain advances before the next page is requested.
    if (head - base < run.states.length - 1 && random.chance(0.6)) head++;
    const isLost = run.manner === 'pruned' && heights.length === 1 && head > base;
    node.hold({ lastBlock: head, ...(isLost ? { firstState: head } : {}) });
    return run.manner === 'stripped' ? { ...answer, height: undefined } : answer;
  };
  try {
    const { items, extent } = await collect(
      { kind: transport.kind, address: transport.address, call, close: () => Promise.resolve() },
      run.kind.method,
      { ...run.kind.request, ...(run.status === undefined ? {} : { status: run.status }) } as never,
      { pageSize: run.pageSize, reverse: run.reverse, pin: run.manner !== 'unpinned' },
    );
    return { items: items.map((item) => run.kind.read(item)), extent, heights };
  } catch (error) {
    if (error instanceof HubError) return { error, heights };
    throw error;
  }
}

/** Compares an outcome with the node's states. Returns the contradiction, if any. */
function contradiction(run: Run, { items, extent, error, heights }: Found): string | undefined {
  const [first] = heights as [number];
  const isOne = heights.every((height) => height === first);
  if (error !== undefined) {
    const isRight = run.manner === 'pruned' && error.code === 'height_not_retained';
    return isRight ? undefined : `it failed: ${error.message}`;
  }
  if (items === undefined || extent === undefined) return 'there is neither a list nor a failure';
  const numbers = items.map((item) => item.split('@')[0]);
  // Framework records have no name known to the client, so a changed record counts as another one.
  const parts = run.kind.name === 'balances' ? items : numbers;
  if (new Set(parts).size !== parts.length) return `records twice: ${items.join(' ')}`;
  if (run.manner === 'stripped') {
    return extent.kind === 'mixed_heights' && extent.from === undefined
      ? undefined
      : `it says ${extent.kind} without a height`;
  }
  if (!isOne) {
    const [from, to] = [Math.min(...heights), Math.max(...heights)];
    if (run.manner !== 'unpinned') return `pages of the heights ${from} to ${to}`;
    const isSaid = extent.kind === 'mixed_heights' && extent.from === BigInt(from) && extent.to === BigInt(to);
    return isSaid
      ? undefined
      : `heights ${from} to ${to} are told as ${JSON.stringify(extent, (_, value: unknown) => String(value))}`;
  }
  if (extent.kind !== 'complete' || extent.height !== BigInt(first))
    return `it says ${extent.kind} of a list of one height`;
  const expected = truth(run, first);
  return expected.join(' ') === items.join(' ') ? undefined : `${items.join(' ')} where ${expected.join(' ')} is true`;
}

/** The list at a height. */
function truth({ kind, states, status = 0, reverse }: Run, height: number): string[] {
  const records = (states[height - base] ?? []).filter((record) => status === 0 || record.status === status);
  const listed = [...records].sort((a, b) => kind.compare(a, b));
  if (reverse) listed.reverse();
  return listed.map(({ no, version }) => `${no}@${version}`);
}

function describe({ kind, manner, over, pageSize, reverse, status, states }: Run): string {
  return `${kind.name} over ${over}, ${manner}, ${pageSize} a page${reverse ? ', reverse' : ''}, status ${status ?? 'none'}, ${states.length} states`;
}
