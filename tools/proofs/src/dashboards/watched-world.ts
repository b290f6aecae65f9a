import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { type FaultProxy, startFaultProxy } from '@hubwatch/devnode/faults';
import { type Receivers, startReceivers } from '../soak/receivers.js';
import { worldAnswers } from './world-answers.js';

/** Recorded height at which the world starts, shortly before leases, sessions and their payouts. */
const firstHeight = 902_300;
const upgrade = { name: 'v13_0_0', height: 904_000 };

/** Two daemons with the same configuration, and a simulated chain that advances on demand. */
export interface WatchedWorld {
  /** Addresses of the daemons as `host:port`. */
  readonly targets: readonly string[];
  /** Advances the chain by a number of blocks and runs one poll round in each daemon. */
  advance(blocks: number): Promise<void>;
  /** Makes the node prune its oldest blocks and states. */
  prune(blocks: number): void;
  /** Makes the second endpoint stop or resume responding. */
  fail(isDown: boolean): Promise<void>;
  /** Height of the head. */
  height(): number;
  /** Text of a daemon's /metrics page. */
  page(target: string): Promise<string>;
  close(): Promise<void>;
}

export async function startWatchedWorld(): Promise<WatchedWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-dashboards-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const node = await startDevnode({
      ...{ mode: 'moving', chain: 'day', from: firstHeight, speed: 'manual', shiftTo: 'now', answers: worldAnswers },
    });
    closers.push(() => node.close());
    node.hold({ upgrade });
    /** Lowest state height that the node stores. */
    let lowest = node.range.first + 10;
    const spare = await Promise.all(
      [node.grpc, node.rest, node.rpc].map((target) => startFaultProxy({ target, mode: 'tcp' })),
    );
    closers.push(() => Promise.all(spare.map((proxy) => proxy.close())));
    const receivers = await startReceivers();
    closers.push(() => receivers.close());
    const apps: App[] = [];
    for (const name of ['first', 'second']) {
      const config = parseConfig(JSON.stringify(configOf(join(folder, name), node, spare, receivers)));
      const app = await startApp(config, { clock: systemClock, logger: createLogger('silent') });
      closers.push(() => app.close());
      apps.push(app);
    }
    return {
      targets: apps.map((app) => new URL(app.address()).host),
      height: () => node.position().height,
      async advance(blocks) {
        await node.advanceTo(node.position().height + blocks);
        for (const app of apps) await app.pollNow();
      },
      prune(blocks) {
        lowest += blocks;
        node.hold({ upgrade, firstBlock: lowest - 10, firstState: lowest });
      },
      async fail(isDown) {
        await Promise.all(spare.map((proxy) => (isDown ? proxy.down() : proxy.up())));
      },
      page: async (target) => (await fetch(`http://${target}/metrics`)).text(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Watched {
  readonly alias?: string;
  readonly address: string;
}

/** Longest allowed interval: polls run only on demand. */
const never = '10m';
const told = ['endpoints', 'nodes', 'leases', 'sessions', 'renewals', 'network', 'accounts', 'subscriptions', 'ledger'];

function configOf(folder: string, node: Devnode, spare: readonly FaultProxy[], receivers: Receivers): object {
  mkdirSync(join(folder, 'upgrades', upgrade.name, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'upgrades', upgrade.name, 'bin', 'hubd'), '', { mode: 0o755 });
  const [grpc, rest, rpc] = spare;
  const watched = (kind: string): Watched[] =>
    Object.entries(node.accounts)
      .filter(([name]) => name.startsWith(kind))
      // The first of each kind has no alias, so its address is shown.
      .map(([alias, address], index) => (index === 0 ? { address } : { alias, address }));
  const { grpc: ownGrpc, rest: ownRest, rpc: ownRpc } = node;
  return {
    network: { chain_id: node.chainId, name: 'played' },
    endpoints: [
      {
        ...{ name: 'own', role: 'own', grpc: ownGrpc, rest: ownRest, rpc: ownRpc, upgrades: join(folder, 'upgrades') },
        require: { state_depths: [100, 300], block_depths: [300], tx_depths: [300], earliest_height: 902_000 },
      },
      { name: 'spare', role: 'reference', grpc: grpc?.address, rest: rest?.url, rpc: rpc?.url },
    ],
    watch: {
      nodes: watched('node'),
      providers: watched('prov'),
      accounts: watched('acc').map((account) => ({ ...account, minimum: { udvpn: 1_000_000 } })),
    },
    // Other checks also run on their own while Prometheus scrapes; the chain does not advance meanwhile.
    poll: { ...Object.fromEntries(told.map((name) => [name, never])), other: '3s' },
    sweeps: { every: never },
    notifiers: { webhooks: [{ name: 'ops', url: `${receivers.webhook}/ops` }] },
    alive: { url: `${receivers.webhook}/alive`, every: '10s' },
    web: { listen: '127.0.0.1:0' },
    store: { path: join(folder, 'hubwatch.db') },
    log: { level: 'silent' },
  };
}
