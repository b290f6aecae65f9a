import { expect, test } from 'vitest';
import {
  type FakeEndpoint,
  fakeEndpoint,
  nodeSession,
  page,
  sessionParams,
  subscriptionSession,
  time,
} from '../../../test/fake-endpoint.js';
import { nodeAddress, type TestParts, testParts } from '../../../test/parts.js';
import { nodeSessions } from './node-sessions.js';

const minute = 60_000;
const list = 'hub.session.v3.QueryService/QuerySessionsForNode';
const target = { key: nodeAddress, title: 'five', alias: 'five' };

const fakeWith = (...sessions: readonly unknown[]): FakeEndpoint => {
  const fake = fakeEndpoint();
  fake.queries['hub.session.v3.QueryService/QueryParams'] = { params: sessionParams };
  fake.queries[list] = page('sessions', sessions);
  return fake;
};

const read = async (parts: TestParts, nowMs?: number) => {
  const moment = { head: nowMs === undefined ? undefined : { height: 100n, timeMs: nowMs }, clockMs: 0 };
  const reading = await nodeSessions.collect(target, { ...parts, moment });
  const samples = new Map(
    nodeSessions
      .metrics(target, reading)
      .map(({ family, labels, value }) => [[family.name, ...labels.slice(1)].join(' '), value] as const),
  );
  return { reading, facts: reading.facts, samples };
};

test('node sessions: both kinds are counted by status, an unknown kind under its own', async () => {
  const fake = fakeWith(
    nodeSession(1n),
    subscriptionSession(2n, 1n),
    nodeSession(3n, { status: 2 }),
    { typeUrl: '/hub.later.v9.Session', raw: new Uint8Array() },
    { typeUrl: '/hub.node.v3.Session', value: { baseSession: { status: 77 } } },
  );
  const { samples } = await read(testParts({ own: fake }));
  expect(samples.get('hub_node_sessions active')).toBe(2);
  expect(samples.get('hub_node_sessions inactive_pending')).toBe(1);
  expect(samples.get('hub_node_sessions unknown')).toBe(1);
  expect(samples.get('hub_node_sessions 77')).toBe(1);
});

test('node sessions: stale and overdue depend on the chain time of the head, and are absent without it', async () => {
  const at = (updateMs: number) => ({ inactiveAt: time(updateMs + 120 * minute) });
  const fake = fakeWith(
    nodeSession(1n, at(0)),
    nodeSession(2n, at(2 * minute)),
    nodeSession(3n, at(3 * minute)),
    nodeSession(4n, { status: 2, statusAt: time(0), inactiveAt: time(120 * minute) }),
  );
  const parts = testParts({ own: fake });
  // 0.98 of 120 min are 117 min 36 s.
  expect((await read(parts, 119 * minute)).facts).toMatchObject({ stale: 1, overdue: 0, reporting: 2 });
  expect((await read(parts, 120 * minute - 1)).facts).toMatchObject({ stale: 2, overdue: 0 });
  expect((await read(parts, 120 * minute)).facts).toMatchObject({ stale: 2, overdue: 2 });
  const { samples, facts } = await read(parts);
  expect(facts).toMatchObject({ stale: undefined, overdue: undefined, oldestUpdateMs: 0 });
  expect(samples.has('hub_node_sessions_stale')).toBe(false);
  expect(samples.has('hub_node_sessions_overdue')).toBe(false);
  expect(samples.get('hub_node_session_oldest_update_timestamp_seconds')).toBe(0);
  expect(samples.get('hub_node_session_next_settlement_timestamp_seconds')).toBe(7_200);
});

test('node sessions: expected settlement by denomination with the rounding of the chain, usage above a limit capped', async () => {
  const gigabyte = 1_000_000_000;
  const fake = fakeWith(
    // 10udvpn per gigabyte: 0.35 GB cost 3.5, rounded up to 4. A fifth of it, rounded up to 1, goes to stakers.
    nodeSession(1n, { downloadBytes: String(gigabyte / 4), uploadBytes: String(gigabyte / 10) }),
    // Above its limit: the deposit pays for it, and nothing remains that could be lost.
    nodeSession(2n, { downloadBytes: String(3 * gigabyte) }),
    // By hours, ending: half of two hours at 7uother.
    nodeSession(
      3n,
      { status: 2, maxBytes: '0', maxDuration: { seconds: 7_200n, nanos: 0 }, duration: { seconds: 3_600n, nanos: 0 } },
      { denom: 'uother', quoteValue: '7' },
    ),
    nodeSession(4n, {}, { quoteValue: 'none' }),
  );
  const { facts, samples } = await read(testParts({ own: fake }), minute);
  expect([...facts.expected]).toEqual([
    ['udvpn', { payment: 14n, toNode: 11n, toStakers: 3n, refund: 6n, atStake: 6n }],
    ['uother', { payment: 7n, toNode: 5n, toStakers: 2n, refund: 7n, atStake: 0n }],
  ]);
  expect(samples.get('hub_node_session_expected_amount udvpn node')).toBe(11);
  expect(samples.get('hub_node_session_at_stake_amount udvpn')).toBe(6);
  expect(facts.byBytes).toEqual({ near: 0, over: 1 });
  expect(samples.get('hub_node_session_live_bytes download')).toBe(3.25 * gigabyte);
});

