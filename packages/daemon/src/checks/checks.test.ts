import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { type FakeEndpoint, fakeEndpoint, page, statusResult, time } from '../../test/fake-endpoint.js';
import { metricContract } from '../../test/metric-contract.js';
import { nodeAddress, testParts } from '../../test/parts.js';
import type { Check, Target } from './check.js';
import { endpointStatus } from './endpoint/endpoint-status.js';
import { endpointVersion } from './endpoint/endpoint-version.js';
import type { Sample } from './family.js';
import { checks } from './index.js';
import { networkNodes } from './node/network-nodes.js';
import { nodeLeases } from './node/node-leases.js';
import { watchedNodes } from './node/watched-nodes.js';

const written = (samples: readonly Sample[]): string[] =>
  samples.map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);

const node = (facts: object = {}) => ({
  address: nodeAddress,
  gigabytePrices: [],
  hourlyPrices: [{ denom: 'udvpn', baseValue: '0.000000000000000000', quoteValue: '7777' }],
  remoteAddrs: [],
  inactiveAt: time(4_600_500),
  status: 1,
  statusAt: time(1_000_500),
  ...facts,
});

const nodeMethod = 'hub.node.v3.QueryService/QueryNode';
const single = async <T extends Target, R>(check: Check<T, R>, parts: ReturnType<typeof testParts>) => {
  const target = check.targets(parts.config)[0] as T;
  const reading = await check.collect(target, parts);
  return { reading, lines: written(check.metrics(target, reading)) };
};

test('checks: every agreed family is declared as agreed, and others follow the naming rules', () => {
  const contract = new Map(
    metricContract.map(([name, type, kind, ...labels]) => [name, { type, class: kind, labels }]),
  );
  const families = checks.flatMap((check) => check.families);
  for (const { name, type, labels, help, class: kind } of families) {
    expect(help, name).not.toBe('');
    const agreed = contract.get(name);
    if (agreed === undefined) expect(name).toMatch(/^hub(?:watch)?_[a-z]+(_[a-z]+)*$/);
    else expect({ name, type, labels, class: kind }).toEqual({ name, ...agreed });
  }
  expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  expect(checks[0]).toBe(endpointStatus);
});

test('endpoint status: all transports, bounds, peers and mempool of a healthy endpoint', async () => {
  const fake = fakeEndpoint(['grpc', 'rest', 'rpc']);
  fake.queries['hub.node.v3.QueryService/QueryParams'] = {};
  fake.rpc['status'] = statusResult(102n, 2_000_000_000_250);
  fake.rpc['net_info'] = {
    listening: true,
    peerCount: 3,
    peers: [{ isOutbound: true }, { isOutbound: false }, { isOutbound: false }],
  };
  fake.rpc['num_unconfirmed_txs'] = { count: 0n, total: 4n, totalBytes: 900n, txs: [] };
  const parts = testParts({ own: fake });
  const { lines } = await single(endpointStatus, parts);
  expect(lines).toEqual([
    'hub_endpoint_up{own,grpc} 1',
    'hub_endpoint_up{own,rest} 1',
    'hub_endpoint_up{own,rpc} 1',
    'hub_endpoint_state_height{own,grpc} 100',
    'hub_endpoint_state_height{own,rest} 100',
    'hub_endpoint_latest_block_height{own} 102',
    'hub_endpoint_latest_block_timestamp_seconds{own} 2000000000.25',
    'hub_endpoint_catching_up{own} 0',
    'hub_endpoint_chain_id_matches{own} 1',
    'hub_endpoint_info{own,hub-test,m,0.37.16} 1',
    'hub_endpoint_earliest_block_height{own} 1',
    'hub_endpoint_earliest_block_timestamp_seconds{own} 1999999000.25',
    'hub_endpoint_peers{own,inbound} 2',
    'hub_endpoint_peers{own,outbound} 1',
    'hub_endpoint_mempool_transactions{own} 4',
    'hub_endpoint_mempool_bytes{own} 900',
  ]);
  parts.clock.advance(200_000_000_000);
  expect(parts.pool.head()).toEqual({ height: 102n, timeMs: 2_000_000_000_250 });
});

