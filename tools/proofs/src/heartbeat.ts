import {
  createEndpoint,
  createFailureLog,
  createChangeHistory,
  createSessionMemory,
  createHeartbeatHistory,
  createLogger,
  createObservations,
  createOwnMetrics,
  createPool,
  type EndpointConnection,
  heartbeatLate,
  nodeLeases,
  openStore,
  parseConfig,
  pollJob,
  type RuleView,
  watchedNodes,
} from '@hubwatch/daemon/parts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyLedger } from './empty-ledger.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { VirtualClock } from './virtual-clock.js';

/** A late heartbeat is reported in time; a normal one never is. */
export const heartbeat: Proof = {
  name: 'heartbeat',
  about:
    'Nodes that renew by random habits and then stop: the notice is out 3 minutes before expiry where 5 are usual, at once otherwise; no renewal within its habit raises one.',
  defaultRuns: 1_000,
  run: prove,
};

const second = 1_000;
const minute = 60 * second;
const node = 'sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy';

/** A node's renewal pattern, how it is observed, and how long it lasts. */
interface Habit {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  /** Maximum deviation of a renewal from the usual time. */
  readonly jitterMs: number;
  readonly beats: number;
  /** Renewals after which the pattern is known: five intervals, or none if it equals the assumed one. */
  readonly known: number;
  readonly blockMs: number;
  readonly pollMs: number;
  /** Difference between the daemon's clock and the chain's. */
  readonly clockErrorMs: number;
}

const habitOf = (random: RandomSource): Habit => {
  const timeoutMs = random.pick([20, 30, 60, 60, 60, 120]) * minute;
  const learns = random.chance(0.8);
  // Until five intervals are known, eleven twelfths of the timeout are assumed as the interval.
  const slackMs = learns ? 90 * second + random.below(timeoutMs / 2 - 90 * second) : timeoutMs / 12;
  return {
    timeoutMs,
    intervalMs: timeoutMs - slackMs,
    jitterMs: random.below(Math.min(12 * second, slackMs / 6)),
    beats: learns ? 21 + random.below(10) : 1 + random.below(4),
    known: learns ? 5 : 0,
    blockMs: 2 * second + random.below(6 * second),
    pollMs: random.pick([10, 15, 30]) * second,
    clockErrorMs: random.chance(0.3) ? (random.below(1_200) - 600) * second : 0,
  };
};

async function prove({ seed, runs = 1_000, log }: ProofOptions): Promise<ProofOutcome> {
  // In memory if possible: each renewal is a commit, and none of them is needed after this run.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hubwatch-heartbeat-'));
  const store = openStore(join(folder, 'hubwatch.db'));
  const problems: string[] = [];
  let leastLeftMs = Number.POSITIVE_INFINITY;
  let renewals = 0;
  try {
    for (let run = 0; run < runs; run += 1) {
      const habit = habitOf(new RandomSource(seed + run * 7_919));
      for (const table of ['heartbeats', 'seen_values', 'changes']) store.run(`DELETE FROM ${table}`);
      const found = await watch(habit, new RandomSource(seed + run), {
        history: createHeartbeatHistory(store),
        changes: createChangeHistory(store),
        sessions: createSessionMemory(store),
      });
      renewals += habit.beats - habit.known;
      const slackMs = habit.timeoutMs - habit.intervalMs;
      if (slackMs >= 5 * minute) leastLeftMs = Math.min(leastLeftMs, found.leftMs ?? 0);
      const problem = problemOf(habit, found);
      if (problem === undefined) continue;
      problems.push(`run ${run}, ${JSON.stringify(habit)}: ${problem}`);
      if (problems.length <= 10) log(problems.at(-1) ?? '');
    }
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    passed: runs - problems.length,
    total: runs,
    counterExample: problems[0],
    figures: {
      'renewals without a notice': renewals,
      'least time left at a notice, usual slack 5 min or more (s)': Math.round(leastLeftMs / second),
    },
  };
}

interface Found {
  /** Number of renewals that raised a notification. */
  readonly false: number;
  /** Time left on the chain when the notification was sent, and its text; `undefined` if there was none before expiry. */
  readonly leftMs: number | undefined;
  readonly title: string;
  readonly deadlineMs: number;
  /** Time from the due renewal until the rule's condition becomes true for the node's actual pattern. */
  readonly lateMs: number;
}

const problemOf = ({ timeoutMs, intervalMs, blockMs, pollMs }: Habit, found: Found): string | undefined => {
  const slackMs = timeoutMs - intervalMs;
  if (found.false > 0) return `${found.false} renewals within the habit raised a notice`;
  if (found.leftMs === undefined) return 'no notice before expiry';
  const leastMs = timeoutMs / 20 - (timeoutMs < 60 * minute ? pollMs + blockMs : 0);
  if (slackMs >= timeoutMs / 12 && found.leftMs < leastMs) return `only ${found.leftMs / second} s were left`;
  // Immediately means: the first observation of a block in which the rule is true. Its time may be one poll old.
  const allowedMs = 2 * pollMs + 2 * blockMs + 13 * second;
  const delayMs = slackMs - found.leftMs - found.lateMs;
  if (delayMs > allowedMs) return `told ${delayMs / second} s after it was late`;
  const expected = `five: heartbeat late, deadline ${utcOf(found.deadlineMs)} UTC`;
  return found.title === expected
    ? undefined
    : `said "${found.title}" where the deadline was ${utcOf(found.deadlineMs)}`;
};

const utcOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Stored history. */
interface Kept {
  readonly history: ReturnType<typeof createHeartbeatHistory>;
  readonly changes: ReturnType<typeof createChangeHistory>;
  readonly sessions: ReturnType<typeof createSessionMemory>;
}

