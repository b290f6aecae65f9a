import { expect, test } from 'vitest';
import { diagnosisOf, failedWay, healthyEngine, nowMs, statesFrom, withWay } from '../../../test/diagnosis.js';
import type { Diagnosis, EngineFacts } from '../diagnosis.js';
import { findingRules, findingsOf } from './index.js';

const dayMs = 86_400_000;
const tls = { startMs: nowMs - dayMs, endMs: nowMs + 90 * dayMs, distrust: undefined, protocol: 'h2' };
const page = { status: 200, location: undefined };

const engine = (more: Partial<EngineFacts>): Diagnosis => diagnosisOf({ engine: { ...healthyEngine, ...more } });
const application = (more: Partial<Diagnosis['application']>): Diagnosis =>
  diagnosisOf({ application: { ...diagnosisOf().application, ...more } });
const reached = (...tcp: ('open' | 'refused' | 'silent' | 'unreachable')[]) => ({
  reached: tcp.map((one, index) => ({ ip: `192.0.2.${index + 1}`, tcp: one })),
});
const expecting = (chainId: string): Diagnosis => diagnosisOf({ subject: { ...diagnosisOf().subject, chainId } });
const plan = { name: 'v13_0_0', height: 2_000_000n };
const answering = (more: object) => ({ ...failedWay('rest', {}), failure: undefined, wire: undefined, ...more });

