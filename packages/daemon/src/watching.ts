import { accountTargets } from './checks/account/account-targets.js';
import { heartbeatFees } from './checks/account/heartbeat-fees.js';
import type { Check } from './checks/check.js';
import { checks } from './checks/index.js';
import type { Clock } from '@hubwatch/client';
import type { Closers } from './closers.js';
import { speedOf } from './clock.js';
import { networkName } from './config/network-name.js';
import type { Config, EndpointConfig } from './config/schema.js';
import { Memory } from './checks/memory.js';
import { connectTo } from './endpoints/connection.js';
import { createEndpoint, type Endpoint, type EndpointConnection } from './endpoints/endpoint.js';
import { createPool, type TrustedPool } from './endpoints/pool.js';
import { createLedger, type Ledger, watchedAddresses, watchedList } from './ledger/ledger.js';
import { createLedgerStore } from './ledger/ledger-store.js';
import { backfillSources, refillJob } from './ledger/refill.js';
import type { FailureLog, Logger } from './log.js';
import { createObservations, type Observations } from './observations/observations.js';
import { pollJob } from './observations/poller.js';
import type { OwnMetrics } from './own-metrics.js';
import { sinceStall } from './observations/since-stall.js';
import type { LocalView, RuleView } from './rules/rule.js';
import type { AwakeTime } from './schedule/awake-time.js';
import type { Job } from './schedule/interval-job.js';
import { createChangeHistory } from './store/change-history.js';
import { createHeartbeatHistory } from './store/heartbeat-history.js';
import { createLeaseRecords } from './store/lease-records.js';
import { createSessionMemory, type SessionMemory } from './store/session-memory.js';
import type { KeptStore, StoreHealth } from './store/kept-store.js';
import type { Store } from './store/store.js';
import { chosenChainKind } from './store/tables.js';
import { upkeepJob } from './store/upkeep.js';
import { allSweeps } from './sweeps/index.js';
import { createSweepStore } from './sweeps/sweep-store.js';
import { createSweeps, type Sweeps } from './sweeps/sweeps.js';

/** Creates the connection to an endpoint. */
export type Connect = (endpoint: EndpointConfig, timeoutMs: number) => EndpointConnection;

export interface WatchingParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  /** Absent if there is no persistent store. */
  readonly storeHealth?: (StoreHealth & Pick<KeptStore, 'refilled'>) | undefined;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  readonly closers: Closers;
  readonly connectTo?: Connect | undefined;
  /** Detects suspensions of this process; without it they are not detected. */
  readonly awake?: AwakeTime | undefined;
  /** Called for new readings, with the name of the job that created them. */
  readonly onReadings: (job: string) => void;
  /** Triggers a round of a job as soon as possible. */
  readonly wake: (job: string, only: ReadonlySet<string> | undefined) => void;
  readonly arrange?: Arrange | undefined;
}

/** Reorders a list of parts. For tests: the order must not matter. */
export type Arrange = <T>(parts: readonly T[]) => readonly T[];

/** The first check must stay first: it reports the heads that all others need to the pool. */
const arranged = (arrange: Arrange): readonly Check[] => [...checks.slice(0, 1), ...arrange(checks.slice(1))];

/** The stages from the endpoints to the data that rules may read. */
export interface Watching {
  readonly endpoints: readonly Endpoint[];
  readonly pool: TrustedPool;
  readonly sessions: SessionMemory;
  readonly observations: Observations;
  readonly ledger: Ledger;
  /** Reads lost ledger entries of a damaged store again; absent if there is no persistent store. */
  readonly refill: Job | undefined;
  readonly sweeps: Sweeps;
  /** Prunes the store; absent if there is no persistent store. */
  readonly upkeep: Job | undefined;
  /** One for each check, in their order. */
  readonly polls: readonly Job[];
  readonly view: () => RuleView;
}

/**
 * Builds the watching stages, for the daemon and for a single round without it. Sends no request before its jobs run.
 */
