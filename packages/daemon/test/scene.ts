import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../src/app.js';
import { writeAddress } from '@hubwatch/client/address';
import { parseConfig } from '../src/config/load.js';
import { type FakeClock, fakeClock } from './fake-clock.js';
import { type FakeEndpoint, fakeEndpoint, page, statusResult, time } from './fake-endpoint.js';
import { usualParams } from './hub-params.js';
import { nodeAddress, providerAddress, silentLogger, temporaryFolder } from './parts.js';
import { emptyPopulation, servePopulation } from './population.js';

export interface Scene {
  readonly app: App;
  readonly clock: FakeClock;
  readonly endpoint: FakeEndpoint;
  /** Path of the store. */
  readonly store: string;
  /** Advances the chain and the clock to a block and polls everything. */
  block(height: bigint, timeMs: number): Promise<void>;
  readonly get: (path: string) => Promise<{ status: number; type: string; text: string; headers: Headers }>;
}

export interface SceneOptions {
  readonly smtpPort?: number;
  readonly moniker?: string;
  readonly alias?: string;
  readonly demo?: { readonly speed: number };
  /** A second endpoint, queried before the one that serves the chain. */
  readonly dead?: FakeEndpoint;
  /** Number of watched nodes; all respond in the same way. */
  readonly nodes?: number;
  /** Watched accounts. */
  readonly accounts?: readonly string[];
  /** If `false`, the first poll is not awaited. */
  readonly poll?: boolean;
  /** Folder of the store; a temporary one by default. */
  readonly folder?: string;
}

const emptyBlock = {
  beginBlockEvents: [],
  txsResults: [],
  endBlockEvents: [],
  finalizeBlockEvents: [],
  validatorUpdates: [],
};

const watchedNodes = ({ nodes = 1, alias = 'five' }: SceneOptions): string =>
  [
    `{address: ${nodeAddress}, alias: ${alias}}`,
    ...Array.from({ length: nodes - 1 }, (_, index) => {
      const bytes = Uint8Array.from({ length: 20 }, (_byte, place) => (place < 4 ? index >> (8 * place) : 0));
      return `{address: ${writeAddress({ prefix: 'sentnode', bytes })}, alias: n${index}}`;
    }),
  ].join(', ');