/** A diagnosis for each finding, with the expected texts of the finding and its advice. */
const cases: readonly (readonly [id: string, diagnosis: Diagnosis, says: RegExp, advice: RegExp])[] = [
  ['name-unknown', withWay('rest', failedWay('rest', {}, reached())), /node\.example does not resolve/, /DNS/],
  [
    'port-refused',
    withWay('rest', failedWay('rest', {}, reached('refused'))),
    /^REST is probably off: \S+ refuses connections$/,
    /section of app\.toml.* This is inferred from the refusal.*listens only locally/,
  ],
  [
    'port-refused',
    withWay('rest', failedWay('rest', {}, reached('refused'), 'http://127.0.0.1:1317')),
    /^REST is off: nothing listens at/,
    /`\[api\]` section(?!.*inferred)/,
  ],
  ['port-unreachable', withWay('rpc', failedWay('rpc', {}, reached('unreachable'))), /is unreachable/, /IPv6/],
  ['port-silent', withWay('rpc', failedWay('rpc', {}, reached('silent'))), /neither accepts nor refuses/, /firewall/],
  ['port-hangs', withWay('grpc', failedWay('grpc', { code: 'timeout' })), /does not answer within 5 s/, /--timeout/],
  ['speaks-tls', withWay('grpc', failedWay('grpc', {}, { tls })), /expects TLS/, /https:\/\/node\.example:9090/],
  [
    'speaks-no-tls',
    withWay('rest', failedWay('rest', { code: 'tls' }, { page: { ...page, kind: 'gateway' } }, 'https://node.example')),
    /does not use TLS/,
    /http:\/\/node\.example/,
  ],
  [
    'certificate-refused',
    withWay(
      'rest',
      failedWay('rest', { code: 'tls' }, { tls: { ...tls, distrust: 'CERT_X' } }, 'https://node.example'),
    ),
    /CERT_X/,
    /NODE_EXTRA_CA_CERTS/,
  ],
  [
    'no-http2',
    withWay('grpc', failedWay('grpc', {}, { tls: { ...tls, protocol: 'http/1.1' } }, 'https://node.example:443')),
    /does not offer HTTP\/2/,
    /grpc_pass/,
  ],
  [
    'wrong-port',
    withWay('grpc', failedWay('grpc', {}, { page: { ...page, kind: 'engine' } })),
    /RPC answers at .*, not gRPC/,
    /as `rpc`/,
  ],
  [
    'rate-limited',
    withWay('rest', failedWay('rest', { code: 'rate_limited', httpStatus: 429, retryAfterMs: 30_000 })),
    /429, retry in 30 s/,
    /your own node/,
  ],
  [
    'redirected',
    withWay(
      'rest',
      failedWay(
        'rest',
        { code: 'http', httpStatus: 301 },
        { page: { status: 301, kind: 'other', location: 'https://x/' } },
      ),
    ),
    /redirects to https:\/\/x\//,
    /not followed/,
  ],
  [
    'proxy-answers',
    withWay('rest', failedWay('rest', { code: 'unavailable', httpStatus: 502 }, { page: { ...page, kind: 'html' } })),
    /an HTML page \(HTTP 502\)/,
    /the node behind it/,
  ],
  [
    'not-a-node',
    diagnosisOf({
      ways: new Map([
        ['rest', failedWay('rest', { code: 'not_found', httpStatus: 404 }, { page: { ...page, kind: 'html' } })],
        ['rpc', failedWay('rpc', { code: 'decode' }, { page: { ...page, kind: 'html' } }, 'http://node.example:1317')],
      ]),
    }),
    /^http:\/\/node\.example:1317 is not a node: a web server answers/,
    /the addresses of a node/,
  ],
  ['starting', withWay('rest', failedWay('rest', { code: 'starting' })), /no block yet \(reported over REST\)/, /Wait/],
  ['other-network', withWay('grpc', failedWay('grpc', { code: 'unimplemented' })), /does not know/, /another chain/],
  [
    'dead-address',
    withWay('rpc', failedWay('rpc', { code: 'timeout' }, reached('open', 'refused'))),
    /2 addresses, but RPC does not accept connections at 192\.0\.2\.2/,
    /192\.0\.2\.1/,
  ],
  ['not-answered', withWay('rpc', failedWay('rpc', { code: 'decode', text: 'x\u001b[31m' })), /failed: x \[31m/, /log/],
  ['wrong-chain', expecting('hub-1'), /serves hub-2, not hub-1/, /right chain/],
  ['different-nodes', application({ chainId: 'hub-1' }), /hub-2, but the application serves hub-1/, /different nodes/],
  [
    'different-nodes',
    withWay('rest', answering({ stateHeight: 1_999_900n })),
    /REST answers from state 1999900, but gRPC from 2000000/,
    /addresses of one/,
  ],
  [
    'stopped-for-upgrade',
    { ...application({ plan }), engine: { ...healthyEngine, stateHeight: 1_999_999n, timeMs: nowMs - dayMs } },
    /v13_0_0 at height 2000000: block 2000000 is stored but not executed/,
    /^Install the release of v13_0_0/,
  ],
  ['frozen', engine({ consensus: 'hangs', timeMs: nowMs - 600_000 }), /consensus hangs.*10 min old/, /^Restart/],
  ['catching-up', engine({ catchingUp: true, timeMs: nowMs - dayMs }), /still catching up.*1 d old/, /peers/],
  [
    'old-block',
    engine({ timeMs: nowMs - 3 * 3_600_000 }),
    /^The node reports in sync, but .* 3 h old$/,
    /another node/,
  ],
  ['state-behind', engine({ stateHeight: 1_990_000n }), /10000 blocks behind/, /leases/],
  ['block-of-the-future', engine({ timeMs: nowMs + 3_600_000 }), /1 h after the local time/, /clock/],
  ['clock-off', engine({ skewSeconds: -420 }), /7 min behind/, /timedatectl/],
  [
    'no-peers',
    engine({ peers: { inbound: 0, outbound: 0 }, timeMs: nowMs - 600_000 }),
    /no peers/,
    /`persistent_peers`/,
  ],
  ['upgrade-ahead', application({ plan: { ...plan, height: 2_000_500n } }), /in 500 blocks/, /Prepare its release/],
  ['unsafe-exposed', engine({ exposesUnsafe: true }), /exposed/, /`unsafe = false` in the `\[rpc\]`/],
  [
    'certificate-ends',
    withWay('rest', answering({ address: 'https://x', tls: { ...tls, endMs: nowMs + 5 * dayMs } })),
    /ends in 5 d/,
    /Renew/,
  ],
  [
    'certificate-not-yet',
    withWay('rest', answering({ address: 'https://x', tls: { ...tls, startMs: nowMs + dayMs } })),
    /not valid before 2026-11-29/,
    /clock of this machine/,
  ],
  [
    'required-state-missing',
    diagnosisOf({ states: [{ ...statesFrom(901_801n), depths: new Map([[5_000n, 'not_held']]) }] }),
    /5000 blocks before the latest/,
    /above 5000/,
  ],
  [
    'state-pruned',
    diagnosisOf({ states: [statesFrom(1_637_121n)] }),
    /1637121 although blocks start at 901801: .*`default`/,
    /archive/,
  ],
  ['state-pruned', diagnosisOf({ states: [statesFrom(1_999_990n)] }), /`everything`/, /pruning-keep-recent/],
  [
    'states-differ',
    diagnosisOf({ states: [statesFrom(901_801n), statesFrom(1_990_000n, 'rest')] }),
    /State starts at 901801 over gRPC and at 1990000 over REST/,
    /different nodes/,
  ],
  ['blocks-pruned', engine({ firstBlock: 1_000_000n }), /98199 after the first/, /`min-retain-blocks = 0`/],
  [
    'state-bound-unknown',
    diagnosisOf({ states: [{ ...statesFrom(2_000_000n), stopped: 'unclear' }] }),
    /unknown over gRPC/,
    /rate limit/,
  ],
  [
    'index-off',
    engine({ index: { state: 'off', lag: undefined, reachesFirst: undefined } }),
    /index is off/,
    /`indexer = "kv"`/,
  ],
  [
    'index-not-searchable',
    engine({ index: { state: 'not_searchable', lag: undefined, reachesFirst: undefined } }),
    /cannot be searched/,
    /psql|kv/,
  ],
  [
    'index-behind',
    engine({ index: { state: 'on', lag: 100n, reachesFirst: true } }),
    /up to 100 latest blocks/,
    /event bus/,
  ],
  [
    'index-behind',
    engine({ index: { state: 'on', lag: 'none_found', reachesFirst: undefined } }),
    /thousand blocks or more/,
    /restart/,
  ],
  [
    'index-short',
    engine({ index: { state: 'on', lag: 1n, reachesFirst: false } }),
    /oldest block 901801/,
    /in their blocks/,
  ],
  ['results-not-kept', engine({ keepsResults: false }), /not stored/, /`discard_abci_responses = false`/],
  ['websocket-off', engine({ websocket: false }), /no websocket/, /Upgrade/],
  [
    'reflection-off',
    application({ services: { state: 'not_served', text: 'unknown service' } }),
    /reflection is not available/,
    /ServerReflection/,
  ],
  ['naming-unknown', diagnosisOf({ naming: undefined }), /names .* could not be detected/, /--naming/],
  [
    'services-missing',
    application({ services: { state: 'known', value: ['hub.node.v3.QueryService'] } }),
    /lacks 40 of the 41 services/,
    /drift/,
  ],
  [
    'methods-refused',
    application({ refused: [{ way: 'rest', method: 'hub.lease.v1.QueryService/QueryParams' }] }),
    /refuses 1 of the 8 tried methods .*hub\.lease\.v1/,
    /every path/,
  ],
  ['other-release', application({ version: 'v13.0.1' }), /runs release v13\.0\.1/, /for that release/],
];

test('findings: a healthy endpoint gets no advice', () => {
  expect(findingsOf(diagnosisOf())).toEqual([]);
});

test.each(cases)('findings: %s is found, and no other', (id, diagnosis, says, advice) => {
  const found = findingsOf(diagnosis).filter((one) => !follows.get(id)?.includes(one.id));
  expect(found.map((one) => one.id)).toEqual([id]);
  expect(found[0]?.says).toMatch(says);
  expect(found[0]?.advice).toMatch(advice);
  // The texts are printed as sentences, and the report adds the full stop.
  expect(found[0]?.says).not.toMatch(/\.$/);
  expect(found[0]?.advice).toMatch(/\.$/);
});

/** Additional findings that are also true for a case. */
const follows = new Map<string, readonly string[]>([
  ['dead-address', ['port-hangs']],
  ['different-nodes', ['state-behind']],
  ['no-peers', ['old-block']],
]);

test('findings: each rule of the list has a case here, and names are unique', () => {
  expect([...new Set(cases.map(([id]) => id))].toSorted()).toEqual(findingRules.map(({ id }) => id).toSorted());
});

test('findings: a node that reports in sync with a block three hours old is reported as stuck', () => {
  const [found] = findingsOf(engine({ catchingUp: false, timeMs: nowMs - 3 * 3_600_000 }));
  expect(found?.says).toContain('The node reports in sync, but its latest block');
});

test('findings: an unknown oldest block is reported neither as an archive nor with advice', () => {
  expect(findingsOf(engine({ firstBlock: undefined }))).toEqual([]);
});

test.each<[string, number, number]>([
  ['the clock here is ten minutes ahead', -600, 600_000],
  ['the clock here is ten minutes behind', 600, -600_000],
])('findings: when %s, the clock is the finding and the block is fresh', (_case, skewSeconds, offMs) => {
  const found = findingsOf(diagnosisOf(engine({ skewSeconds, timeMs: nowMs - 5_000 - offMs })));
  expect(found.map(({ id }) => id)).toEqual(['clock-off']);
});
