import { expect, test } from 'vitest';
import { fakeEndpoint, time } from '../../../test/fake-endpoint.js';
import { nodeAddress, type TestParts, testParts } from '../../../test/parts.js';
import { minute, type Scene, start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { type NodeReading, watchedNodes } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import type { LedgerRow } from '../../ledger/ledger-row.js';
import type { Rule } from '../rule.js';
import { leasesLost } from './leases-lost.js';
import { nodeInactive } from './node-inactive.js';
import {
  nodeAddressChanged,
  nodePriceChanged,
  nodePriceRefused,
  nodeStatusFlapping,
  nodeUnregistered,
} from './node-record-rules.js';

const target = { key: nodeAddress, title: 'five', alias: 'five' };
const queryNode = 'hub.node.v3.QueryService/QueryNode';
const queryParams = 'hub.node.v3.QueryService/QueryParams';

const price = (quoteValue: string, denom = 'udvpn', baseValue = '0.000000000000000000') => ({
  denom,
  baseValue,
  quoteValue,
});
const node = (facts: object = {}) => ({
  address: nodeAddress,
  gigabytePrices: [price('700')],
  hourlyPrices: [price('8')],
  remoteAddrs: ['node.example:8585'],
  status: 1,
  statusAt: time(start),
  inactiveAt: time(start + 60 * minute),
  ...facts,
});

/** A node that is read in consecutive polls, one block a minute; returns the verdict of the rule. */
const worldOf = (params: object = { minHourlyPrices: [], minGigabytePrices: [] }) => {
  const fake = fakeEndpoint();
  fake.queries[queryParams] = { params };
  const parts: TestParts = testParts({ own: fake });
  let nowMs = start;
  return {
    parts,
    poll: async (facts: object = {}, passMs = minute): Promise<NodeReading> => {
      fake.queries[queryNode] = { node: node(facts) };
      fake.height += 1n;
      nowMs += passMs;
      const moment = { head: { height: fake.height, timeMs: nowMs }, clockMs: nowMs };
      return watchedNodes.collect(target, { ...parts, moment });
    },
  };
};

const judge = (rule: Rule, reading: unknown, scene: Scene = {}): Verdict =>
  verdictsOf(
    rule,
    viewOf({ nowMs: start, ...scene, readings: [[watchedNodes, nodeAddress, reading], ...(scene.readings ?? [])] }),
  )[0] as Verdict;

test('price changed: old and new are reported once, for 15 minutes, and counted', async () => {
  const { poll } = worldOf({ minHourlyPrices: [price('1')], minGigabytePrices: [price('1')] });
  expect(judge(nodePriceChanged, await poll()).state).toBe('ok');
  const changed = await poll({ hourlyPrices: [price('9'), price('5', 'uother', '0.250000000000000000')] });
  const verdict = judge(nodePriceChanged, changed);
  expect(verdict).toMatchObject({ state: 'firing', title: 'five: its price changed', passedOn: true });
  expect(verdict.text).toContain('- hour udvpn: 8 -> 9\n- hour uother: none -> 5 (base 0.250000000000000000)');
  expect(verdict.text).toContain('at height 102, 2027-01-15 08:02:00 UTC');
  const same = await poll({ hourlyPrices: [price('9'), price('5', 'uother', '0.250000000000000000')] });
  expect(judge(nodePriceChanged, same)).toMatchObject({ state: 'firing', term: verdict.term });
  const later = await poll({ hourlyPrices: [price('9'), price('5', 'uother', '0.250000000000000000')] }, 15 * minute);
  expect(judge(nodePriceChanged, later)).toMatchObject({ state: 'ok', passedOn: true });
  const samples = watchedNodes.metrics(target, later).filter(({ family }) => family.name.endsWith('_changes_total'));
  expect(samples.map(({ family, value }) => [family.name, value])).toEqual([
    ['hub_node_price_changes_total', 2],
    ['hub_node_address_changes_total', 0],
  ]);
});

test('price changed: an empty list of minimums is reported to refuse every update', async () => {
  const { poll } = worldOf();
  await poll();
  const { text } = judge(nodePriceChanged, await poll({ hourlyPrices: [price('9')] }));
  expect(text).toContain(
    'no minimum prices by the hour or the gigabyte, and that allows no denomination: every update or registration that names such a price is refused',
  );
});

test('address changed: old and new are reported', async () => {
  const { poll } = worldOf();
  await poll();
  const { state, text } = judge(nodeAddressChanged, await poll({ remoteAddrs: ['[2001:db8::1]:8585', 'b.example:1'] }));
  expect(state).toBe('firing');
  expect(text).toContain('- addresses: node.example:8585 -> [2001:db8::1]:8585, b.example:1');
});

test('unregistered: fires only if the chain reports it, not on a failed poll', async () => {
  expect(judge(nodeUnregistered, new Error('down')).state).toBe('unknown');
  expect(judge(nodeUnregistered, await worldOf().poll()).state).toBe('ok');
  expect(judge(nodeUnregistered, { node: undefined })).toMatchObject({
    state: 'firing',
    title: 'five: the chain has no such node',
  });
});

test.each<[string, object, string | undefined]>([
  ['at its minimum', { minHourlyPrices: [price('8')], minGigabytePrices: [price('700')] }, undefined],
  [
    'below it',
    { minHourlyPrices: [price('9')], minGigabytePrices: [price('700')] },
    '- 8 udvpn a hour: the minimum is 9 udvpn',
  ],
  [
    'in a denomination without one',
    { minHourlyPrices: [price('1', 'uother')], minGigabytePrices: [price('1')] },
    '- 8 udvpn a hour: the chain allows no price in udvpn',
  ],
  [
    'with no minimum at all, which the chain is told of and not each node',
    { minHourlyPrices: [], minGigabytePrices: [] },
    undefined,
  ],
])('price refused: %s', async (_case, params, line) => {
  const reading = await worldOf(params).poll();
  const verdict = judge(nodePriceRefused, reading);
  expect(verdict.state).toBe(line === undefined ? 'ok' : 'firing');
  if (line !== undefined) expect(verdict.text).toContain(line);
  const refused = watchedNodes
    .metrics(target, reading)
    .filter(({ family }) => family.name === 'hub_node_price_refused')
    .map(({ labels, value }) => [labels[1], value]);
  const isEmpty = (params as { minHourlyPrices: unknown[] }).minHourlyPrices.length === 0;
  expect(refused).toEqual([
    ['hour', line === undefined && !isEmpty ? 0 : 1],
    ['gigabyte', isEmpty ? 1 : 0],
  ]);
});

test('price refused: a node is reported without the parameters, and they are requested once a minute', async () => {
  const { poll, parts } = worldOf();
  const fake = fakeEndpoint();
  expect((await poll()).minimums).toEqual({ hour: [], gigabyte: [] });
  let asked = 0;
  fake.queries[queryNode] = { node: node() };
  fake.queries[queryParams] = () => {
    asked += 1;
    return new Error('late');
  };
  const others = testParts({ own: fake });
  for (let round = 0; round < 9; round += 1) {
    const reading = await watchedNodes.collect(target, others);
    expect(reading).toMatchObject({ minimums: undefined, node: { address: nodeAddress } });
    others.clock.advance(minute / 3);
  }
  expect(asked).toBe(3);
  expect(judge(nodePriceRefused, await watchedNodes.collect(target, others)).state).toBe('unknown');
  expect(parts.changes.count('node price', nodeAddress)).toBe(0);
});

test('flapping: more than four changes of status within six hours', async () => {
  const { poll } = worldOf();
  const inactive = { status: 3, inactiveAt: undefined };
  let reading = await poll();
  for (const facts of [inactive, {}, inactive, {}]) reading = await poll(facts, 10 * minute);
  expect(judge(nodeStatusFlapping, reading).state).toBe('ok');
  reading = await poll(inactive, 10 * minute);
  const verdict = judge(nodeStatusFlapping, reading);
  expect(verdict).toMatchObject({ state: 'firing', title: 'five: its status changed 5 times within 40 min' });
  expect(verdict.text).toContain('2027-01-15 08:51:00 UTC: active -> inactive');
  expect(judge(nodeStatusFlapping, await poll(inactive, 330 * minute)).state).toBe('ok');
});

const lease = (record: string, provider: string): LedgerRow =>
  ({ kind: 'lease_ended', record, provider, node: nodeAddress, blockMs: start }) as LedgerRow;

test('flap: an active node resolves its alert, and lost leases stay lost until leased again', () => {
  const lost = [lease('4', 'sentprov1a'), lease('5', 'sentprov1b')];
  const active = { node: node(), height: 1n, intervalMs: 1, intervalLearned: false };
  const at = (rule: Rule, reading: unknown, providers: readonly string[], ended = lost) =>
    judge(rule, reading, {
      lost: ended,
      readings: [[nodeLeases, nodeAddress, { leases: providers.map((provAddress) => ({ provAddress })) }]],
    });
  expect(judge(leasesLost, active, { lost, readings: [] }).state).toBe('unknown');
  const recovered = at(nodeInactive, active, []);
  expect(recovered.state).toBe('ok');
  expect(recovered.text).toContain(
    'stay lost until their providers lease it again:\n- lease 4 of sentprov1a, ended 2027-01-15 08:00:00 UTC\n- lease 5',
  );
  expect(at(leasesLost, active, [])).toMatchObject({
    state: 'firing',
    title: 'five: 2 leases that ended when it went inactive are not back',
  });
  const one = at(leasesLost, active, ['sentprov1a']);
  expect(one).toMatchObject({ state: 'firing', title: 'five: 1 lease that ended when it went inactive is not back' });
  expect(one.text).not.toContain('plan');
  expect(one.text).not.toContain('lease 4');
  expect(at(leasesLost, active, ['sentprov1a', 'sentprov1b']).state).toBe('ok');
  expect(at(leasesLost, { ...active, node: node({ status: 3 }) }, []).state).toBe('unknown');
  expect(at(leasesLost, active, [], [])).toMatchObject({ state: 'ok', isEnded: true });
});
