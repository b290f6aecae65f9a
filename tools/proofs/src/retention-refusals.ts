import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connect, explainHeight, findLowestState, HubError, publicNaming } from '@hubwatch/client';
import { type Devnode, type Held, startDevnode } from '@hubwatch/devnode';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { getBlockByHeight } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Errors reported for a height match the node's retained heights at the time of the call. */
export const retentionRefusals: Proof = {
  name: 'retention-refusals',
  about:
    'Calls at random heights of nodes with random bounds, holes and plans get the right class, over gRPC, REST, abci_query and consensus RPC of a simulated node, all over real sockets.',
  defaultRuns: 10_000,
  run: prove,
};

const first = 901_801;
const head = 904_600;
const callsPerWorld = 50;
const atOnce = 10;

type Class = HubError['code'] | 'ok';

/** How a call is made. `narrow` accepts at most 16 bytes, `silent` never receives a response, `gone` is aborted immediately. */
const manners = ['plain', 'narrow', 'silent', 'gone', 'nobody'] as const;
type Manner = (typeof manners)[number];

const queries = ['grpc', 'rest', 'abci'] as const;
const rpcMethods = ['block', 'header', 'commit', 'block_results', 'validators'] as const;

type Asked = {
  readonly manner: Manner;
  readonly height: bigint;
  readonly what:
    | { readonly kind: 'state' | 'block'; readonly over: (typeof queries)[number] }
    | { readonly kind: 'rpc'; readonly method: (typeof rpcMethods)[number] };
};

async function prove({ seed, runs = 10_000, log }: ProofOptions): Promise<ProofOutcome> {
  const random = new RandomSource(seed);
  const counts = new Counts();
  const node = await startDevnode({ mode: 'moving', chain: 'chain', from: head, speed: 'manual', shiftTo: 'none' });
  const places = await openPlaces(node);
  let total = 0;
  let counterExample: string | undefined;
  const check = (claim: string, got: string, expected: string, what: () => string): void => {
    total++;
    counts.add(claim, got === expected);
    if (got !== expected) counterExample ??= `${what()}: ${got} where ${expected} is right`;
  };
  try {
    for (let done = 0; done < runs; done += callsPerWorld) {
      const held = randomHeld(random);
      node.hold(held);
      const bounds = boundsOf(held);
      if (!bounds.starting && bounds.lost.size === 0 && random.chance(0.1)) {
        const found = await findLowestState(places.plain[random.pick(queries)]);
        check(
          'lowest state found',
          String(found),
          String(bounds.firstState),
          () => `lowest state of ${bounds.firstState} to ${bounds.lastState}`,
        );
      }
      const calls = Array.from({ length: Math.min(callsPerWorld, runs - done) }, () => randomCall(random, bounds));
      for (let at = 0; at < calls.length; at += atOnce) {
        await Promise.all(
          calls.slice(at, at + atOnce).map(async (asked) => {
            const { refined, lowest } = judge(asked, bounds);
            const found = await outcomeOf(places, asked);
            const what = (): string =>
              `${describe(asked)} of ${JSON.stringify(bounds, (_, value: unknown) => (value instanceof Set ? [...value] : value))}`;
            const told =
              refined === undefined || !(found instanceof HubError)
                ? found
                : await explainHeight(places.plain.abci, found);
            const got = told instanceof HubError ? told.code : told;
            const expected = refined ?? judge(asked, bounds).code;
            check(expected, got, expected, what);
            if (refined !== undefined) {
              // The same call on a default connection, which refines the error itself.
              const direct = await outcomeOf({ ...places, plain: places.closer }, asked);
              const code = direct instanceof HubError ? direct.code : direct;
              // The head query has the connection's byte limit, and 16 bytes are too few for any response.
              const seen = asked.manner === 'narrow' ? judge(asked, bounds).code : expected;
              check(`${seen}, of the call itself`, code, seen, what);
            }
            if (lowest !== undefined && found instanceof HubError) {
              check('lowest height told', String(found.lowestHeight), String(lowest), what);
            }
          }),
        );
      }
    }
    log(`  ${runs} calls to ${Math.ceil(runs / callsPerWorld)} nodes`);
  } finally {
    await places.close();
    await node.close();
  }
  return { passed: total - counts.failed, total, counterExample, figures: counts.figures() };
}