export const createWatching = (parts: WatchingParts): Watching => {
  const { config, clock, logger, store, own, failures, closers, awake, onReadings, wake } = parts;
  const arrange: Arrange = parts.arrange ?? ((list) => list);
  const history = createHeartbeatHistory(store);
  const changes = createChangeHistory(store);
  const sessions = createSessionMemory(store);
  const leaseRecords = createLeaseRecords(store);

  const open = parts.connectTo ?? connectTo;
  const { timeout } = config.poll;
  const connections = config.endpoints.map((endpoint) => ({ endpoint, connection: open(endpoint, timeout) }));
  const endpoints = connections.map(({ endpoint: one, connection }) => {
    const endpoint = createEndpoint(one, connection, timeout, clock, own, failures);
    closers.add(() => endpoint.close());
    return endpoint;
  });
  const pool = createPool(endpoints, own, clock, {
    // The choice survives a restart: an endpoint that serves a different chain afterwards is wrong.
    chainId: config.network.chain_id ?? changes.known(chosenChain.kind, chosenChain.subject, 'id')?.value,
    onChosen: (id) => changes.note({ ...chosenChain, fields: { id }, height: undefined, atMs: clock.nowMs() }),
    awakeMs: awake && (() => awake.nowMs()),
    lastStallMs: awake && (() => awake.lastStallMs()),
    onWentBack: (text) => logger.warn({ what: text }, 'the chain went back'),
  });

  const observations = createObservations(checks, config);
  const isWatched = watchedAddresses(config);
  const ledgerStore = createLedgerStore(store, { isWatched, maxRows: config.store.ledger_rows });
  const ledger = createLedger(
    { pool, store: ledgerStore, config, own, failures, accounts: () => payingAccounts(config, observations) },
    { onRound: () => onReadings('ledger'), wake },
  );
  const refill =
    parts.storeHealth &&
    refillJob({
      ...{ store: parts.storeHealth, ledger: ledgerStore, sources: backfillSources(connections), clock, logger },
      ...{ addresses: watchedList(config), chainId: config.network.chain_id },
    });
  const upkeep =
    parts.storeHealth &&
    upkeepJob({
      ...{ store, health: parts.storeHealth, clock, keepMs: config.store.keep, isWatched },
      onRows: (table, rows) => own.storeRows.set({ table }, rows),
    });
  const sweepStore = createSweepStore(store);
  const sweepParts = { pool, store: sweepStore, config, clock, own, failures, sweeps: arrange(allSweeps) };
  const sweeps = createSweeps(sweepParts, () => onReadings('sweeps'));

  const events = () => ledger.view.followed();
  const kept = { history, changes, sessions, leaseRecords, memory: new Memory() };
  const ofChecks = { pool, ...kept, config, clock, observations, own, failures, events, awake };
  return {
    endpoints,
    pool,
    sessions,
    observations,
    ledger,
    refill,
    sweeps,
    upkeep,
    polls: arranged(arrange).map((check) => pollJob(check, ofChecks, () => onReadings(check.name))),
    view: () => ({
      config,
      observations: awake === undefined ? observations.now() : sinceStall(observations.now(), awake),
      ledger: ledger.view,
      sweeps: sweeps.view,
      head: pool.head(),
      newest: pool.newest(),
      store: parts.storeHealth,
      clockMs: clock.nowMs(),
      speed: speedOf(clock),
      awakeMs: pool.awakeMs(),
      local: awake && localView(awake, clock),
    }),
  };
};

/** Record that stores the automatically chosen chain when none is configured. */
const chosenChain = { kind: chosenChainKind, subject: 'network' } as const;

const localView = (awake: AwakeTime, clock: Clock): LocalView => {
  const nowMs = clock.monotonicMs();
  const jump = awake.lastJump();
  return {
    watchedMs: nowMs - awake.beganMs,
    lostMs: (withinMs) => awake.lostMs(nowMs - withinMs),
    jump: jump && { agoMs: nowMs - jump.atMs, byMs: jump.byMs },
  };
};

/** Accounts whose balances affect heartbeats and renewals: watched accounts, and accounts that pay for watched subjects. */
const payingAccounts = (config: Config, observations: Pick<Observations, 'outcome'>): ReadonlySet<string> => {
  const fees = observations.outcome(heartbeatFees, networkName(config));
  const payers = fees?.state === 'known' ? [...fees.reading.payers.keys()] : [];
  return new Set([...accountTargets(config).map(({ key }) => key), ...payers]);
};
