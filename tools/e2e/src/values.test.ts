import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriesKey } from './exposition.js';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { expectedOfSessions } from './expected-sessions.js';
import { type RecordedState, recordedState } from './recorded-states.js';

/** At 903000 three allocations are exhausted, at 903200 a session is stale. */
const heights = [902_000, 902_399, 903_000, 903_200, 903_500];
const seconds = (time: string): number =>
  Date.parse(time.replace(/\.\d+Z$/, 'Z')) / 1000 + Number(/\.\d+/.exec(time)?.[0] ?? 0);

describe('metrics: every watched value at five heights of the recorded day', () => {
  let chain: MonitoredChain;

  beforeAll(async () => {
    chain = await monitorChain({ chain: 'day', from: heights[0] ?? 0, transports: ['grpc', 'rpc'] });
  });

  afterAll(() => chain.close());

  it('metrics: include the chain id, and the records are read over gRPC', async () => {
    await chain.moveTo(heights[0] ?? 0);
    const samples = await chain.samples();
    const infos = [...samples.keys()].filter((key) => key.startsWith('hub_endpoint_info{'));
    expect(infos).toHaveLength(1);
    expect(infos[0]).toContain('chain_id="hub-golden-2"');
    expect(samples.get(seriesKey('hubwatch_endpoint_selected', { endpoint: 'own', transport: 'grpc' }))).toBe(1);
  });

  it.each(heights)('metrics: the values in /metrics at height %i equal the recorded state', async (height) => {
    await chain.moveTo(height);
    const state = await recordedState('day', height);
    const samples = await chain.samples();
    const shown = new Map([...samples].filter(([key]) => comparedFamilies.some((name) => key.startsWith(`${name}{`))));
    expect(rounded(shown)).toEqual(rounded(expectedSamples(state, chain)));
  });
});

/** Metric families that depend only on the state. Their series must be exactly the expected ones. */
const comparedFamilies = [
  'hub_endpoint_latest_block_height',
  'hub_endpoint_earliest_block_height',
  'hub_endpoint_chain_id_matches',
  'hub_endpoint_catching_up',
  'hub_head_height',
  'hub_nodes',
  'hub_node_registered',
  'hub_node_status',
  'hub_node_status_timestamp_seconds',
  'hub_node_inactive_timestamp_seconds',
  'hub_node_price',
  'hub_node_leases',
  'hub_node_sessions',
  'hub_node_sessions_stale',
  'hub_node_sessions_overdue',
  'hub_node_session_oldest_update_timestamp_seconds',
  'hub_node_session_next_settlement_timestamp_seconds',
  'hub_node_session_live_bytes',
  'hub_node_sessions_over_limit',
  'hub_node_session_expected_amount',
  'hub_node_session_at_stake_amount',
  'hub_node_allocations',
  'hub_node_allocation_remaining_bytes',
  'hub_lease_info',
  'hub_lease_start_timestamp_seconds',
  'hub_lease_end_timestamp_seconds',
  'hub_lease_renewal_timestamp_seconds',
  'hub_lease_next_payout_timestamp_seconds',
  'hub_lease_term_seconds',
  'hub_lease_paid_seconds',
  'hub_lease_hourly_price',
];

function expectedSamples(state: RecordedState, chain: MonitoredChain): Map<string, number> {
  const expected = new Map<string, number>();
  const put = (name: string, labels: Record<string, string>, value: number): void =>
    void expected.set(seriesKey(name, labels), value);
  const endpoint = { endpoint: 'own' };
  const { height } = chain.node.position();
  put('hub_endpoint_latest_block_height', endpoint, height);
  put('hub_endpoint_earliest_block_height', endpoint, 901_801);
  put('hub_endpoint_chain_id_matches', endpoint, 1);
  put('hub_endpoint_catching_up', endpoint, 0);
  put('hub_head_height', {}, height);
  for (const status of ['active', 'inactive']) {
    put('hub_nodes', { status }, state.nodes.filter((node) => node.status === status).length);
  }
  for (const node of state.nodes) {
    const label = { node: node.address };
    put('hub_node_registered', label, 1);
    for (const status of ['unspecified', 'active', 'inactive_pending', 'inactive']) {
      put('hub_node_status', { ...label, status }, node.status === status ? 1 : 0);
    }
    put('hub_node_status_timestamp_seconds', label, seconds(node.status_at));
    if (!node.inactive_at.startsWith('0001-'))
      put('hub_node_inactive_timestamp_seconds', label, seconds(node.inactive_at));
    for (const price of node.hourly_prices)
      put('hub_node_price', { ...label, unit: 'hour', denom: price.denom }, Number(price.quote_value));
    for (const price of node.gigabyte_prices)
      put('hub_node_price', { ...label, unit: 'gigabyte', denom: price.denom }, Number(price.quote_value));
    put('hub_node_leases', label, state.leases.filter((lease) => lease.node_address === node.address).length);
    // A session is deleted where other records would become inactive, so it has only these two statuses.
    for (const status of ['active', 'inactive_pending']) {
      const sessions = state.sessions.filter(
        ({ base_session: base }) => base.node_address === node.address && base.status === status,
      );
      put('hub_node_sessions', { ...label, status }, sessions.length);
    }
    for (const { name, labels, value } of expectedOfSessions(state, node.address))
      put(name, { ...label, ...labels }, value);
  }
  for (const lease of state.leases) {
    const label = { lease_id: lease.id };
    const [start, hours, maxHours] = [seconds(lease.start_at), Number(lease.hours), Number(lease.max_hours)];
    put(
      'hub_lease_info',
      {
        ...label,
        node: lease.node_address,
        provider: lease.prov_address,
        denom: lease.price.denom,
        renewal_policy: lease.renewal_price_policy,
      },
      1,
    );
    put('hub_lease_start_timestamp_seconds', label, start);
    put('hub_lease_end_timestamp_seconds', label, start + maxHours * 3600);
    if (lease.renewal_price_policy !== 'unspecified')
      put('hub_lease_renewal_timestamp_seconds', label, start + maxHours * 3600);
    if (hours < maxHours) put('hub_lease_next_payout_timestamp_seconds', label, start + hours * 3600);
    put('hub_lease_term_seconds', label, maxHours * 3600);
    put('hub_lease_paid_seconds', label, hours * 3600);
    put('hub_lease_hourly_price', { ...label, denom: lease.price.denom }, Number(lease.price.quote_value));
  }
  return expected;
}

/** Times are compared to the millisecond, the precision of Number here. */
function rounded(samples: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(
    [...samples]
      .map(([key, value]): [string, number] => [key, Math.round(value * 1000) / 1000])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
