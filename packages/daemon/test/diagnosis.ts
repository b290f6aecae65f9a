import { interfaceServices } from '../src/doctor/findings/interface.js';
import type { Diagnosis, EngineFacts, StateFacts, Way, Wire } from '../src/doctor/diagnosis.js';
import type { WayName } from '../src/doctor/subject.js';

export const nowMs = Date.parse('2026-11-28T12:00:00Z');

const addresses = {
  grpc: 'node.example:9090',
  rest: 'http://node.example:1317',
  rpc: 'http://node.example:26657',
} as const;

const answered = (name: WayName): Way => ({
  address: addresses[name],
  failure: undefined,
  stateHeight: name === 'rpc' ? undefined : 2_000_000n,
  ms: 1,
  wire: undefined,
  tls: undefined,
});

/** A way whose first query failed like this. By default, everything below it is unknown. */
export const failedWay = (
  name: WayName,
  failure: Partial<NonNullable<Way['failure']>>,
  wire: Partial<Wire> = {},
  address: string = addresses[name],
): Way => ({
  ...answered(name),
  address,
  failure: { code: 'unavailable', httpStatus: undefined, retryAfterMs: undefined, text: 'it failed', ...failure },
  stateHeight: undefined,
  wire: { reached: [{ ip: '192.0.2.1', tcp: 'open' }], tls: undefined, page: undefined, ...wire },
});

export const healthyEngine: EngineFacts = {
  chainId: 'hub-2',
  moniker: 'm',
  version: '0.37.16',
  height: 2_000_000n,
  timeMs: nowMs - 5_000,
  catchingUp: false,
  firstBlock: 901_801n,
  stateHeight: 2_000_000n,
  peers: { inbound: 3, outbound: 9 },
  consensus: undefined,
  exposesUnsafe: false,
  websocket: true,
  skewSeconds: 0.4,
  index: { state: 'on', lag: 1n, reachesFirst: true },
  keepsResults: true,
};

/** State from the height `held` on, with an exact bound. */
export const statesFrom = (held: bigint, way: WayName = 'grpc'): StateFacts => ({
  way,
  newest: 2_000_000n,
  bracket: { held, notHeld: held - 1n, newest: 2_000_000n, isConfirmed: true, isByRuns: false, step: undefined },
  stopped: undefined,
  depths: new Map(),
});

/** A healthy archive node, with the changes of a test. */
export const diagnosisOf = (more: Partial<Diagnosis> = {}): Diagnosis => ({
  subject: { name: 'own', how: 'configured', addresses, naming: 'auto', chainId: 'hub-2', depths: [] },
  atMs: nowMs,
  tookMs: 400,
  requests: 40,
  timeoutMs: 5_000,
  naming: 'public',
  ways: new Map((['grpc', 'rest', 'rpc'] as const).map((name) => [name, answered(name)])),
  engine: healthyEngine,
  application: {
    name: 'hub',
    version: '12.0.2',
    stackVersion: 'v0.47.17',
    chainId: 'hub-2',
    newest: undefined,
    plan: 'none',
    services: { state: 'known', value: [...interfaceServices] },
    refused: [],
    asked: new Map([['rest', 8]]),
  },
  states: [statesFrom(901_801n)],
  ...more,
});

/** The same with one way that has a problem. */
export const withWay = (name: WayName, way: Way): Diagnosis => {
  const healthy = diagnosisOf();
  return { ...healthy, ways: new Map([...healthy.ways, [name, way]]) };
};
