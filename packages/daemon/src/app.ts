import { createAlerting } from './alerting.js';
import { processJob } from './alerts/evaluation.js';
import type { Clock } from '@hubwatch/client';
import { type Closers, createClosers } from './closers.js';
import type { Config } from './config/schema.js';
import { startHeaderFeed } from './endpoints/header-feed.js';
import { createFailureLog, type Logger } from './log.js';
import { chainFamilies } from './metrics/families.js';
import { transferredSamples } from './metrics/transferred-bytes.js';
import { metricsPage } from './metrics/page.js';
import { startAlivePing } from './notifiers/alive-ping.js';
import { missingReadings } from './observations/readiness.js';
import { createOwnMetrics, describeReloads, describeSelf, noReloads, type Reloads, storeMeter } from './own-metrics.js';
import { configuredRules } from './rules/evaluate.js';
import { rules } from './rules/index.js';
import { startAwakeTime } from './schedule/awake-time.js';
import { startSchedule } from './schedule/schedule.js';
import { keepStore } from './store/keep-store.js';
import { revision, version } from './version.js';
import { type Arrange, type Connect, createWatching } from './watching.js';
import { allowedHosts } from './web/allowed-hosts.js';
import { webRoutes } from './web/routes.js';
import { startWebServer } from './web/server.js';

export interface AppOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Set if `clock` follows a replayed chain: the page states it. */
  readonly demo?: { readonly speed: number } | undefined;
  /** Reloads of this process so far. */
  readonly reloads?: Reloads | undefined;
  /** Creates the connection to an endpoint; by default the client's `connect`. */
  readonly connectTo?: Connect | undefined;
  /** Reorders checks, sweeps and rules. For tests: the order must not matter. */
  readonly arrange?: Arrange | undefined;
}

/** The running daemon. */
export interface App {
  /** Address of the web server, `http://127.0.0.1:9190`. */
  address(): string;
  /** Runs every check once, in order, reads the ledger up to the head and evaluates the rules. For tests and one-off runs. */
  pollNow(): Promise<void>;
  /** Whether a round of evaluation was saved recently, or the daemon started recently. */
  isAlive(): boolean;
  /** Exports the number and result of the reloads. */
  showReloads(reloads: Reloads): void;
  /** Gives a notice in progress one second to be accepted, stops polls, closes the store. */
  close(): Promise<void>;
}

/**
 * Builds the stages in the order of the data flow and starts them: locks the store, binds the address, starts polls,
 * then sends notices. @throws Error if the store or the address is not available; then nothing stays open
 */
export const startApp = async (config: Config, options: AppOptions): Promise<App> => {
  const closers = createClosers();
  try {
    return await start(config, options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
};

const start = async (config: Config, options: AppOptions, closers: Closers): Promise<App> => {
  const { clock, logger, demo } = options;
  const own = createOwnMetrics();
  const failures = createFailureLog(logger);
  describeSelf(own, { version, revision }, config);
  describeReloads(own, options.reloads ?? noReloads(clock.nowMs()));

  /** No-op until rules are evaluated; the first round reads the state of the store. */
  let onStoreChange = (): void => undefined;
  const store = await keepStore({
    ...{ path: config.store.path, chainId: config.network.chain_id, clock, logger, meter: storeMeter(own) },
    onChange: () => onStoreChange(),
  });
  closers.add(() => store.close());
  const awake = startAwakeTime({ clock, onLongStall: () => rereadAll() });
  closers.add(() => awake.stop());
  const watching = createWatching({
    ...{ config, clock, logger, store, storeHealth: store, own, failures, closers, awake },
    connectTo: options.connectTo,
    arrange: options.arrange,
    onReadings(job) {
      evaluation.request(job);
      if (job === 'endpoints') readEvents();
    },
    wake: (job, only) => schedule.wake(job, only),
  });
  const { endpoints, pool, sessions, observations, ledger, sweeps, view } = watching;

  const alerting = createAlerting({
    ...{ config, clock, awake, store, view, own, failures, logger },
    rules: configuredRules(options.arrange?.(rules) ?? rules, config),
  });
  const { silences, alerts, outbox, evaluation, senders } = alerting;
  closers.add(() => evaluation.stop());
  onStoreChange = () => void evaluation.run();

  const metrics = metricsPage({
    families: chainFamilies(),
    observations,
    head: () => pool.head(),
    ledger: ledger.view,
    sweeps: sweeps.view,
    transferred: () => transferredSamples(config, sessions.history),
    own,
    store,
    silences: () => silences.current(clock.nowMs()).length,
  });
  const status = {
    config,
    observations,
    ledger: ledger.view,
    sweeps: sweeps.view,
    head: () => pool.head(),
    nowMs: () => clock.nowMs(),
    alerts,
    silences,
    outbox,
    senders,
    version,
    demo,
  };
  // A head is sufficient: if one transport of an endpoint never responds, its first reading takes the full time-out.
  const missing = (): string => (pool.head() === undefined ? missingReadings(config, observations) : '');
  const routes = webRoutes({ metrics, missing, store, status });
  const web = await startWebServer(config.web.listen, routes, own, logger, allowedHosts(config));
  closers.add(() => web.close());

  /** Triggers the ledger at once if the head has advanced. */
  const readEvents = (): void => {
    if ((pool.head()?.height ?? 0n) > (ledger.view.position() ?? 0n)) schedule.wake('ledger');
  };
  const jobs = [...watching.polls, ledger.job, watching.refill, sweeps.job, watching.upkeep].filter(
    (job) => job !== undefined,
  );
  const schedule = startSchedule(
    jobs,
    clock,
    {
      skipped: (job, rounds) => own.pollsSkipped.inc({ job, reason: 'overlap' }, rounds),
      threw: (job, error) => logger.error({ job, err: error }, 'job failed'),
    },
    { found: pool.firstHead, limitMs: config.poll.timeout },
  );
  closers.add(() => schedule.stop());
  /** After a stall all readings are obsolete until they are read again. */
  const rereadAll = (): void => {
    logger.warn('this process stood still; everything is read again, and nothing is judged before that');
    evaluation.request(processJob);
    for (const { name } of watching.polls) schedule.wake(name);
  };
  for (const endpoint of endpoints) {
    const feed = startHeaderFeed(endpoint, {
      pool,
      clock,
      own,
      failures,
      onBlock: readEvents,
      onReturn: () => schedule.wake('endpoints'),
    });
    if (feed !== undefined) closers.add(() => feed.stop());
  }

  alerting.startSenders();
  closers.add(async () => {
    await Promise.all(senders.map((sender) => sender.stop()));
  });

  const staleMs = 3 * config.poll.endpoints + 2 * config.poll.timeout;
  if (config.alive !== undefined) {
    const parts = { clock, own, failures, lastRoundMs: () => evaluation.lastMs(), staleMs };
    const ping = startAlivePing(config.alive, parts);
    closers.add(() => ping.stop());
  }

  const pollNow = async (): Promise<void> => {
    await schedule.runNow();
    await evaluation.run();
  };
  const startedMs = clock.monotonicMs();
  const isAlive = (): boolean => clock.monotonicMs() - (evaluation.lastMs() ?? startedMs) <= staleMs;
  return {
    address: () => web.url,
    pollNow,
    isAlive,
    showReloads: (reloads) => describeReloads(own, reloads),
    close: () => closers.close(),
  };
};