/** Plays a pattern and its end with the daemon's own check, history and rule. */
async function watch(habit: Habit, random: RandomSource, kept: Kept): Promise<Found> {
  const start = 1_800_000_000_000;
  const clock = new VirtualClock(start + habit.clockErrorMs);
  const chain = { headMs: start, statusMs: start };
  const height = (): bigint => BigInt(Math.floor((chain.headMs - start) / habit.blockMs)) + 1_000_000n;
  const connection = connectionTo(() => ({
    height: height(),
    record: {
      status: chain.headMs >= chain.statusMs + habit.timeoutMs ? 3 : 1,
      statusAt: time(chain.statusMs),
      inactiveAt: time(chain.statusMs + habit.timeoutMs),
    },
  }));
  const look = daemonOn(connection, clock, kept, () => ({ height: height(), timeMs: chain.headMs }));
  const go = (toMs: number): void => {
    chain.headMs = start + Math.floor((toMs - start) / habit.blockMs) * habit.blockMs;
    clock.set(toMs + habit.clockErrorMs);
  };

  let falseAlarms = 0;
  let nowMs = start;
  for (let beat = 0; beat < habit.beats; beat += 1) {
    const dueMs = chain.statusMs + habit.intervalMs + random.below(2 * habit.jitterMs + 1) - habit.jitterMs;
    // Only the age of the last renewal changes before this time, so observations start where the rule may change.
    nowMs = Math.max(nowMs, dueMs - 2 * minute);
    while (nowMs < dueMs) {
      go(nowMs);
      if ((await look()).isFiring && beat >= habit.known) falseAlarms += 1;
      nowMs += habit.pollMs + random.below(second);
    }
    go(nowMs);
    // The renewal is included in the first block at or after it.
    chain.statusMs = Math.min(chain.headMs, start + Math.ceil((dueMs - start) / habit.blockMs) * habit.blockMs);
    if ((await look()).isFiring && beat >= habit.known) falseAlarms += 1;
  }
  const slackMs = habit.timeoutMs - habit.intervalMs;
  const lateMs = Math.min(0.4 * slackMs, Math.max(slackMs - habit.timeoutMs / 15, habit.timeoutMs / 120));
  const deadlineMs = chain.statusMs + habit.timeoutMs;
  nowMs = Math.max(nowMs, chain.statusMs + habit.intervalMs - minute);
  while (nowMs < deadlineMs) {
    go(nowMs);
    const { isFiring, title, judgedMs } = await look();
    if (isFiring) return { false: falseAlarms, leftMs: deadlineMs - judgedMs, title, deadlineMs, lateMs };
    nowMs += habit.pollMs + random.below(second);
  }
  return { false: falseAlarms, leftMs: undefined, title: '', deadlineMs, lateMs };
}

const time = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 });

/** A node's gRPC that answers with one record and no lease. */
const connectionTo = (at: () => { readonly height: bigint; readonly record: object }): EndpointConnection => ({
  grpc: {
    kind: 'grpc',
    address: 'virtual',
    call: (method) => {
      const { height, record } = at();
      const none = { leases: [], pagination: undefined };
      const details = { address: node, gigabytePrices: [], hourlyPrices: [], remoteAddrs: [] };
      const message = method.name === 'QueryNode' ? { node: { ...details, ...record } } : none;
      return Promise.resolve({ message: message as never, height });
    },
    close: () => Promise.resolve(),
  },
  close: () => Promise.resolve(),
});

/** One observation: updates the head, reads the node, evaluates the rule. */
const daemonOn = (
  connection: EndpointConnection,
  clock: VirtualClock,
  kept: Kept,
  head: () => { readonly height: bigint; readonly timeMs: number },
) => {
  const config = parseConfig(
    `network: {chain_id: c}\nendpoints: [{name: own, grpc: "127.0.0.1:1"}]\nwatch: {nodes: [{address: ${node}, alias: five}]}`,
  );
  const own = createOwnMetrics();
  const failures = createFailureLog(createLogger('silent'));
  const endpoints = config.endpoints.map((one) => createEndpoint(one, connection, 1_000, clock, own, failures));
  const pool = createPool(endpoints, own, clock, { chainId: 'c' });
  const observations = createObservations([watchedNodes, nodeLeases], config);
  // Complete events let the timetable skip a node for the longest time.
  const events = () => ({ from: 0n, to: head().height });
  const parts = { pool, ...kept, config, clock, observations, own, failures, events };
  const jobs = [nodeLeases, watchedNodes].map((check) => pollJob(check, parts, () => undefined));
  const { signal } = new AbortController();
  const sweeps = { isOn: false, sinceMs: 0, states: () => [] };
  const ledger = emptyLedger();
  return async () => {
    pool.report('own', { ...head(), chainId: 'c', catchingUp: false }, new Set());
    // Like the timetable, which skips nodes whose heartbeat is not due.
    for (const job of jobs) await job.run(signal, { isTimetable: true });
    const view: RuleView = {
      config,
      observations,
      ledger,
      sweeps,
      head: pool.head(),
      newest: pool.newest(),
      clockMs: clock.nowMs(),
      awakeMs: pool.awakeMs(),
    };
    const [verdict] = heartbeatLate.evaluate(view);
    const outcome = observations.outcome(watchedNodes, node);
    return {
      isFiring: verdict?.state === 'firing',
      title: verdict?.title ?? '',
      judgedMs: outcome?.moment.head?.timeMs ?? 0,
    };
  };
};