test('node sessions: near and over the limits; limit 0 means unlimited for a node session and used up for a subscription', async () => {
  const hours = (seconds: bigint) => ({ seconds, nanos: 0 });
  const fake = fakeWith(
    nodeSession(1n, { downloadBytes: '899999999' }),
    nodeSession(2n, { downloadBytes: '900000000' }),
    nodeSession(3n, { downloadBytes: '999999999' }),
    nodeSession(4n, { downloadBytes: '1000000000' }),
    nodeSession(5n, { maxBytes: '0', maxDuration: hours(3_600n), duration: hours(3_300n) }),
    subscriptionSession(6n, 1n, { maxBytes: '-5', downloadBytes: '7', maxDuration: hours(600n) }),
    subscriptionSession(7n, 1n, { maxBytes: '5', downloadBytes: '10', maxDuration: hours(100_000n) }),
  );
  const { facts } = await read(testParts({ own: fake }), 9 * minute);
  expect(facts.byBytes).toEqual({ near: 2, over: 3 });
  // The end of the subscription limits the time of its sessions: 9 of its 10 minutes are over.
  expect(facts.byDuration).toEqual({ near: 2, over: 0 });
  expect(facts.allocations).toEqual({ count: 1, usedUp: 1, remaining: 0n });
});

test('node sessions: the remaining allocation is counted once, even if several sessions share it', async () => {
  const fake = fakeWith(
    subscriptionSession(1n, 1n, { downloadBytes: '40', maxBytes: '100' }),
    subscriptionSession(2n, 1n, { downloadBytes: '10', maxBytes: '70' }),
    subscriptionSession(3n, 1n, { accAddress: 'sent1b', downloadBytes: '10', maxBytes: '10' }),
    subscriptionSession(4n, 2n, { maxBytes: '7' }),
    subscriptionSession(5n, 3n, { status: 2, maxBytes: '9' }),
  );
  const { samples } = await read(testParts({ own: fake }), minute);
  expect(samples.get('hub_node_allocations open')).toBe(2);
  expect(samples.get('hub_node_allocations used_up')).toBe(1);
  expect(samples.get('hub_node_allocation_remaining_bytes')).toBe(67);
});

test('node sessions: a round over many nodes reads the module parameters once in ten minutes', async () => {
  const fake = fakeWith(nodeSession(1n));
  let asked = 0;
  fake.queries['hub.session.v3.QueryService/QueryParams'] = () => {
    asked += 1;
    return { params: sessionParams };
  };
  const parts = testParts({ own: fake });
  for (let round = 0; round < 10; round += 1) {
    await read(parts, minute);
    parts.clock.advance(minute);
  }
  expect(asked).toBe(1);
  await read(parts, minute);
  expect(asked).toBe(2);
});

test('node sessions: a session that is no longer found has ended, is not a failure, and is reported by id', async () => {
  const fake = fakeWith(nodeSession(1n), nodeSession(2n), nodeSession(9n));
  const parts = testParts({ own: fake });
  expect((await read(parts, minute)).reading.news).toEqual({ ended: 0, endedIds: [], lapsed: 0, silent: 0 });
  fake.queries[list] = page('sessions', [nodeSession(2n), nodeSession(10n)]);
  fake.height += 1n;
  expect((await read(parts, minute)).reading.news).toEqual({ ended: 2, endedIds: [1n, 9n], lapsed: 0, silent: 0 });
  fake.queries[list] = page('sessions', []);
  fake.height += 1n;
  expect((await read(parts, minute)).reading.news).toEqual({ ended: 2, endedIds: [2n, 10n], lapsed: 0, silent: 0 });
});

test('node sessions: a session silent until its deadline has lapsed; one that ended earlier was cancelled', async () => {
  const updated = { inactiveAt: time(200 * minute), startAt: time(0) };
  const fake = fakeWith(nodeSession(1n, updated), nodeSession(2n, updated), nodeSession(3n));
  const parts = testParts({ own: fake });
  await read(parts, 119 * minute);
  const endsSince = (ms: number) => ({ status: 2, startAt: time(0), statusAt: time(ms) });
  fake.queries[list] = page('sessions', [
    nodeSession(1n, endsSince(200 * minute + 3_000)),
    nodeSession(2n, endsSince(199 * minute)),
    // Never updated: identified from its record alone.
    nodeSession(3n, endsSince(120 * minute + 5_000)),
    nodeSession(4n, endsSince(120 * minute)),
    nodeSession(5n, endsSince(119 * minute)),
  ]);
  fake.height += 1n;
  expect((await read(parts, 201 * minute)).reading.news.lapsed).toBe(3);
  // It stays lapsed while it ends.
  fake.height += 1n;
  expect((await read(parts, 230 * minute)).reading.news.lapsed).toBe(3);
});