/** The whole daemon with one fake endpoint that serves a small chain; a test changes `endpoint` and advances by blocks. */
export const startScene = async (startMs: number, options: SceneOptions = {}): Promise<Scene> => {
  const endpoint = fakeEndpoint(['grpc', 'rest', 'rpc']);
  servePopulation(endpoint, () => ({ ...emptyPopulation, nodes: [{ status: 1 }, { status: 3 }] }));
  Object.assign(endpoint.queries, {
    'hub.node.v3.QueryService/QueryParams': { params: usualParams.node },
    'hub.subscription.v3.QueryService/QueryParams': { params: usualParams.subscription },
    'hub.provider.v3.QueryService/QueryParams': { params: usualParams.provider },
    'hub.oracle.v1.QueryService/QueryParams': { params: usualParams.oracle },
    'hub.swap.v1.QueryService/QueryParams': { params: usualParams.swap },
    'stack.upgrade.v1beta1.Query/CurrentPlan': { plan: undefined },
    'stack.gov.v1.Query/Proposals': page('proposals', []),
    'stack.bank.v1beta1.Query/Balance': { balance: { denom: 'udvpn', amount: '1234567' } },
    'stack.feegrant.v1beta1.Query/Allowances': page('allowances', []),
    'hub.lease.v1.QueryService/QueryLeasesForNode': page('leases', []),
    'hub.lease.v1.QueryService/QueryLeasesForProvider': page('leases', []),
    'hub.lease.v1.QueryService/QueryParams': {
      params: { minHours: 1n, maxHours: 720n, stakingShare: '0.200000000000000000' },
    },
    'hub.oracle.v1.QueryService/QueryAssets': page('assets', []),
    'stack.bank.v1beta1.Query/SpendableBalances': page('balances', []),
    'hub.plan.v3.QueryService/QueryPlansForProvider': page('plans', []),
    'hub.deposit.v1.QueryService/QueryDeposit': { deposit: { coins: [] } },
    'hub.session.v3.QueryService/QueryParams': { params: usualParams.session },
    'hub.session.v3.QueryService/QuerySessionsForNode': page('sessions', []),
    'hub.provider.v2.QueryService/QueryProvider': { provider: { status: 1 } },
    'hub.node.v3.QueryService/QueryNode': {
      node: {
        address: nodeAddress,
        gigabytePrices: [],
        hourlyPrices: [],
        remoteAddrs: [],
        status: 1,
        statusAt: time(startMs),
        inactiveAt: time(startMs + 3_600_000),
      },
    },
    'stack.base.bft.v1beta1.Service/GetNodeInfo': {
      applicationVersion: { name: 'hub', version: '12.0.2', stackSdkVersion: 'v0.47.17' },
    },
  });
  Object.assign(endpoint.rpc, {
    net_info: { listening: true, peerCount: 0, peers: [] },
    num_unconfirmed_txs: { count: 0n, total: 0n, totalBytes: 0n, txs: [] },
    block_results: ({ height }: { height: bigint }) => ({ ...emptyBlock, height }),
    header: ({ height }: { height: bigint }) => ({ header: { time: time(times.get(height) ?? 0) } }),
  });
  const clock = fakeClock(startMs);
  const times = new Map<bigint, number>();
  const setHead = (height: bigint, timeMs: number): void => {
    times.set(height, timeMs);
    endpoint.height = height;
    const status = statusResult(height, timeMs);
    endpoint.rpc['status'] = { ...status, nodeInfo: { ...status.nodeInfo, moniker: options.moniker ?? 'm' } };
  };
  setHead(100n, startMs);
  const folder = options.folder ?? temporaryFolder();
  const email =
    options.smtpPort === undefined
      ? ''
      : `notifiers: {email: {host: 127.0.0.1, port: ${options.smtpPort}, tls: none, from: w@example.org, to: o@example.org}}`;
  const file = join(folder, 'hubwatch.yml');
  const text = `
network: {chain_id: hub-test}
endpoints:
${options.dead === undefined ? '' : '- {name: dead, role: own, grpc: "127.0.0.1:4", rest: "http://127.0.0.1:5", rpc: "http://127.0.0.1:6"}'}
- {name: own, role: own, grpc: "127.0.0.1:1", rest: "http://127.0.0.1:2", rpc: "http://127.0.0.1:3"}
watch: {nodes: [${watchedNodes(options)}], providers: [{address: ${providerAddress}}], accounts: [${(options.accounts ?? []).map((address) => `{address: ${address}}`).join(', ')}]}
web: {listen: "127.0.0.1:0"}
store: {path: ${join(folder, 'hubwatch.db')}}
${email}`;
  writeFileSync(file, text);
  const app = await startApp(parseConfig(text, file), {
    clock,
    logger: silentLogger,
    demo: options.demo,
    connectTo: ({ name }) => (name === 'dead' && options.dead ? options.dead : endpoint).connection,
  });
  onTestFinished(() => app.close());
  if (options.poll !== false) await app.pollNow();
  return {
    app,
    clock,
    endpoint,
    store: join(folder, 'hubwatch.db'),
    async block(height, timeMs) {
      setHead(height, timeMs);
      clock.advance(Math.max(0, timeMs - clock.nowMs()));
      await app.pollNow();
      // Polls again: a check that ran before the ledger read the block now uses it.
      await app.pollNow();
    },
    async get(path) {
      const response = await fetch(`${app.address()}${path}`);
      const type = response.headers.get('content-type') ?? '';
      return { status: response.status, type, text: await response.text(), headers: response.headers };
    },
  };
};
