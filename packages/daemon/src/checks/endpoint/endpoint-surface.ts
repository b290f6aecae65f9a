import { ofOwn, type PrometheusCondition, seconds } from '../prometheus.js';
import { HubError } from '@hubwatch/client';
import { listServices } from '@hubwatch/client/grpc';
import { queryParams as leaseParams } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryParams as nodeParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryParams as oracleParams } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { EndpointConfig } from '../../config/schema.js';
import { answerBytes } from '../../endpoints/answer-bytes.js';
import type { AnyRequest, Endpoint, QueryTransport } from '../../endpoints/endpoint.js';
import { indexLag } from '../../endpoints/index-search.js';
import {
  certificateEnd,
  clockSkew,
  exposesUnsafe,
  plainRequest,
  type Reach,
  takesWebsocket,
} from '../../endpoints/surface.js';
import { span, utc } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { gauge, type Sample, sample } from '../family.js';
import type { Verdict } from '../verdict.js';
import { endpointHeaders } from '../../endpoints/connection.js';

export interface SurfaceTarget extends Target {
  readonly endpoint: EndpointConfig;
}

export type Capability = 'grpc_reflection' | 'rest' | 'websocket' | 'tx_index' | 'lease_v1' | 'oracle_v1' | 'plan_v3';

/** Public properties of an endpoint. Values that could not be determined are absent. */
export interface SurfaceReading {
  /** Earliest certificate expiry in the served chain, by transport, in milliseconds. */
  readonly certificates: ReadonlyMap<'grpc' | 'rest' | 'rpc', number>;
  readonly skewSeconds: number | undefined;
  readonly exposesUnsafe: boolean | undefined;
  readonly capabilities: ReadonlyMap<Capability, boolean>;
  /** Upper bound of the number of latest blocks that the index lacks. */
  readonly indexLag: bigint | undefined;
  readonly atMs: number;
}

const notAfter = gauge(
  'hub_endpoint_tls_not_after_timestamp_seconds',
  ['endpoint', 'transport'],
  'When the first certificate of the served chain expires',
);
const skew = gauge(
  'hub_endpoint_clock_skew_seconds',
  ['endpoint'],
  "The endpoint's clock minus the daemon's, by the Date of an answer, to a second",
);
const unsafe = gauge(
  'hub_endpoint_unsafe_rpc_exposed',
  ['endpoint'],
  '1 if methods that change the node are exposed; detected without a call, absent if unknown',
);
const capability = gauge(
  'hub_endpoint_capability',
  ['endpoint', 'capability'],
  '1 if the endpoint offers it, 0 if it reports that it does not; absent without an answer',
  'slow',
);
const lagBlocks = gauge(
  'hub_endpoint_index_lag_blocks',
  ['endpoint'],
  'Upper bound of the newest blocks that the event index lacks; absent if it lacks the last thousand',
);

