import type { Cancel, Clock } from '@hubwatch/client';
import { writeAddress } from '@hubwatch/client/address';
import {
  createAlertBook,
  createAlertStore,
  notifyingSettings,
  createClosers,
  createEvaluation,
  createFailureLog,
  createLogger,
  createOwnMetrics,
  createWatching,
  openStore,
  parseConfig,
  type Rule,
  rules,
  sessionsStale,
  startAwakeTime,
  startHeaderFeed,
} from '@hubwatch/daemon/parts';
import type { Network } from './endpoints.js';
import { endpointNames } from './world.js';

/** A notification that people received. */
export interface Told {
  readonly kind: string;
  readonly rule: string;
  readonly title: string;
}

export const nodeAddresses: readonly string[] = [1, 2].map((first) =>
  writeAddress({ prefix: 'sentnode', bytes: new Uint8Array(20).fill(first) }),
);
export const nodeNames = ['alfa', 'bravo'] as const;

/** Milliseconds between two rounds. */
export const roundMs = 15_000;

const configText = (hasWebsocket: boolean): string => `network: {name: net, chain_id: hub-1}
poll: {endpoints: 15s, nodes: 15s, other: 60s}
endpoints:
${endpointNames
  .map((name) => {
    const role = { own: 'own', ref: 'reference', arch: 'archive' }[name];
    return `  - {name: ${name}, role: ${role}, grpc: "127.0.0.1:1", rest: "http://127.0.0.1:2", rpc: "http://127.0.0.1:3", websocket: ${hasWebsocket && name !== 'ref'}}`;
  })
  .join('\n')}
watch:
  nodes: [${nodeNames.map((alias, index) => `{address: ${nodeAddresses[index]}, alias: ${alias}}`).join(', ')}]
`;

const configs = new Map([true, false].map((has) => [has, parseConfig(configText(has))]));
const own = createOwnMetrics();
const logger = createLogger('silent');
/** Rules that the checks in these histories provide data for; all others would always report unknown. */
const judging: ReadonlySet<string> = new Set([
  ...['HubChainHalted', 'HubAllEndpointsDown', 'HubOwnNodeDown', 'HubEndpointDown', 'HubChainIdChanged'],
  ...['HubConsensusMismatch', 'HubHeightStalled', 'HubStateBehindBlocks', 'HubAppVersionsDiffer'],
  ...['HubAppVersionChanged', 'HubNodeInactive', 'HubNodesLapsed', 'HubNodeHeartbeatLate', 'HubNodeUnregistered'],
  ...['HubNodeStatusFlapping', 'HubNodePriceChanged', 'HubNodeAddressChanged', 'HubNodeLeasesLost'],
  ...['HubwatchStarved', 'HubwatchClockJumped', 'HubwatchSweepStale'],
]);
const judged = rules.filter(({ name }) => judging.has(name));
const polled: ReadonlySet<string> = new Set(['endpoints', 'agreement', 'versions', 'nodes']);

/** State that survives a process. */
export type Disk = ReturnType<typeof openStore>;

/** An empty store: only the tables of an earlier history remain. */
export const emptyDisk = (): Disk => {
  for (const { name } of disk.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
    disk.run(`DELETE FROM "${String(name)}"`);
  return disk;
};
const disk = openStore(':memory:');

export interface Process {
  /** Runs every check once; then the rules, at most once per second. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

/** A process of the daemon, from its checks to its alerts, with its own clock that starts with it. */
export const startProcess = (network: Network, base: Clock, disk: Disk, tell: (told: Told) => void): Process => {
  const config = configs.get(network.truth.world.hasWebsocket);
  if (config === undefined) throw new Error('no configuration');
  const beganMs = base.monotonicMs();
  const clock: Clock = {
    nowMs: () => base.nowMs(),
    monotonicMs: () => base.monotonicMs() - beganMs,
    setTimeout: (fn, ms): Cancel => base.setTimeout(fn, ms),
  };
  const failures = createFailureLog(logger);
  const closers = createClosers();
  const signal = new AbortController();
  const awake = startAwakeTime({
    clock,
    onLongStall() {
      isReread = true;
      evaluation.request('process');
    },
  });
  let isReread = false;
  closers.add(() => awake.stop());
  const trouble: Rule = {
    name: 'NodeTrouble',
    severity: 'warning',
    forMs: 0,
    time: 'clock',
    inhibitedBy: sessionsStale.inhibitedBy ?? [],
    // Reading the clock makes the rule run in every round.
    evaluate: ({ clockMs }) =>
      nodeAddresses.map((subject, node) => ({
        subject,
        term: '',
        state: clockMs > 0 && network.truth.hasTrouble(node, network.nowMs) ? 'firing' : 'ok',
        title: `${nodeNames[node]}: trouble`,
        text: '',
      })),
  };
  const watching = createWatching({
    ...{ config, clock, logger, store: disk, own, failures, closers, awake },
    connectTo: ({ name }) => network.connection(name),
    onReadings: (job) => evaluation.request(job),
    wake: () => undefined,
  });
  const alertStore = createAlertStore(disk);
  const alerts = createAlertBook({
    alertStore,
    commit: (changes) => {
      disk.transaction(() => alertStore.write(changes));
      changes.notices.forEach(tell);
    },
    settings: notifyingSettings(config),
    quietAt: () => () => undefined,
    start: { clockMs: clock.nowMs(), steadyMs: awake.nowMs() },
    own,
    logger,
  });
  const evaluation = createEvaluation({
    rules: [...judged, trouble],
    // Events are read by a separate job, which is not part of this proof.
    view: () => {
      const seen = watching.view();
      return { ...seen, ledger: { ...seen.ledger, isKept: false, isCurrent: () => false } };
    },
    ...{ alerts, clock, awake, own, failures },
    onNotices: () => undefined,
  });
  closers.add(() => evaluation.stop());
  for (const endpoint of watching.endpoints) {
    if (endpoint.name === 'ref') continue;
    const parts = { pool: watching.pool, clock, own, failures };
    const feed = startHeaderFeed(endpoint, { ...parts, onBlock: () => undefined, onReturn: () => undefined });
    if (feed !== undefined) closers.add(() => feed.stop());
  }
  const jobs = watching.polls.filter(({ name }) => polled.has(name));
  let rounds = 0;
  return {
    async round() {
      const isFirst = rounds === 0 || isReread;
      isReread = false;
      for (const job of jobs) {
        // Versions are read once a minute, nodes every 30 s.
        if (job.name === 'versions' && rounds % 4 !== 0 && !isFirst) continue;
        if (job.name === 'nodes' && rounds % 2 !== 0 && !isFirst) continue;
        await job.run(signal.signal, job.name === 'endpoints' && !isFirst ? { isTimetable: true } : {});
      }
      rounds += 1;
    },
    async stop() {
      signal.abort();
      network.closeSockets();
      await closers.close();
    },
  };
};
