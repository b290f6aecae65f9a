import { afterEach, expect, it } from 'vitest';
import { seriesKey } from './exposition.js';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { type RecordedState, recordedState } from './recorded-states.js';

let chain: MonitoredChain | undefined;
afterEach(async () => {
  await chain?.close();
  chain = undefined;
});

it.each([
  ['day', ['grpc', 'rpc'], [902_000, 902_399, 903_500]],
  ['day', ['rpc'], [903_000]],
  ['chain', ['grpc', 'rest', 'rpc'], [901_900, 902_000]],
] as const)(
  'network metrics: on %s over %j the counts from the lists equal the recorded states',
  async (name, transports, heights) => {
    chain = await monitorChain({ chain: name, from: heights[0], transports: [...transports] });
    for (const height of heights) {
      await chain.moveTo(height);
      const samples = await chain.samples();
      const shown = new Map([...samples].filter(([key]) => families.some((family) => key.split('{')[0] === family)));
      expect(sorted(shown), `at ${height}`).toEqual(sorted(expectedOf(await recordedState(name, height))));
      for (const list of lists) {
        expect(samples.get(seriesKey('hubwatch_sweep_height', { collection: list })), list).toBe(height);
      }
    }
  },
);

const lists = ['deposits', 'leases', 'nodes', 'plans', 'providers', 'sessions', 'subscriptions', 'swaps'];

const families = [
  'hub_nodes',
  'hub_sessions',
  'hub_session_live_bytes',
  'hub_subscriptions',
  'hub_plans',
  'hub_providers',
  'hub_leases',
  'hub_leases_ending',
  'hub_lease_committed_amount',
  'hub_deposit_amount',
  'hub_deposit_difference_amount',
  'hub_swaps',
];

const policies =
  'unspecified if_lesser if_lesser_or_equal if_equal if_not_equal if_greater if_greater_or_equal always'.split(' ');

function expectedOf(state: RecordedState): Map<string, number> {
  const expected = new Map<string, number>();
  const put = (name: string, labels: Record<string, string>, value: number): void =>
    void expected.set(seriesKey(name, labels), value);
  const count = (name: string, records: readonly { readonly status: string }[], statuses: readonly string[]): void => {
    for (const status of statuses) put(name, { status }, records.filter((one) => one.status === status).length);
  };
  count('hub_nodes', state.nodes, ['active', 'inactive']);
  count('hub_plans', state.plans, ['active', 'inactive']);
  count('hub_providers', state.providers, ['active', 'inactive']);
  count('hub_subscriptions', state.subscriptions, ['active', 'inactive_pending']);
  put('hub_swaps', {}, state.swaps.length);
  for (const kind of ['node', 'subscription']) {
    const sessions = state.sessions
      .filter((session) => session['@type'] === `/hub.${kind}.v3.Session`)
      .map((session) => session.base_session);
    for (const status of ['active', 'inactive_pending']) {
      put('hub_sessions', { kind, status }, sessions.filter((session) => session.status === status).length);
    }
    for (const direction of ['download', 'upload'] as const) {
      put('hub_session_live_bytes', { kind, direction }, sum(sessions.map((one) => one[`${direction}_bytes`])));
    }
  }
  const now = Date.parse(state.time);
  for (const policy of policies) {
    const leases = state.leases.filter((lease) => lease.renewal_price_policy === policy);
    put('hub_leases', { renewal_policy: policy }, leases.length);
  }
  for (const [within, hours] of Object.entries({ '1h': 1, '6h': 6, '24h': 24, '7d': 168 })) {
    const ends = state.leases.map((lease) => Date.parse(lease.start_at) + Number(lease.max_hours) * 3_600_000);
    put('hub_leases_ending', { within }, ends.filter((end) => end - now <= hours * 3_600_000).length);
  }
  const unpaid = state.leases.map(
    (lease) => BigInt(lease.price.quote_value) * (BigInt(lease.max_hours) - BigInt(lease.hours)),
  );
  put('hub_lease_committed_amount', { denom: 'udvpn' }, sum(unpaid));
  put(
    'hub_deposit_amount',
    { denom: 'udvpn' },
    sum(state.deposits.flatMap(({ coins }) => coins.map((coin) => coin.amount))),
  );
  // On the recorded node every deposit covers exactly its purpose.
  put('hub_deposit_difference_amount', { denom: 'udvpn' }, 0);
  return expected;
}

function sum(amounts: readonly (string | bigint)[]): number {
  return Number(amounts.reduce<bigint>((all, amount) => all + BigInt(amount), 0n));
}

function sorted(samples: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...samples].sort(([a], [b]) => (a < b ? -1 : 1)));
}