/** Whether the endpoint serves a method over the first available transport; `undefined` if this could not be determined. */
const offers = async <M extends AnyMethod>(
  endpoint: Endpoint,
  transports: readonly QueryTransport[],
  method: M,
  request: AnyRequest<M>,
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  const transport = transports.find((one) => endpoint.has[one]);
  if (transport === undefined) return undefined;
  try {
    await endpoint.query(transport, method, request, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof HubError && error.code === 'unimplemented' ? false : undefined;
  }
};

/** Whether reflection is available for tools that have no proto files. */
const reflects = async (
  address: string | undefined,
  { timeoutMs, signal, headers }: Reach,
): Promise<boolean | undefined> => {
  if (address === undefined) return undefined;
  try {
    return (await listServices({ address, timeoutMs, signal, headers, maxBytes: answerBytes.probe })).length > 0;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof HubError && error.code === 'unimplemented' ? false : undefined;
  }
};

/** Whether the endpoint has an index, and its lag. Values that cannot be queried are absent. */
const indexOf = async (endpoint: Endpoint, signal: AbortSignal): Promise<{ has?: boolean; lag?: bigint }> => {
  if (!endpoint.has.rpc) return {};
  try {
    const { nodeInfo, syncInfo } = await endpoint.rpc('status', {}, { signal });
    const has = nodeInfo.txIndex === 'on';
    if (!has) return { has };
    const { latestBlockHeight: newest, earliestBlockHeight: first } = syncInfo;
    const lag = await indexLag(endpoint, { first, newest }, signal);
    if (typeof lag === 'bigint') return { has, lag };
    return { has };
  } catch (error) {
    if (signal.aborted || !(error instanceof HubError)) throw error;
    // With an external indexer the status reports `on`, but the endpoint answers no search.
    return error.code === 'unimplemented' ? { has: false } : {};
  }
};

const addressesOf = ({ grpc, rest, rpc }: EndpointConfig): readonly (readonly ['grpc' | 'rest' | 'rpc', URL])[] =>
  (
    [
      ['grpc', grpc],
      ['rest', rest],
      ['rpc', rpc],
    ] as const
  ).flatMap(([transport, address]) =>
    address?.startsWith('https://') === true ? ([[transport, new URL(address)]] as const) : [],
  );

const collect = async ({ endpoint: at }: SurfaceTarget, context: CollectContext): Promise<SurfaceReading> => {
  const { pool, clock, config, signal } = context;
  const endpoint = pool.endpoints.find(({ name }) => name === at.name);
  if (endpoint === undefined) throw new Error(`endpoint ${at.name} is not configured`);
  const reach: Reach = { clock, timeoutMs: config.poll.timeout, signal, headers: endpointHeaders(at) };
  const page = at.rpc === undefined ? undefined : await plainRequest(`${at.rpc}/`, reach).catch(() => undefined);
  // One after the other, so that this check opens one connection to an endpoint at a time.
  const exposes = at.rpc === undefined ? undefined : await exposesUnsafe(at.rpc, page, reach);
  const [certificates, websocket, index, reflection, rest, lease, oracle, plan] = await Promise.all([
    Promise.all(
      addressesOf(at).map(async ([transport, { hostname, port }]) => {
        const end = await certificateEnd(hostname, port === '' ? 443 : Number(port), reach).catch(() => undefined);
        return end === undefined ? [] : ([[transport, end]] as const);
      }),
    ),
    at.rpc === undefined ? undefined : takesWebsocket(at.rpc, reach),
    indexOf(endpoint, signal),
    reflects(at.grpc, reach),
    offers(endpoint, ['rest'], nodeParams, {}, signal),
    offers(endpoint, ['grpc', 'rest', 'abci'], leaseParams, {}, signal),
    offers(endpoint, ['grpc', 'rest', 'abci'], oracleParams, {}, signal),
    offers(endpoint, ['grpc', 'abci'], queryPlans, { pagination: onePlan }, signal),
  ]);
  if (signal.aborted) throw new Error('given up');
  const found: readonly (readonly [Capability, boolean | undefined])[] = [
    ['grpc_reflection', reflection],
    ['rest', rest],
    ['websocket', websocket],
    ['tx_index', index.has],
    ['lease_v1', lease],
    ['oracle_v1', oracle],
    ['plan_v3', plan],
  ];
  return {
    certificates: new Map(certificates.flat()),
    skewSeconds: page && clockSkew(page),
    exposesUnsafe: exposes,
    capabilities: new Map(found.flatMap(([name, is]) => (is === undefined ? [] : [[name, is] as const]))),
    indexLag: index.lag,
    atMs: clock.nowMs(),
  };
};

const onePlan = { key: new Uint8Array(), offset: 0n, limit: 1n, countTotal: false, reverse: false };

const metrics = ({ key }: SurfaceTarget, reading: SurfaceReading): readonly Sample[] => [
  ...[...reading.certificates].map(([transport, endMs]) => sample(notAfter, [key, transport], endMs / 1_000)),
  ...(reading.skewSeconds === undefined ? [] : [sample(skew, [key], reading.skewSeconds)]),
  ...(reading.exposesUnsafe === undefined ? [] : [sample(unsafe, [key], reading.exposesUnsafe ? 1 : 0)]),
  ...[...reading.capabilities].map(([name, is]) => sample(capability, [key, name], is ? 1 : 0)),
  ...(reading.indexLag === undefined ? [] : [sample(lagBlocks, [key], Number(reading.indexLag))]),
];

type SurfaceRule = CheckRule<SurfaceTarget, SurfaceReading>;

/** Creates a rule about an endpoint itself: it has a single term and uses the daemon's clock. */
const surfaceRule = (
  declared: Pick<SurfaceRule, 'name' | 'severity' | 'forMs' | 'deviation' | 'prometheus'>,
  judge: (target: SurfaceTarget, reading: SurfaceReading) => Omit<Verdict, 'subject' | 'term'>,
): SurfaceRule => ({
  ...declared,
  time: 'clock',
  judge: (target, reading) => ({ subject: target.key, term: '', ...judge(target, reading) }),
});

const unsafeExposed = surfaceRule(
  {
    name: 'HubUnsafeRpcExposed',
    severity: 'critical',
    forMs: 300_000,
    prometheus: {
      expr: ofOwn('hub_endpoint_unsafe_rpc_exposed == 1'),
      labels: ['endpoint'],
      summary: '{{ $labels.endpoint }}: unsafe methods of the consensus RPC are publicly accessible',
      description:
        'Anyone can empty the mempool of this node and make it connect to unknown peers. Set `unsafe = false` in the `[rpc]` section of its configuration, or close the port to the public.',
    },
  },
  ({ key, endpoint }, { exposesUnsafe: is }) => {
    if (endpoint.role !== 'own') return { state: 'ok', title: `${key}: not yours to mend`, text: '' };
    if (is === undefined) return { state: 'unknown', title: `${key}: unsafe methods: not known`, text: '' };
    return is
      ? {
          state: 'firing',
          title: `${key}: anyone can change your node over its consensus RPC`,
          text: 'It offers methods that empty its mempool and make it connect to peers of a stranger. Set `unsafe = false` in the `[rpc]` section of its configuration, or do not publish the port.',
        }
      : { state: 'ok', title: `${key}: offers no unsafe method`, text: '' };
  },
);

const mostSkew = 3;

const clockSkewed = surfaceRule(
  {
    name: 'HubClockSkew',
    severity: 'warning',
    forMs: 600_000,
    deviation: 'The offset is not reported if the answer took too long to measure it.',
    prometheus: {
      expr: ofOwn(`abs(hub_endpoint_clock_skew_seconds) > ${mostSkew}`),
      labels: ['endpoint'],
      summary: '{{ $labels.endpoint }}: the clock differs from that of the daemon by {{ $value | printf "%.0f" }} s',
      description:
        'One of the clocks is wrong. A validator with a wrong clock signs late. Deadlines depend on block time and are not affected. Check the time synchronisation of both machines.',
    },
  },
  ({ key, endpoint }, { skewSeconds }) => {
    if (skewSeconds === undefined) return { state: 'unknown', title: `${key}: its clock is not known`, text: '' };
    // Behind a proxy the clock is that of the proxy. The operator cannot correct the clock of a foreign endpoint.
    if (endpoint.role !== 'own' || Math.abs(skewSeconds) <= mostSkew)
      return { state: 'ok', title: `${key}: its clock and this one agree`, text: '' };
    const way = skewSeconds > 0 ? 'ahead of' : 'behind';
    return {
      state: 'firing',
      title: `${key}: its clock is ${span(Math.abs(skewSeconds) * 1_000)} ${way} this machine's`,
      text: 'One of the two is wrong. Deadlines of nodes and leases are not touched: they go by block time. A validator whose clock is off signs late, and notices of this daemon carry the time of its own clock. Look at time synchronisation on both machines.',
    };
  },
);

const indexOff = surfaceRule(
  {
    name: 'HubTxIndexOff',
    severity: 'warning',
    forMs: 3_600_000,
    prometheus: {
      expr: `hub_endpoint_capability{capability="tx_index"} == 0
and ignoring (capability, kind) hub_endpoint_required_blocks{kind="tx"}`,
      labels: ['endpoint', 'capability'],
      summary: '{{ $labels.endpoint }}: the required transaction index is off',
      description:
        'Transaction searches on this endpoint fail. Set `indexer = "kv"` in the `[tx_index]` section of its configuration and restart it. Only blocks after the restart are indexed.',
    },
  },
  ({ key, endpoint }, { capabilities }) => {
    const has = capabilities.get('tx_index');
    if (endpoint.require.tx_depths.length === 0)
      return { state: 'ok', title: `${key}: no transactions are required of it`, text: '' };
    if (has === undefined) return { state: 'unknown', title: `${key}: whether it indexes is not known`, text: '' };
    return has
      ? { state: 'ok', title: `${key}: indexes transactions`, text: '' }
      : {
          state: 'firing',
          title: `${key}: does not index transactions, which it is required to`,
          text: 'Searches of transactions fail there. Set `indexer = "kv"` in the `[tx_index]` section of its configuration and restart; only blocks from then on are found.',
        };
  },
);

const dayMs = 86_400_000;

const certificateEnds = (days: number): PrometheusCondition => ({
  expr: ofOwn(
    `min without (transport) (hub_endpoint_tls_not_after_timestamp_seconds - time()) < ${seconds(days * dayMs)}`,
  ),
  labels: ['endpoint'],
  summary: '{{ $labels.endpoint }}: a certificate expires in {{ $value | humanizeDuration }}',
  description:
    'After that, clients that verify certificates cannot connect. Renew the certificate. `hub_endpoint_tls_not_after_timestamp_seconds` shows which transport uses it.',
});

const certificateRule = (name: string, days: number, severity: 'warning' | 'critical'): SurfaceRule =>
  surfaceRule({ name, severity, forMs: 0, prometheus: certificateEnds(days) }, ({ key, endpoint }, found) => {
    const { certificates, atMs } = found;
    const ends = [...certificates].filter(([, endMs]) => endMs - atMs < days * dayMs);
    if (endpoint.role !== 'own' || ends.length === 0) {
      const isKnown = endpoint.role !== 'own' || certificates.size === addressesOf(endpoint).length;
      return { state: isKnown ? 'ok' : 'unknown', title: `${key}: certificates are valid`, text: '' };
    }
    const [soonest] = ends.map(([, endMs]) => endMs).toSorted((a, b) => a - b);
    const endMs = soonest ?? atMs;
    return {
      state: 'firing',
      title: `${key}: a certificate ${endMs > atMs ? 'expires' : 'has expired'} at ${utc(endMs)}`,
      text: ends.map(([transport, endMs]) => `- ${transport}: ${utc(endMs)}`).join('\n'),
    };
  });

/**
 * Public properties of an endpoint: certificates, clock, unsafe methods that it exposes, capabilities, and the lag of its
 * index.
 */
export const endpointSurface: Check<SurfaceTarget, SurfaceReading> = {
  name: 'surface',
  families: [notAfter, skew, unsafe, capability, lagBlocks],
  everyMs: (config) => config.poll.network,
  targets: (config) => config.endpoints.map((endpoint) => ({ key: endpoint.name, endpoint })),
  collect,
  metrics,
  rules: [
    unsafeExposed,
    clockSkewed,
    indexOff,
    certificateRule('HubTlsCertificateExpiring', 14, 'warning'),
    certificateRule('HubTlsCertificateExpiryImminent', 3, 'critical'),
  ],
};
