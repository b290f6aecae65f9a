import {
  accountSubscriptions,
  connectTo,
  createChangeHistory,
  createSessionMemory,
  createEndpoint,
  createFailureLog,
  createHeartbeatHistory,
  createLogger,
  createObservations,
  createOwnMetrics,
  createPool,
  leaseRenewals,
  openStore,
  parseConfig,
  pollJob,
  type RenewalsReading,
  renewalsTarget,
  type SubscriptionsReading,
  watchedPlans,
  watchedProviders,
} from '@hubwatch/daemon/parts';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { BlockStream, type HubState } from '@hubwatch/devnode/chain';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { basename } from 'node:path';
import { balancesAhead } from './balances-ahead.js';
import { type Compared, comparedAllocations, comparedPlans, comparedProvider } from './compared-readings.js';
import { Counts } from './counts.js';
import { subjects } from './ledger-truth.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';
import { chainFolders, formsOf, steps } from './recorded-chain.js';
import { disturbancesOf } from './disturbances.js';
import { laterOutcomes } from './later-outcomes.js';
import { leaseOutcomes, type Outcome, subscriptionOutcomes } from './term-forecasts.js';
import { VirtualClock } from './virtual-clock.js';

/**
 * The daemon's own checks predict the outcome of a lease or subscription correctly one block before its term ends. The
 * same is true for leases with later ends, over renewals and income in between, if no user transaction interfered.
 */
export const leaseVerdicts: Proof = {
  name: 'lease-verdicts',
  about:
    'the checks of leases and subscriptions, asking a node of a recorded chain one block and hours before terms end, say which are renewed, at what price, and which end; balances of providers are foreseen',
  run: prove,
};

/** Interval of observations at which the readings of providers and plans are compared with the recorded state. */
const readEvery = 8;