test('endpoint status: an endpoint that is down gives a reading that reports only its absence', async () => {
  const parts = testParts({ own: fakeEndpoint(['grpc', 'rpc']) });
  const { reading, lines } = await single(endpointStatus, parts);
  expect(lines).toEqual(['hub_endpoint_up{own,grpc} 0', 'hub_endpoint_up{own,rpc} 0']);
  expect(reading.rpc).toMatchObject({ state: 'no_answer', reason: 'refused' });
  expect(reading.grpc).toMatchObject({ state: 'not_served' });
  expect(reading.rest).toBeUndefined();
  expect(parts.pool.head()).toBeUndefined();
});

test('endpoint status: earliest height 0 does not mean an archive: measured by a refused block, or absent', async () => {
  const fake = fakeEndpoint(['rpc']);
  const status = statusResult(102n, 2_000_000_000_250);
  const restored = { earliestBlockHeight: 0n, earliestBlockTime: undefined };
  fake.rpc['status'] = { ...status, syncInfo: { ...status.syncInfo, ...restored } };
  const earliest = async () =>
    (await single(endpointStatus, testParts({ own: fake }))).lines.filter((line) => line.includes('earliest'));
  const text = 'height 1 is not available, lowest height is 90';
  const code = 'height_never_existed';
  fake.rpc['header'] = new HubError({ code, message: text, transport: 'rpc', lowestHeight: 90n });
  expect(await earliest()).toEqual(['hub_endpoint_earliest_block_height{own} 90']);
  fake.rpc['header'] = new HubError({ code: 'timeout', message: 'late', transport: 'rpc' });
  expect(await earliest()).toEqual([]);
});

test('endpoint status: without a consensus RPC the head comes from the latest block', async () => {
  const fake = fakeEndpoint(['grpc']);
  fake.queries['hub.node.v3.QueryService/QueryParams'] = {};
  fake.queries['stack.base.bft.v1beta1.Service/GetLatestBlock'] = {
    sdkBlock: { header: { chainId: 'hub-other', height: 7n, time: time(5_000) } },
  };
  const { lines } = await single(endpointStatus, testParts({ own: fake }));
  expect(lines).toContain('hub_endpoint_latest_block_height{own} 7');
  expect(lines).toContain('hub_endpoint_chain_id_matches{own} 0');
  expect(lines.some((line) => line.includes('earliest') || line.includes('catching_up'))).toBe(false);
});

test('endpoint version: from GetNodeInfo, or from abci_info if there is only a consensus RPC', async () => {
  const full = fakeEndpoint(['grpc']);
  full.queries['stack.base.bft.v1beta1.Service/GetNodeInfo'] = {
    applicationVersion: { name: 'hub', version: '12.0.2', stackSdkVersion: 'v0.47.17' },
  };
  expect((await single(endpointVersion, testParts({ own: full }))).lines).toEqual([
    'hub_app_info{own,hub,12.0.2,v0.47.17} 1',
    'hub_app_version_changes_total{own} 0',
  ]);
  const bare = fakeEndpoint(['rpc']);
  bare.rpc['abci_info'] = { data: 'hub', version: '12.0.2', lastBlockHeight: 1n };
  expect((await single(endpointVersion, testParts({ own: bare }))).lines).toContain('hub_app_info{own,hub,12.0.2,} 1');
});