interface Bounds {
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly firstState: number;
  readonly lastState: number;
  readonly lost: ReadonlySet<number>;
  readonly stoppedAt: number | undefined;
  readonly starting: boolean;
}

function randomHeld(random: RandomSource): Held {
  const lastBlock = first + 20 + random.below(head - first - 20);
  const between = (low: number): number => low + random.below(lastBlock - low);
  const firstState = random.chance(0.3) ? first : between(first);
  const lostStates = new Set(
    Array.from(
      { length: random.chance(0.3) ? random.below(40) : 0 },
      () => firstState + random.below(lastBlock - firstState),
    ),
  );
  return {
    lastBlock,
    firstState,
    lostStates,
    firstBlock: random.chance(0.3) ? first : between(first),
    ...(random.chance(0.2)
      ? { upgrade: { name: 'v13', height: random.chance(0.7) ? lastBlock : lastBlock + 1 + random.below(500) } }
      : {}),
    ...(random.chance(0.05) ? { starting: true } : {}),
  };
}

function boundsOf(held: Held): Bounds {
  const { firstBlock = first, firstState = first, lastBlock = head, upgrade, lostStates = new Set() } = held;
  const stoppedAt = upgrade?.height === lastBlock ? lastBlock : undefined;
  return {
    firstBlock,
    firstState,
    lastBlock,
    lastState: stoppedAt === undefined ? lastBlock : lastBlock - 1,
    lost: lostStates,
    stoppedAt,
    starting: held.starting === true,
  };
}

function randomCall(random: RandomSource, bounds: Bounds): Asked {
  const { firstBlock, firstState, lastBlock, lost } = bounds;
  const edges = [
    first - 1,
    first,
    firstBlock - 1,
    firstBlock,
    firstState - 1,
    firstState,
    lastBlock - 1,
    lastBlock,
    lastBlock + 1,
    1,
    0,
    ...lost,
  ];
  const height = random.chance(0.5)
    ? BigInt(random.pick(edges))
    : random.chance(0.1)
      ? random.unsigned(62)
      : BigInt(first - 1_000 + random.below(lastBlock - first + 2_000));
  const manner = random.chance(0.9) ? 'plain' : random.pick(manners);
  // A node without a block does not serve blocks either, and such a node was not recorded.
  const kind = bounds.starting ? 'state' : random.pick(['state', 'state', 'block', 'rpc'] as const);
  return {
    manner,
    height,
    what: kind === 'rpc' ? { kind, method: random.pick(rpcMethods) } : { kind, over: random.pick(queries) },
  };
}

interface Judgement {
  readonly code: Class;
  /** Expected code after refinement, if it takes place. */
  readonly refined?: Class | undefined;
  /** Lowest height reported by the node. */
  readonly lowest?: number | undefined;
}

/** The correct result, computed from the numbers alone. */
function judge(asked: Asked, bounds: Bounds): Judgement {
  if (asked.manner === 'silent') return { code: 'timeout' };
  if (asked.manner === 'gone') return { code: 'cancelled' };
  if (asked.manner === 'nobody') return { code: 'refused' };
  const plain = judgeHeight(asked, bounds);
  // Refusals over gRPC are in headers, and those over REST have an error status. All other responses exceed 16 bytes.
  const isRefusal = asked.what.kind !== 'rpc' && asked.what.over !== 'abci' && plain.code !== 'ok';
  return asked.manner === 'narrow' && !isRefusal ? { code: 'limit' } : plain;
}