async function prove({ seed, runs, chain, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  const problems: string[] = [];
  let requests = 0;
  let looks = 0;
  let leftOpen = 0;
  let moved = 0;
  for (const folder of chainFolders(chain)) {
    for (const { problem, isMoved } of firstOf(balancesAhead(folder), runs)) {
      counts.add(`balances of ${basename(folder)} foreseen`, problem === undefined);
      if (isMoved) moved += 1;
      if (problem !== undefined) problems.push(problem);
    }
    const ending = [...steps(folder)].flatMap((step) => {
      const outcomes = [...leaseOutcomes(step), ...subscriptionOutcomes(step)];
      return outcomes.length === 0 ? [] : [{ height: step.block.height, outcomes, before: step.before }];
    });
    const chosen = sampleOf(ending, runs, new RandomSource(seed));
    const later = laterOutcomes(ending, disturbancesOf(folder));
    const daemon = await startLooking(folder);
    try {
      for (const [at, { height, outcomes, before }] of chosen.entries()) {
        const reading = await daemon.lookAt(height - 1);
        looks += 1;
        if (at % readEvery === 0) {
          for (const { what, read, recorded } of await daemon.compare(before)) {
            counts.add(`readings of ${basename(folder)}`, read === recorded);
            if (read !== recorded) problems.push(`${what} at ${height - 1}: read ${read}, recorded ${recorded}`);
          }
        }
        for (const { lease, outcome, isTight } of later.of(before, height, reading.leases)) {
          const said = leaseSaid(outcome, reading.leases);
          if (said === 'nothing: open') leftOpen += 1;
          else {
            counts.add(
              `leases of ${basename(folder)} ahead of time${isTight ? ', money short' : ''}`,
              said === outcome.chain,
            );
            if (said !== outcome.chain)
              problems.push(
                `lease ${lease} ahead of time, at ${height - 1}: the check said ${said}, the chain ${outcome.chain}`,
              );
          }
        }
        for (const outcome of outcomes) {
          const isLease = outcome.subject.startsWith('lease');
          const said = isLease ? leaseSaid(outcome, reading.leases) : subscriptionSaid(outcome, reading.subscriptions);
          counts.add(`${isLease ? 'leases' : 'subscriptions'} of ${basename(folder)}`, said === outcome.chain);
          if (said !== outcome.chain)
            problems.push(`${outcome.subject} at ${height}: the check said ${said}, the chain ${outcome.chain}`);
        }
      }
      requests += await daemon.requests();
    } finally {
      await daemon.close();
    }
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  const figures = counts.figures();
  const total = Object.keys(figures).reduce((sum, claim) => sum + counts.total(claim), 0);
  return {
    passed: total - counts.failed,
    total,
    counterExample: problems[0],
    figures: {
      ...figures,
      'foreseen balances that moved': moved,
      'left open ahead of time': leftOpen,
      'requests a round': Math.round(requests / Math.max(1, looks)),
    },
  };
}

/** The first `count` items; all if no count is given. */
function* firstOf<T>(all: Iterable<T>, count = Number.POSITIVE_INFINITY): Generator<T> {
  let left = count;
  for (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}

/** A random sample of `count` items in their original order; all if no count is given. */
function sampleOf<T>(all: readonly T[], count: number | undefined, random: RandomSource): readonly T[] {
  if (count === undefined || count >= all.length) return all;
  const left = all.map((_, at) => at);
  const taken = Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] ?? 0);
  return taken.toSorted((a, b) => a - b).flatMap((at) => all[at] ?? []);
}

function subscriptionSaid({ subject }: Outcome, readings: readonly SubscriptionsReading[]): string {
  const id = BigInt(subject.replace('subscription ', ''));
  const found = readings
    .flatMap(({ subscriptions }) => subscriptions)
    .find(({ subscription, isOwn }) => isOwn && subscription.id === id);
  if (found === undefined) return 'nothing: not among those of its account';
  return found.forecast === undefined ? 'nothing: open' : found.forecast.renews ? 'renewed' : 'cancelled';
}

function leaseSaid({ subject }: Outcome, { renewals }: RenewalsReading): string {
  const renewal = renewals.get(BigInt(subject.replace('lease ', '')));
  if (renewal === undefined) return 'nothing: not among its leases';
  const { forecast } = renewal;
  if (forecast === undefined) return 'nothing: open';
  if (!forecast.renews) return 'ended';
  const { denom, baseValue, quoteValue } = forecast.price;
  return `renewed at ${denom}:${baseValue},${quoteValue}`;
}

interface Looked {
  readonly leases: RenewalsReading;
  readonly subscriptions: readonly SubscriptionsReading[];
}

/** Accounts that had a subscription at any time. */
function subscribers(folder: string): readonly string[] {
  const found = new Set<string>();
  for (const { before } of steps(folder))
    for (const { accAddress } of formsOf(Subscription, before.subscriptions)) found.add(accAddress);
  return [...found];
}

/** Runs the checks alone, with the daemon's pool and poller, over a real connection. */
async function startLooking(folder: string) {
  const node: Devnode = await startDevnode({ mode: 'moving', chain: folder, speed: 'manual', shiftTo: 'none' });
  const blocks = new BlockStream(folder);
  const store = openStore(':memory:');
  const { nodes, providers } = subjects(folder);
  const accounts = subscribers(folder);
  const config = parseConfig(
    JSON.stringify({
      endpoints: [{ name: 'own', role: 'own', grpc: node.grpc }],
      watch: {
        nodes: nodes.map((address) => ({ address })),
        providers: providers.map((address) => ({ address })),
        accounts: accounts.map((address) => ({ address })),
      },
    }),
  );
  const clock = new VirtualClock(0);
  const own = createOwnMetrics();
  const failures = createFailureLog(createLogger('silent'));
  const timeoutMs = 20_000;
  const endpoints = config.endpoints.map((one) =>
    createEndpoint(one, connectTo(one, timeoutMs), timeoutMs, clock, own, failures),
  );
  const pool = createPool(endpoints, own, clock, { chainId: 'played' });
  const observations = createObservations(
    [leaseRenewals, accountSubscriptions, watchedProviders, watchedPlans],
    config,
  );
  const history = createHeartbeatHistory(store);
  const changes = createChangeHistory(store);
  const sessions = createSessionMemory(store);
  const parts = { pool, history, changes, sessions, config, clock, observations, own, failures };
  const jobs = [leaseRenewals, accountSubscriptions].map((check) => pollJob(check, parts, () => undefined));
  const readers = [watchedProviders, watchedPlans].map((check) => pollJob(check, parts, () => undefined));
  const { signal } = new AbortController();
  return {
    async lookAt(height: number): Promise<Looked> {
      await node.advanceTo(height);
      const timeMs = Date.parse(blocks.block(height).time);
      clock.set(timeMs);
      pool.report('own', { height: BigInt(height), timeMs, chainId: 'played', catchingUp: false }, new Set());
      for (const job of jobs) await job.run(signal);
      const known = <R>(outcome: { state: 'known'; reading: R } | { state: 'failed'; text: string } | undefined): R => {
        if (outcome?.state === 'known') return outcome.reading;
        throw new Error(`a check did not read height ${height}: ${outcome?.text}`);
      };
      return {
        leases: known(observations.outcome(leaseRenewals, renewalsTarget.key)),
        subscriptions: accounts.map((address) => known(observations.outcome(accountSubscriptions, address))),
      };
    },
    /** Compares readings of providers, plans and accounts at the height of the last observation with the recorded state. */
    async compare(before: HubState): Promise<readonly Compared[]> {
      for (const job of readers) await job.run(signal);
      const ofProviders = providers.flatMap((address) => {
        const provider = observations.outcome(watchedProviders, address);
        const plans = observations.outcome(watchedPlans, address);
        if (provider?.state !== 'known' || plans?.state !== 'known') throw new Error(`${address} was not read`);
        return [
          ...comparedProvider(address, provider.reading, before),
          ...comparedPlans(address, plans.reading, before),
        ];
      });
      const ofAccounts = accounts.flatMap((address) => {
        const outcome = observations.outcome(accountSubscriptions, address);
        return outcome?.state === 'known' ? comparedAllocations(outcome.reading, before) : [];
      });
      return [...ofProviders, ...ofAccounts];
    },
    async requests(): Promise<number> {
      const { values } = await own.requests.get();
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    async close(): Promise<void> {
      await Promise.all(endpoints.map((one) => one.close()));
      store.close();
      await node.close();
    },
  };
}