/** An endpoint whose version is read once per round. */
const versionRounds = (fake: FakeEndpoint) => {
  const parts = testParts({ own: fake });
  let previous: unknown;
  const look = async () => {
    const reading = await endpointVersion.collect({ key: 'own' }, { ...parts, previous });
    previous = reading;
    const counted = written(endpointVersion.metrics({ key: 'own' }, reading)).at(-1);
    return { counted, verdict: endpointVersion.rules?.[0]?.judge({ key: 'own' }, reading, parts.moment) };
  };
  return { parts, look };
};

test('endpoint version: a new version is counted and notified once, after two reports', async () => {
  const fake = fakeEndpoint(['rpc']);
  const { parts, look } = versionRounds(fake);
  const runs = (version: string) => {
    fake.rpc['abci_info'] = { data: 'hub', version, lastBlockHeight: 1n };
  };
  const unchanged = { counted: 'hub_app_version_changes_total{own} 0', verdict: { state: 'ok' } };
  runs('12.0.2');
  expect(await look()).toMatchObject(unchanged);
  runs('13.0.0');
  expect(await look()).toMatchObject(unchanged);
  const after = await look();
  expect(after.counted).toBe('hub_app_version_changes_total{own} 1');
  expect(after.verdict).toMatchObject({ state: 'firing', title: 'own: runs hub 13.0.0 now, hub 12.0.2 before' });
  expect((await look()).verdict?.term).toBe(after.verdict?.term);
  parts.clock.advance(86_400_000);
  expect(await look()).toMatchObject({ counted: 'hub_app_version_changes_total{own} 1', verdict: { state: 'ok' } });
});

test('endpoint version: a restart of the node is not a change, though its transports report different program names', async () => {
  const fake = fakeEndpoint(['grpc', 'rpc']);
  const { look } = versionRounds(fake);
  const getNodeInfo = 'stack.base.bft.v1beta1.Service/GetNodeInfo';
  const byGrpc = (version: string) => {
    fake.queries[getNodeInfo] = { applicationVersion: { name: 'hub', version, stackSdkVersion: '' } };
  };
  byGrpc('12.0.2');
  fake.rpc['abci_info'] = { data: 'hubd', version: 'v12.0.2', lastBlockHeight: 1n };
  const counts: unknown[] = [];
  const rounds = async (times: number) => {
    for (let round = 0; round < times; round += 1) counts.push((await look()).counted);
  };
  for (let restart = 0; restart < 3; restart += 1) {
    await rounds(2);
    // The consensus RPC is available first.
    fake.queries[getNodeInfo] = new HubError({ code: 'refused', message: 'starting', transport: 'grpc' });
    await rounds(3);
    byGrpc('12.0.2');
  }
  expect(new Set(counts)).toEqual(new Set(['hub_app_version_changes_total{own} 0']));
  byGrpc('13.0.0');
  await rounds(3);
  expect(counts.at(-1)).toBe('hub_app_version_changes_total{own} 1');
});

test('endpoint version: continues with the next transport while one is down, and reports the first failure', async () => {
  const parts = (fake: FakeEndpoint) => single(endpointVersion, testParts({ own: fake }));
  const info = { applicationVersion: { name: 'hub', version: '12.0.2', stackSdkVersion: 'v0.47.17' } };
  const refused = new HubError({ code: 'refused', message: 'gRPC is off', transport: 'grpc' });
  const halfDown = fakeEndpoint(['grpc', 'rest', 'rpc']);
  let asked = 0;
  halfDown.queries['stack.base.bft.v1beta1.Service/GetNodeInfo'] = () => (asked++ === 0 ? refused : info);
  expect((await parts(halfDown)).lines).toContain('hub_app_info{own,hub,12.0.2,v0.47.17} 1');
  const onlyRpc = fakeEndpoint(['grpc', 'rest', 'rpc']);
  onlyRpc.queries['*'] = refused;
  onlyRpc.rpc['abci_info'] = { data: 'hub', version: '12.0.2', lastBlockHeight: 1n };
  expect((await parts(onlyRpc)).lines).toContain('hub_app_info{own,hub,12.0.2,} 1');
  onlyRpc.rpc['abci_info'] = undefined;
  await expect(parts(onlyRpc)).rejects.toBe(refused);
});

