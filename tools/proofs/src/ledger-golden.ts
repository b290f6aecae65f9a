import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createLedgerStore, leaseTermsOf, type LedgerRow, openStore, sumLedger } from '@hubwatch/daemon/parts';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { BlockStream } from '@hubwatch/devnode/chain';
import { Counts } from './counts.js';
import { lateLedgers } from './late-ledger.js';
import { leaseEnds, type LeaseEndTruth } from './lease-end-truth.js';
import { type Movement, movements, subjects } from './ledger-truth.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { chainFolders, steps } from './recorded-chain.js';
import { type RunningDaemon, runDaemon } from './running-daemon.js';
import { leaseOutcomes, type Outcome, subscriptionOutcomes } from './term-forecasts.js';

const waitMs = 300_000;

/** The daemon's ledger matches the events on a chain, and its forecasts match later events. */
export const ledgerGolden: Proof = {
  name: 'ledger-golden',
  about:
    'the ledger of a daemon that is killed and led to another endpoint holds every payment once; terms end as forecast',
  defaultRuns: 2,
  run: prove,
};

async function prove({ seed, runs = 20, chain, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  const problems: string[] = [];
  const check = (claim: string, problem: string | undefined): void => {
    counts.add(claim, problem === undefined);
    if (problem !== undefined) problems.push(`${claim}: ${problem}`);
  };
  for (const folder of chainFolders(chain)) {
    const ends: LeaseEndTruth[] = [];
    for (const step of steps(folder)) {
      ends.push(...leaseEnds(step));
      for (const outcome of leaseOutcomes(step)) check('lease terms', unequal(outcome, step.block.height));
      for (const outcome of subscriptionOutcomes(step))
        check('subscription periods', unequal(outcome, step.block.height));
    }
    const late = lateLedgers(steps(folder), new BlockStream(folder), new RandomSource(seed));
    for (const problem of late) check('ends told by ledgers that began late', problem);
    const truth = movements(folder);
    const { rows, readMs } = await keptThroughKills(folder, { seed, kills: runs, log });
    const kept = rows.flatMap(movementsOf);
    for (const { lease, startMs, expected, received } of leaseTermsOf(rows, readMs)) {
      const term = `lease ${lease}, term of ${new Date(startMs).toISOString()}`;
      check('hours expected and received', expected === received ? undefined : `${term}: ${expected} and ${received}`);
    }
    for (const problem of unequalEnds(ends, rows)) check('ends of leases and their reasons', problem);
    for (const problem of unequalRefunds(ends, rows)) check('refunds by kind of end', problem);
    const [expected, told] = [truth, kept].map((all) => all.map(lineOf).toSorted());
    for (const line of new Set([...(expected ?? []), ...(told ?? [])])) {
      const [inTruth, inLedger] = [expected, told].map((all) => all?.filter((one) => one === line).length ?? 0);
      check(
        'payments and refunds',
        inTruth === inLedger ? undefined : `${line}: ${inTruth} on the chain, ${inLedger} kept`,
      );
    }
    const sums = totals(truth);
    for (const [subject, sum] of totals(kept)) {
      check(
        'totals by kind and denomination',
        sums.get(subject) === sum ? undefined : `${subject}: ${sums.get(subject)}, kept ${sum}`,
      );
    }
    log(`  ${basename(folder)}: ${kept.length} payments kept through ${runs} kills`);
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  const figures = counts.figures();
  const total = Object.keys(figures).reduce((sum, claim) => sum + counts.total(claim), 0);
  return { passed: total - counts.failed, total, counterExample: problems[0], figures };
}

function unequal({ subject, forecast, chain }: Outcome, height: number): string | undefined {
  return forecast === chain ? undefined : `${subject} at ${height}: forecast ${forecast}, the chain ${chain}`;
}

/** A problem, or undefined, for each end in the chain or the ledger. */
function unequalEnds(ends: readonly LeaseEndTruth[], rows: readonly LedgerRow[]): readonly (string | undefined)[] {
  const inTruth = ends
    .filter(({ end }) => end !== 'renewed')
    .map(({ height, lease, end }) => `lease ${lease} at ${height}: ${end}`);
  const inLedger = rows
    .filter(({ kind }) => kind === 'lease_ended')
    .map(({ height, record, detail }) => `lease ${record} at ${height}: ${detail}`);
  return [...new Set([...inTruth, ...inLedger])].map((line) =>
    inTruth.includes(line) && inLedger.includes(line)
      ? undefined
      : `${line}, ${inTruth.includes(line) ? 'not in the ledger' : 'not on the chain'}`,
  );
}

/** The same for the sums of `hubwatch ledger --by end`. */
function unequalRefunds(ends: readonly LeaseEndTruth[], rows: readonly LedgerRow[]): readonly (string | undefined)[] {
  const inTruth = new Map<string, bigint>();
  for (const { end, denom, amount } of ends)
    inTruth.set(`${end} ${denom}`, (inTruth.get(`${end} ${denom}`) ?? 0n) + amount);
  const sums = sumLedger(rows, ['end']).filter(({ keys }) => keys.kind === 'lease_refunded');
  const inLedger = new Map(sums.map(({ keys, amount }) => [`${keys.end} ${keys.denom}`, amount]));
  return [...new Set([...inTruth.keys(), ...inLedger.keys()])].map((key) =>
    inTruth.get(key) === inLedger.get(key)
      ? undefined
      : `${key}: ${inTruth.get(key)} on the chain, ${inLedger.get(key)} in the ledger`,
  );
}

interface Kept {
  readonly rows: readonly LedgerRow[];
  /** Block time up to which the ledger was read. */
  readonly readMs: number;
}

/** Plays a chain to a daemon that is killed at random heights and restarted with the other one of two endpoints. */
async function keptThroughKills(
  folder: string,
  { seed, kills, log }: { readonly seed: number; readonly kills: number; readonly log: ProofOptions['log'] },
): Promise<Kept> {
  const random = new RandomSource(seed);
  const work = mkdtempSync(join(tmpdir(), 'hubwatch-ledger-'));
  const nodes = await Promise.all(
    [0, 1].map(() => startDevnode({ mode: 'moving', chain: folder, speed: 'manual', shiftTo: 'end' })),
  );
  let daemon: RunningDaemon | undefined;
  try {
    const { first, last } = (nodes[0] as Devnode).range;
    const heights = Array.from({ length: kills }, () => first + 1 + random.below(last - first)).toSorted(
      (a, b) => a - b,
    );
    for (const [at, height] of [...heights, last].entries()) {
      daemon = await runDaemon(work, configOf(nodes[at % 2] as Devnode, folder, work));
      // The first daemon must have read the first block, where its ledger starts.
      if (at === 0) await reached(daemon, first);
      await Promise.all(nodes.map((node) => node.advanceTo(height)));
      if (height === last && at === kills) await reached(daemon, last);
      else await reached(daemon, at === 0 ? first : Math.max(first, height - 1 - random.below(100)));
      await daemon.kill();
      daemon = undefined;
    }
    const store = openStore(join(work, 'hubwatch.db'));
    const ledger = createLedgerStore(store);
    for (const { first: from, last: to, reason } of ledger.gaps()) log(`  gap from ${from} to ${to}: ${reason}`);
    const kept = { rows: ledger.rows(), readMs: ledger.positionMs() ?? 0 };
    store.close();
    return kept;
  } finally {
    await daemon?.kill();
    await Promise.all(nodes.map((node) => node.close()));
    rmSync(work, { recursive: true, force: true });
  }
}

function movementsOf({ height, kind, record, amount, denom, stakers }: LedgerRow): Movement[] {
  if (amount === undefined) return [];
  return [{ height: Number(height), what: kind, record, amount, denom: denom ?? '', stakers: stakers ?? '' }];
}

/** Waits until the ledger contains a height. */
async function reached(daemon: RunningDaemon, height: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const page = await daemon.read('/metrics');
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
    if (value('hub_head_height') - value('hubwatch_unprocessed_blocks') >= height) return;
    if (Date.now() > deadline) throw new Error(`the ledger did not reach height ${height} within ${waitMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function configOf({ rpc, grpc }: Devnode, folder: string, work: string): unknown {
  const { nodes, providers, accounts } = subjects(folder);
  return {
    endpoints: [{ name: 'own', role: 'own', rpc, grpc }],
    watch: {
      nodes: nodes.map((address) => ({ address })),
      providers: providers.map((address) => ({ address })),
      accounts: accounts.map((address) => ({ address })),
    },
    poll: {
      endpoints: '100ms',
      ledger: '100ms',
      nodes: '10m',
      leases: '1h',
      sessions: '1h',
      renewals: '1d',
      network: '1d',
      subscriptions: '1d',
      other: '1d',
    },
    web: { listen: '127.0.0.1:0' },
    store: { path: join(work, 'hubwatch.db') },
    log: { level: 'error' },
  };
}

function lineOf({ height, what, record, amount, denom, stakers }: Movement): string {
  return `${height} ${what} ${record}: ${amount}${denom} + ${stakers || '0'}`;
}

function totals(all: readonly Movement[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { what, denom, amount, stakers } of all) {
    for (const [subject, value] of [
      [`${what} ${denom}`, amount],
      [`${what} ${denom}, stakers`, stakers || '0'],
    ] as const) {
      sums.set(subject, (sums.get(subject) ?? 0n) + BigInt(value));
    }
  }
  return sums;
}
