import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { CollectContext } from '../src/checks/check.js';
import { Memory } from '../src/checks/memory.js';
import { withPrefix, writeAddress } from '@hubwatch/client/address';
import { parseConfig } from '../src/config/load.js';
import { createEndpoint } from '../src/endpoints/endpoint.js';
import { createPool, type TrustedPoolOptions } from '../src/endpoints/pool.js';
import { createFailureLog, createLogger, type FailureLog, type Logger, type LogLevel } from '../src/log.js';
import { createOwnMetrics, type OwnMetrics } from '../src/own-metrics.js';
import { createChangeHistory } from '../src/store/change-history.js';
import { createSessionMemory } from '../src/store/session-memory.js';
import { createHeartbeatHistory } from '../src/store/heartbeat-history.js';
import { openStore, type Store } from '../src/store/store.js';
import { type FakeClock, fakeClock } from './fake-clock.js';
import { type FakeEndpoint, fakeEndpoint } from './fake-endpoint.js';

export const nodeAddress = 'sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy';
export const providerAddress = 'sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk';

export const accountAddress = withPrefix(nodeAddress, 'sent');

/** A folder that is removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

export const temporaryStore = (): Store => {
  const store = openStore(join(temporaryFolder(), 'hubwatch.db'));
  onTestFinished(() => {
    store.close();
  });
  return store;
};

export const silentLogger = createLogger('silent');

/** A logger that records its lines. */
export const recordingLogger = (
  level: LogLevel = 'info',
): { readonly logger: Logger; readonly lines: { readonly msg: string }[] } => {
  const lines: { readonly msg: string }[] = [];
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as { msg: string });
  };
  return { logger: pino({ level }, { write }), lines };
};

/** Address of the n-th of many nodes. */
export const nodeAddressOf = (index: number): string =>
  writeAddress({
    prefix: 'sentnode',
    bytes: Uint8Array.from({ length: 20 }, (_, at) => (at < 4 ? index >> (8 * at) : 0)),
  });

/** A configuration with endpoints of the given names, and one watched node or the given ones. */
export const testConfig = (
  names: readonly string[] = ['own'],
  more = '',
  roles: Readonly<Record<string, 'own' | 'archive'>> = {},
  nodes: readonly string[] = [],
) =>
  parseConfig(
    [
      'network: {chain_id: hub-test}',
      'endpoints:',
      ...names.map(
        (name) =>
          `  - {name: ${name}, role: ${roles[name] ?? 'reference'}, grpc: "127.0.0.1:1", rest: "http://127.0.0.1:2", rpc: "http://127.0.0.1:3"}`,
      ),
      'watch:',
      '  nodes:',
      ...(nodes.length > 0
        ? nodes.map((address) => `    - {address: ${address}}`)
        : [`    - {address: ${nodeAddress}, alias: five}`]),
      `  providers: [{address: ${providerAddress}}]`,
      more,
    ].join('\n'),
  );

export type TestParts = CollectContext & {
  readonly clock: FakeClock;
  readonly own: OwnMetrics;
  readonly store: Store;
  readonly failures: FailureLog;
};

export interface PartsOptions extends TrustedPoolOptions {
  /** Additional lines of configuration. */
  readonly more?: string;
  readonly roles?: Readonly<Record<string, 'own' | 'archive'>>;
}

/** Everything that a check or a job needs, with fake endpoints. */
export const testParts = (
  fakes: Readonly<Record<string, FakeEndpoint>> = { own: fakeEndpoint() },
  { more = '', roles = {}, ...pool }: PartsOptions = {},
): TestParts => {
  const config = testConfig(Object.keys(fakes), more, roles);
  const clock = fakeClock();
  const own = createOwnMetrics();
  const failures = createFailureLog(silentLogger);
  const endpoints = config.endpoints.map((one) =>
    createEndpoint(one, (fakes[one.name] ?? fakeEndpoint()).connection, 1_000, clock, own, failures),
  );
  const store = temporaryStore();
  return {
    config,
    clock,
    own,
    store,
    pool: createPool(endpoints, own, clock, { chainId: config.network.chain_id, ...pool }),
    history: createHeartbeatHistory(store),
    changes: createChangeHistory(store),
    sessions: createSessionMemory(store),
    memory: new Memory(),
    failures,
    signal: new AbortController().signal,
    moment: { head: undefined, clockMs: clock.nowMs() },
  };
};