test('watched nodes: status as a state set, deadline, assumed interval and prices', async () => {
  const fake = fakeEndpoint();
  fake.queries[nodeMethod] = { node: node() };
  const { lines } = await single(watchedNodes, testParts({ own: fake }));
  expect(lines).toEqual([
    `hub_node_registered{${nodeAddress}} 1`,
    `hub_node_status{${nodeAddress},unspecified} 0`,
    `hub_node_status{${nodeAddress},active} 1`,
    `hub_node_status{${nodeAddress},inactive_pending} 0`,
    `hub_node_status{${nodeAddress},inactive} 0`,
    `hub_node_status_timestamp_seconds{${nodeAddress}} 1000.5`,
    `hub_node_inactive_timestamp_seconds{${nodeAddress}} 4600.5`,
    `hub_node_heartbeat_interval_seconds{${nodeAddress}} 3300`,
    `hub_node_price{${nodeAddress},hour,udvpn} 7777`,
    `hub_node_price_changes_total{${nodeAddress}} 0`,
    `hub_node_address_changes_total{${nodeAddress}} 0`,
  ]);
});

test('watched nodes: inactive: no deadline; not registered: no series; status of a later version: its number', async () => {
  const fake = fakeEndpoint();
  const parts = testParts({ own: fake });
  fake.queries[nodeMethod] = { node: node({ status: 3, inactiveAt: undefined }) };
  expect((await single(watchedNodes, parts)).lines.some((line) => line.includes('inactive_timestamp'))).toBe(false);
  fake.queries[nodeMethod] = { node: node({ status: 9 }) };
  expect((await single(watchedNodes, parts)).lines).toContain(`hub_node_status{${nodeAddress},9} 1`);
  fake.queries[nodeMethod] = new HubError({ code: 'not_found', message: 'no', transport: 'grpc' });
  expect((await single(watchedNodes, parts)).lines).toEqual([`hub_node_registered{${nodeAddress}} 0`]);
});

test('watched nodes: the interval is computed from heartbeats, not from the time of a lapse', async () => {
  const fake = fakeEndpoint();
  const parts = testParts({ own: fake });
  const minute = 60_000;
  for (let beat = 0; beat < 6; beat += 1) {
    const at = beat * 54 * minute;
    fake.queries[nodeMethod] = { node: node({ statusAt: time(at), inactiveAt: time(at + 60 * minute) }) };
    fake.height += 1n;
    const { reading } = await single(watchedNodes, parts);
    expect(reading).toMatchObject(
      beat < 5
        ? { intervalMs: 55 * minute, intervalLearned: false }
        : { intervalMs: 54 * minute, intervalLearned: true },
    );
  }
  fake.queries[nodeMethod] = { node: node({ status: 3, statusAt: time(999 * minute), inactiveAt: undefined }) };
  fake.height += 1n;
  await single(watchedNodes, parts);
  expect(parts.history.times(nodeAddress)).toHaveLength(6);
});

