import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type AppOptions, createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { stringify } from 'yaml';
import { parseExposition, type Samples } from './exposition.js';

export interface MonitoredChainOptions {
  readonly chain: 'day' | 'chain';
  readonly from: number;
  /** Short names of the watched nodes; defaults to all nodes of the recording. */
  readonly watch?: readonly string[];
  /** `true`: also watches the recording's providers and accounts. */
  readonly watchesAll?: boolean;
  /** Port of a mail server on loopback. */
  readonly smtpPort?: number;
  /** Other notification channels. */
  readonly notifiers?: object;
  /** `true`: the chain starts now, and the daemon uses the system clock, like other programs on the machine. */
  readonly isNow?: boolean;
  /** `true`: the daemon also subscribes to new blocks, and polls automatically when one arrives. */
  readonly isPushed?: boolean;
  /** The usual poll intervals; without them the daemon polls only on request. */
  readonly poll?: object;
  /** Settings of rules by name. */
  readonly rules?: object;
  /** Which transports the daemon may use. */
  readonly transports?: readonly ('grpc' | 'rest' | 'rpc')[];
  /** Changes the order of checks, sweeps and rules. */
  readonly arrange?: AppOptions['arrange'];
}

/** A replayed chain that moves only on request, with the whole daemon. Only the notification sender runs automatically. */
export interface MonitoredChain {
  readonly node: Devnode;
  readonly app: App;
  /** Moves the chain to a height, and lets the daemon poll once. */
  moveTo(height: number): Promise<void>;
  samples(): Promise<Samples>;
  /** Base URL of the daemon's web server. */
  address(): string;
  close(): Promise<void>;
}

export async function monitorChain(options: MonitoredChainOptions): Promise<MonitoredChain> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-e2e-'));
  const node = await startDevnode({
    mode: 'moving',
    chain: options.chain,
    speed: 'manual',
    from: options.from,
    shiftTo: options.isNow === true ? 'now' : 'none',
  });
  const config = parseConfig(configText(node, options, join(folder, 'store.db')));
  const app = await startApp(config, {
    // Time of day follows the replayed chain, which the daemon sees as a clock jump; timers use real time.
    clock: options.isNow === true ? systemClock : { ...systemClock, nowMs: () => Date.parse(node.position().time) },
    logger: createLogger('silent'),
    arrange: options.arrange,
  });
  return {
    node,
    app,
    async moveTo(height) {
      await node.advanceTo(height);
      await app.pollNow();
    },
    async samples() {
      const answer = await fetch(`${app.address()}/metrics`);
      return parseExposition(await answer.text());
    },
    address: () => app.address(),
    async close() {
      await app.close();
      await node.close();
      await rm(folder, { recursive: true });
    },
  };
}

const never = {
  endpoints: '10m',
  nodes: '10m',
  leases: '10m',
  sessions: '10m',
  renewals: '10m',
  network: '10m',
  subscriptions: '10m',
  ledger: '10m',
  other: '10m',
};

function configText(
  node: Devnode,
  {
    watch,
    watchesAll = false,
    smtpPort,
    notifiers = {},
    transports = ['grpc', 'rest', 'rpc'],
    isPushed = false,
    isNow = false,
    poll = never,
    rules = {},
  }: MonitoredChainOptions,
  store: string,
): string {
  const named = (kind: string): readonly string[] => Object.keys(node.accounts).filter((name) => name.startsWith(kind));
  const watched = (names: readonly string[]) => names.map((alias) => ({ alias, address: node.accounts[alias] }));
  return stringify({
    network: { chain_id: node.chainId },
    endpoints: [
      {
        name: 'own',
        role: 'own',
        websocket: isPushed,
        ...Object.fromEntries(transports.map((kind) => [kind, node[kind]])),
      },
    ],
    watch: {
      nodes: watched(watch ?? named('node')),
      ...(watchesAll ? { providers: watched(named('prov')), accounts: watched(named('acc')) } : {}),
    },
    sweeps: { every: '10m', page_size: 50 },
    poll,
    alerts: { rules: { ...(isNow ? {} : { HubwatchClockJumped: { enabled: false } }), ...rules } },
    notifiers:
      smtpPort === undefined
        ? notifiers
        : {
            email: {
              host: '127.0.0.1',
              port: smtpPort,
              tls: 'none',
              from: 'hubwatch@example.org',
              to: 'operator@example.org',
            },
          },
    web: { listen: '127.0.0.1:0' },
    store: { path: store },
    log: { level: 'silent' },
  });
}
