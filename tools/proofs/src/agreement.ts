import {
  agreement as check,
  type AgreementReading,
  createEndpoint,
  createFailureLog,
  type createChangeHistory,
  type createSessionMemory,
  type createHeartbeatHistory,
  createLogger,
  createObservations,
  createOwnMetrics,
  createPool,
  endpointStatus,
  networkTarget,
  parseConfig,
  pollJob,
} from '@hubwatch/daemon/parts';
import { connectionTo, randomWorld, startMs, type World, type WorldEndpoint } from './agreement-world.js';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { VirtualClock } from './virtual-clock.js';

/** Comparing endpoints yields the state of each endpoint and of the chain. */
export const agreement: Proof = {
  name: 'agreement',
  about:
    'Random worlds of stale, frozen, forked, syncing, wrong and upgrade-stopped endpoints on a moving, halted or upgrading chain: the right verdict on each, and no data of a wrong one.',
  defaultRuns: 500,
  run: prove,
};

const second = 1_000;
/** Long enough for every verdict: a chain counts as halted after three minutes. */
const lookMs = 900 * second;

async function prove({ seed, runs = 500, log }: ProofOptions): Promise<ProofOutcome> {
  const problems: string[] = [];
  const counts = new Counts();
  for (let run = 0; run < runs; run += 1) {
    const world = randomWorld(new RandomSource(seed + run * 7_919));
    const { reading, used } = await look(world);
    const problem = problemOf(world, reading, used);
    for (const [, verdict] of reading?.endpoints ?? []) counts.add(`verdict ${verdict}`, true);
    counts.add(`chain ${world.chain}`, problem === undefined);
    if (problem === undefined) continue;
    const told = JSON.stringify(world, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    problems.push(`run ${run}: ${problem} in ${told}`);
    if (problems.length <= 10) log(problems.at(-1) ?? '');
  }
  return { passed: runs - problems.length, total: runs, counterExample: problems[0], figures: counts.figures() };
}

/** The correct verdict, as far as an outside observer can know it. */
const truth = (world: World, { kind, transports }: WorldEndpoint): string => {
  if (kind === 'healthy') return world.chain === 'moving' ? 'ok' : world.chain;
  // Without the consensus RPC nothing can show whether the consensus is stuck.
  if (kind === 'frozen' && transports === 'grpc') return 'stuck';
  return kind;
};

const problemOf = (
  world: World,
  reading: AgreementReading | undefined,
  used: ReadonlySet<string>,
): string | undefined => {
  if (reading === undefined) return 'no reading';
  for (const endpoint of world.endpoints) {
    const found = reading.endpoints.get(endpoint.name);
    const right = truth(world, endpoint);
    if (found !== right) return `${endpoint.name} was found ${found} and is ${right}`;
    if (used.has(endpoint.name) && endpoint.kind !== 'healthy')
      return `data of ${endpoint.name} (${endpoint.kind}) are used`;
  }
  if (reading.chain !== world.chain) return `the chain was found ${reading.chain} and is ${world.chain}`;
  return world.endpoints.some(({ name, kind }) => kind === 'healthy' && used.has(name))
    ? undefined
    : 'no data are used';
};

/** Runs the daemon's own checks on a world for a quarter of an hour, at their usual intervals. */
async function look(world: World): Promise<{ reading: AgreementReading | undefined; used: ReadonlySet<string> }> {
  const clock = new VirtualClock(startMs + world.clockErrorMs);
  const config = parseConfig(
    [
      `network: {name: world${world.configuresChain ? ', chain_id: hub-1' : ''}}`,
      'endpoints:',
      ...world.endpoints.map(({ name, role }) => `- {name: ${name}, role: ${role}, rpc: "http://127.0.0.1:1"}`),
    ].join('\n'),
  );
  const own = createOwnMetrics();
  const failures = createFailureLog(createLogger('silent'));
  const endpoints = world.endpoints.map((one, index) => {
    const configured = config.endpoints[index];
    if (configured === undefined) throw new Error('an endpoint is not configured');
    const connection = connectionTo(world, one, () => clock.nowMs() - world.clockErrorMs);
    return createEndpoint(configured, connection, 5 * second, clock, own, failures);
  });
  const pool = createPool(endpoints, own, clock, { chainId: config.network.chain_id });
  const observations = createObservations([endpointStatus, check], config);
  const history: ReturnType<typeof createHeartbeatHistory> = { add: () => undefined, times: () => [] };
  const changes: ReturnType<typeof createChangeHistory> = {
    note: () => [],
    known: () => undefined,
    changes: () => [],
    count: () => 0,
  };
  const sessions: ReturnType<typeof createSessionMemory> = {
    history: {
      take: () => Promise.resolve({ ended: 0, endedIds: [], lapsed: 0, silent: 0 }),
      transferred: () => undefined,
    },
    counts: { note: () => undefined, usual: () => undefined },
  };
  const parts = { pool, history, changes, sessions, config, clock, observations, own, failures };
  const status = pollJob(endpointStatus, parts, () => undefined);
  const compare = pollJob(check, parts, () => undefined);
  const { signal } = new AbortController();
  for (let atMs = 0; atMs <= lookMs; atMs += 10 * second) {
    clock.set(startMs + world.clockErrorMs + atMs);
    await status.run(signal);
    if (atMs % (60 * second) === 0) await compare.run(signal);
  }
  const outcome = observations.outcome(check, networkTarget.key);
  const used = new Set(pool.usable().map(({ name }) => name));
  return { reading: outcome?.state === 'known' ? outcome.reading : undefined, used };
}