test('node leases: terms, payouts and renewal; missing values give no series', async () => {
  const fake = fakeEndpoint();
  const lease = {
    id: 4n,
    provAddress: 'sentprov1x',
    nodeAddress,
    price: { denom: 'udvpn', baseValue: '0', quoteValue: '7777' },
    hours: 1n,
    maxHours: 6n,
    renewalPricePolicy: 3,
    startAt: time(1_000_000),
  };
  const paidUp = { ...lease, id: 5n, hours: 6n, renewalPricePolicy: 0 };
  fake.queries['hub.lease.v1.QueryService/QueryLeasesForNode'] = page('leases', [lease, paidUp]);
  const { lines } = await single(nodeLeases, testParts({ own: fake }));
  expect(lines).toEqual([
    `hub_node_leases{${nodeAddress}} 2`,
    `hub_node_lease_at_stake_amount{${nodeAddress},udvpn} 38885`,
    `hub_lease_info{4,${nodeAddress},sentprov1x,udvpn,if_equal} 1`,
    'hub_lease_start_timestamp_seconds{4} 1000',
    'hub_lease_end_timestamp_seconds{4} 22600',
    'hub_lease_renewal_timestamp_seconds{4} 22600',
    'hub_lease_next_payout_timestamp_seconds{4} 4600',
    'hub_lease_term_seconds{4} 21600',
    'hub_lease_paid_seconds{4} 3600',
    'hub_lease_hourly_price{4,udvpn} 7777',
    'hub_lease_locked_amount{4,udvpn} 38885',
    `hub_lease_info{5,${nodeAddress},sentprov1x,udvpn,unspecified} 1`,
    'hub_lease_start_timestamp_seconds{5} 1000',
    'hub_lease_end_timestamp_seconds{5} 22600',
    'hub_lease_term_seconds{5} 21600',
    'hub_lease_paid_seconds{5} 21600',
    'hub_lease_hourly_price{5,udvpn} 7777',
    'hub_lease_locked_amount{5,udvpn} 0',
  ]);
});

test('network nodes: counted over all pages', async () => {
  const fake = fakeEndpoint();
  fake.queries['hub.node.v3.QueryService/QueryNodes'] = ({ pagination }: { pagination: { key: Uint8Array } }) =>
    pagination.key.length === 0
      ? page('nodes', [node(), node()], Uint8Array.of(1))
      : page('nodes', [node({ status: 3 }), node()]);
  fake.queries['hub.node.v3.QueryService/QueryParams'] = { params: { statusTimeout: { seconds: 3_600n, nanos: 0 } } };
  expect((await single(networkNodes, testParts({ own: fake }))).lines).toEqual([
    'hub_nodes{active} 3',
    'hub_nodes{inactive} 1',
  ]);
});

/** Reads the watched node once. */
const watchedReading = async () => {
  const fake = fakeEndpoint();
  fake.queries[nodeMethod] = { node: node() };
  const parts = testParts({ own: fake });
  const [target] = watchedNodes.targets(parts.config);
  if (target === undefined) throw new Error('no node is watched');
  return watchedNodes.collect(target, parts);
};

test('watched nodes: read every two minutes until the next heartbeat is due, then in each round', async () => {
  const reading = await watchedReading();
  // The heartbeat at 1,000,500 ms is valid for one hour; the usual interval is 55 minutes.
  const dueMs = 1_000_500 + 55 * 60_000;
  const at = (headMs: number, clockMs = 0) => ({ head: { height: 1n, timeMs: headMs }, clockMs });
  const isGood = (headMs: number, ageMs: number) => watchedNodes.isStillGood?.(reading, at(headMs), at(headMs, ageMs));
  expect(isGood(2_000_000, 30_000)).toBe(true);
  expect(isGood(2_000_000, 120_000)).toBe(false);
  expect(isGood(dueMs - 61_000, 30_000)).toBe(true);
  expect(isGood(dueMs - 59_000, 30_000)).toBe(false);
  expect(isGood(2_000_000, -1)).toBe(false);
  expect(watchedNodes.isStillGood?.(reading, at(2_000_000), { head: undefined, clockMs: 30_000 })).toBe(false);
  const inactive = { ...reading, node: { ...node(), status: 3 } } as typeof reading;
  expect(watchedNodes.isStillGood?.(inactive, at(2_000_000), at(2_000_000, 1))).toBe(false);
});