function judgeHeight({ height, what }: Asked, bounds: Bounds): Judgement {
  if (bounds.starting) return { code: 'starting' };
  if (what.kind === 'state') {
    if (height === 0n) return { code: 'ok' };
    if (height > BigInt(bounds.lastState)) return future(bounds);
    if (height < BigInt(first)) return { code: 'height_never_existed' };
    const isHeld = height >= BigInt(bounds.firstState) && !bounds.lost.has(Number(height));
    return { code: isHeld ? 'ok' : 'height_not_retained' };
  }
  if (height <= 0n) return { code: 'invalid_argument' };
  const isAhead = what.kind === 'rpc' && what.method === 'validators';
  if (height > BigInt(bounds.lastBlock + (isAhead ? 1 : 0))) return future(bounds);
  if (height < BigInt(first)) return { code: 'height_never_existed', lowest: bounds.firstBlock };
  if (height < BigInt(bounds.firstBlock)) return { code: 'height_not_retained', lowest: bounds.firstBlock };
  if (what.kind === 'rpc' && what.method === 'block_results' && height === BigInt(bounds.stoppedAt ?? 0)) {
    return { code: 'not_found', refined: 'stopped_for_upgrade' };
  }
  return { code: 'ok' };
}

function future({ stoppedAt }: Bounds): Judgement {
  return { code: 'height_in_future', refined: stoppedAt === undefined ? 'height_in_future' : 'stopped_for_upgrade' };
}

type Connected = ReturnType<typeof open>;

interface Places extends Readonly<Record<'plain' | 'closer' | 'narrow' | 'silent' | 'nobody', Connected>> {
  close(): Promise<void>;
}

function open(
  addresses: { grpc: string; rest: string; rpc: string },
  options: { maxBytes?: number; timeoutMs?: number; explainHeights?: boolean } = {},
) {
  return connect({ ...addresses, naming: publicNaming, ...options });
}

async function openPlaces(node: Devnode): Promise<Places> {
  const sockets = new Set<{ destroy(): void }>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const port = await new Promise<number>((resolve) => {
    silent.listen(0, '127.0.0.1', () => resolve((silent.address() as AddressInfo).port));
  });
  const at = (number: number) => ({
    grpc: `127.0.0.1:${number}`,
    rest: `http://127.0.0.1:${number}`,
    rpc: `http://127.0.0.1:${number}`,
  });
  const closed = createServer();
  const free = await new Promise<number>((resolve) => {
    closed.listen(0, '127.0.0.1', () => {
      const { port: number } = closed.address() as AddressInfo;
      closed.close(() => resolve(number));
    });
  });
  const { grpc, rest, rpc } = node;
  const places = {
    plain: open({ grpc, rest, rpc }, { explainHeights: false }),
    closer: open({ grpc, rest, rpc }),
    narrow: open({ grpc, rest, rpc }, { maxBytes: 16 }),
    silent: open(at(port), { timeoutMs: 25 }),
    nobody: open(at(free)),
  };
  return {
    ...places,
    close: async () => {
      await Promise.all(Object.values(places).map((place) => place.close()));
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    },
  };
}

async function outcomeOf(places: Places, { manner, height, what }: Asked): Promise<'ok' | HubError> {
  const place = manner === 'gone' ? places.plain : places[manner];
  const options = manner === 'gone' ? { signal: AbortSignal.abort() } : {};
  try {
    if (what.kind === 'rpc') await place.rpc.call(what.method, { height }, options);
    else if (what.kind === 'state') await place[what.over].call(queryParams, {}, { ...options, height });
    else await place[what.over].call(getBlockByHeight, { height }, options);
    return 'ok';
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

function describe({ manner, height, what }: Asked): string {
  return `${what.kind === 'rpc' ? `rpc ${what.method}` : `${what.kind} over ${what.over}`} at ${height}, ${manner},`;
}