test('watched nodes: read every five minutes while events of every block are read, an inactive one every two', async () => {
  const reading = await watchedReading();
  const dueMs = 1_000_500 + 55 * 60_000;
  const isGood = (one: typeof reading, headMs: number, clockMs: number, events?: { from: bigint; to: bigint }) => {
    const head = { height: 120n, timeMs: headMs };
    return watchedNodes.isStillGood?.(one, { head, clockMs: 0 }, { head, clockMs, events });
  };
  // The reading is from height 100.
  const whole = { from: 90n, to: 120n };
  expect(isGood(reading, 2_000_000, 299_999, whole)).toBe(true);
  expect(isGood(reading, 2_000_000, 300_000, whole)).toBe(false);
  expect(isGood(reading, dueMs - 59_000, 1, whole)).toBe(false);
  // A block after the reading is missing, or the ledger is behind.
  expect(isGood(reading, 2_000_000, 120_000, { from: 102n, to: 120n })).toBe(false);
  expect(isGood(reading, 2_000_000, 120_000, { from: 101n, to: 120n })).toBe(true);
  expect(isGood(reading, 2_000_000, 120_000, { from: 90n, to: 114n })).toBe(false);
  const inactive = { ...reading, node: { ...node(), status: 3 } } as typeof reading;
  expect(isGood(inactive, 2_000_000, 119_999, whole)).toBe(true);
  expect(isGood(inactive, 2_000_000, 120_000, whole)).toBe(false);
  expect(isGood({ ...reading, node: undefined }, 2_000_000, 1, whole)).toBe(false);
});

test('node leases: valid for five minutes while events of every block are read and no hour is due', async () => {
  const fake = fakeEndpoint();
  const startAt = time(1_000_000);
  const lease = {
    id: 1n,
    startAt,
    hours: 1n,
    maxHours: 24n,
    price: { denom: 'udvpn', baseValue: '0', quoteValue: '1' },
  };
  fake.queries['hub.lease.v1.QueryService/QueryLeasesForNode'] = page('leases', [lease]);
  const { reading } = await single(nodeLeases, testParts({ own: fake }));
  const isGood = (headMs: number, clockMs: number, to: bigint | undefined) => {
    const head = { height: 120n, timeMs: headMs };
    const events = to === undefined ? undefined : { from: 1n, to };
    return nodeLeases.isStillGood?.(reading, { head, clockMs: 0 }, { head, clockMs, events });
  };
  expect(isGood(2_000_000, 299_999, 120n)).toBe(true);
  expect(isGood(2_000_000, 300_000, 120n)).toBe(false);
  expect(isGood(2_000_000, 1, undefined)).toBe(false);
  expect(isGood(2_000_000, 1, 100n)).toBe(false);
  // The second hour is due one hour after the start.
  expect(isGood(4_599_999, 1, 120n)).toBe(true);
  expect(isGood(4_600_000, 1, 120n)).toBe(false);
});

test('endpoint status: peers and mempool are read rarely, and absent while the endpoint reports no head', async () => {
  const fake = fakeEndpoint(['rpc']);
  let asked = 0;
  fake.rpc['status'] = statusResult(100n, 1_800_000_000_000);
  fake.rpc['net_info'] = () => {
    asked += 1;
    return { listening: true, peerCount: 0, peers: [] };
  };
  fake.rpc['num_unconfirmed_txs'] = { count: 0n, total: 3n, totalBytes: 9n, txs: [] };
  const parts = testParts({ own: fake });
  const [target] = endpointStatus.targets(parts.config);
  if (target === undefined) throw new Error('no endpoint');
  for (let round = 0; round < 6; round += 1) {
    expect((await endpointStatus.collect(target, parts)).peers?.state).toBe('known');
    parts.clock.advance(10_000);
  }
  expect(asked).toBe(1);
  delete fake.rpc['status'];
  const down = await endpointStatus.collect(target, parts);
  expect([down.peers?.state, down.mempool?.state]).toEqual(['no_answer', 'no_answer']);
  fake.rpc['status'] = statusResult(101n, 1_800_000_000_000);
  await endpointStatus.collect(target, parts);
  expect(asked).toBe(2);
});
