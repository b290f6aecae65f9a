import { expect, test } from 'vitest';
import { time } from '../../test/fake-endpoint.js';
import { nodeAddress, nodeAddressOf, testConfig } from '../../test/parts.js';
import { lapseOf, minute, type Scene, start, verdictsOf, viewOf } from '../../test/rule-view.js';
import type { Check, Target } from '../checks/check.js';
import { endpointStatus } from '../checks/endpoint/endpoint-status.js';
import { nodeLeases } from '../checks/node/node-leases.js';
import { watchedNodes } from '../checks/node/watched-nodes.js';
import type { Verdict } from '../checks/verdict.js';
import { allEndpointsDown } from './endpoint/all-endpoints-down.js';
import { chainHalted } from './chain/chain-halted.js';
import { endpointDown } from './endpoint/endpoint-down.js';
import { unknownRules } from './evaluate.js';
import { heartbeatLate, isLate } from './node/heartbeat-late.js';
import { rules } from './index.js';
import { nodeInactive } from './node/node-inactive.js';
import { nodesLapsed } from './node/nodes-lapsed.js';
import { ownNodeDown } from './endpoint/own-node-down.js';
import { rulesOfChecks } from './of-checks.js';

const active = (intervalMs = 55 * minute) => ({
  node: { status: 1, statusAt: time(start), inactiveAt: time(start + 60 * minute) },
  height: 400n,
  intervalMs,
  intervalLearned: intervalMs !== 55 * minute,
});
const inactive = {
  ...active(),
  timeoutMs: 60 * minute,
  node: { status: 3, statusAt: time(start + 60 * minute), inactiveAt: undefined },
};
const leases = {
  leases: [4n, 5n].map((id) => ({
    id,
    provAddress: 'sentprov1x',
    price: { denom: 'udvpn', quoteValue: '7777' },
    hours: 1n,
    maxHours: 6n,
  })),
};

const only = (verdicts: readonly Verdict[]): Verdict => {
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as Verdict;
};

test.each<[string, number, number, boolean]>([
  ['the usual 55 of 60 minutes, at 55:30', 55, 55.5, false],
  ['the usual 55 of 60 minutes, at 56:01: fewer than four minutes left, 30 s over', 55, 56.02, true],
  ['the usual 55 of 60 minutes, at 56:00 exactly four minutes are left', 55, 56, false],
  ['30 of 60 minutes: 40 % of the slack is used at 42:00', 30, 41.9, false],
  ['30 of 60 minutes, after 42:00', 30, 42.1, true],
  ['59 of 60 minutes: at once when 40 % of a minute is used', 59, 59.3, false],
  ['59 of 60 minutes, at 59:25', 59, 59.42, true],
])('heartbeat late: %s', (_case, interval, now, expected) => {
  const beat = { statusMs: start, deadlineMs: start + 60 * minute, intervalMs: interval * minute };
  expect(isLate(beat, start + now * minute)).toBe(expected);
});

test('heartbeat late: blocks of 6 s, polls of 15 s: the notice is sent by 57 minutes, not before 55:30, and names the leases', () => {
  const at = (nowMs: number) =>
    only(
      verdictsOf(
        heartbeatLate,
        viewOf({
          readings: [
            [watchedNodes, nodeAddress, active()],
            [nodeLeases, nodeAddress, leases],
          ],
          nowMs: start + Math.floor(nowMs / 6_000) * 6_000,
        }),
      ),
    );
  let out: number | undefined;
  for (let now = 50 * minute; now <= 60 * minute && out === undefined; now += 15_000) {
    const { state, text } = at(now);
    if (state !== 'firing') continue;
    out = now;
    expect(text).toContain('lease 4 of');
  }
  expect(out).toBeGreaterThan(55.5 * minute);
  expect(out).toBeLessThanOrEqual(57 * minute);
});

test('heartbeat late: a local clock that is 7 minutes off has no effect', () => {
  const readings = [
    [watchedNodes, nodeAddress, active()],
    [nodeLeases, nodeAddress, leases],
  ] as const;
  const states = [-7, 0, 7].map((offMinutes) =>
    [55, 57].map((at) => {
      const nowMs = start + at * minute;
      return only(verdictsOf(heartbeatLate, viewOf({ readings, nowMs, clockMs: nowMs + offMinutes * minute }))).state;
    }),
  );
  expect(states).toEqual(Array.from({ length: 3 }, () => ['ok', 'firing']));
});

test('heartbeat late: the notice names the deadline by its time, and the leases at stake with their payments', () => {
  const readings = [
    [watchedNodes, nodeAddress, active()],
    [nodeLeases, nodeAddress, leases],
  ] as const;
  const verdict = only(verdictsOf(heartbeatLate, viewOf({ readings, nowMs: start + 57 * minute })));
  expect(verdict).toMatchObject({
    state: 'firing',
    subject: nodeAddress,
    title: 'five: heartbeat late, deadline 2027-01-15 09:00:00 UTC',
  });
  expect(verdict.text).toContain(
    'Deadline: 2027-01-15 09:00:00 UTC. None had come by 2027-01-15 08:57:00 UTC (chain time)',
  );
  expect(verdict.text).toContain('2 leases, 15\u202f554 udvpn an hour in all');
  expect(verdict.text).toContain(
    'lease 4 of sentprov1x: 7\u202f777 udvpn an hour, 5 of 6 hours unpaid (38\u202f885 udvpn)',
  );
  expect(verdict.text).toContain('assumed to come every 55 min');
});

test.each<[string, Scene, Verdict['state']]>([
  ['not read', {}, 'unknown'],
  ['a failed poll', { readings: [[watchedNodes, nodeAddress, new Error('down')]], nowMs: start }, 'unknown'],
  ['the chain time unknown', { readings: [[watchedNodes, nodeAddress, active()]] }, 'unknown'],
  [
    'leases not asked yet',
    { readings: [[watchedNodes, nodeAddress, active()]], nowMs: start + 57 * minute },
    'unknown',
  ],
  ['in time', { readings: [[watchedNodes, nodeAddress, active()]], nowMs: start + 50 * minute }, 'ok'],
])('heartbeat late: %s', (_case, scene, state) => {
  expect(only(verdictsOf(heartbeatLate, viewOf(scene))).state).toBe(state);
});

test('heartbeat late: a node that became inactive is left to the other rule', () => {
  const readings = [[watchedNodes, nodeAddress, inactive]] as const;
  expect(only(verdictsOf(heartbeatLate, viewOf({ readings, nowMs: start })))).toMatchObject({
    state: 'ok',
    passedOn: true,
  });
});

test('node inactive: names the ended lease and its refund', () => {
  const readings = [[watchedNodes, nodeAddress, inactive]] as const;
  const ended = [{ leaseId: '4', provider: 'sentprov1x', refund: { amount: '38885', denom: 'udvpn' } }];
  const verdict = only(
    verdictsOf(nodeInactive, viewOf({ readings, nowMs: start, lapse: lapseOf(nodeAddress, { ended }) })),
  );
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'five: inactive since 2027-01-15 09:00:00 UTC, its heartbeat deadline passed',
  });
  expect(verdict.text).toContain(
    '1 lease ended in block 399:\n- lease 4 of sentprov1x: 38\u202f885 udvpn refunded to the provider',
  );
});

test('node inactive: a lapse at another time than the status is not reported with it', () => {
  const readings = [[watchedNodes, nodeAddress, inactive]] as const;
  const lapse = lapseOf(nodeAddress, { ended: [{ leaseId: '4', provider: 'sentprov1x', refund: undefined }] });
  const verdict = only(verdictsOf(nodeInactive, viewOf({ readings, nowMs: start, lapse, lapsedMs: start })));
  expect(verdict.text).toContain('What ended with it is not known');
  expect(verdict.text).not.toContain('lease 4');
});

test('node inactive: a second lapse is another term, even if the return between was not seen', () => {
  const again = { ...inactive, node: { ...inactive.node, statusAt: time(start + 90 * minute) } };
  const term = (reading: unknown) =>
    only(verdictsOf(nodeInactive, viewOf({ readings: [[watchedNodes, nodeAddress, reading]], nowMs: start }))).term;
  expect(term(again)).not.toBe(term(inactive));
});

test.each<[string, Scene, Verdict['state'], string]>([
  ['active', { readings: [[watchedNodes, nodeAddress, active()]] }, 'ok', 'active again'],
  [
    'events of its block not read yet',
    { readings: [[watchedNodes, nodeAddress, inactive]], ledgerPosition: 399n },
    'unknown',
    '',
  ],
  ['no consensus RPC', { readings: [[watchedNodes, nodeAddress, inactive]], isKept: false }, 'firing', 'inactive'],
  ['not registered', { readings: [[watchedNodes, nodeAddress, { ...inactive, node: undefined }]] }, 'unknown', ''],
  ['a failed poll', { readings: [[watchedNodes, nodeAddress, new Error('down')]] }, 'unknown', ''],
])('node inactive: %s', (_case, scene, state, title) => {
  const verdict = only(verdictsOf(nodeInactive, viewOf(scene)));
  expect(verdict.state).toBe(state);
  expect(verdict.title).toContain(title);
});

test.each<[string, Scene, Verdict['state']]>([
  ['a step to a new block 20 s ago', { nowMs: start, clockMs: start + 20_000 }, 'ok'],
  ['a step a minute ago', { nowMs: start, clockMs: start + minute }, 'unknown'],
  ['a step exactly three minutes ago', { nowMs: start, clockMs: start + 3 * minute }, 'unknown'],
  ['a step more than three minutes ago', { nowMs: start, clockMs: start + 3 * minute + 1 }, 'firing'],
  [
    'an old block that was looked at twice',
    { nowMs: start, clockMs: start + 9 * minute, newest: { sameFor: 2 } },
    'unknown',
  ],
  [
    'after a start, a fresh block and no step yet',
    { nowMs: start, clockMs: start + 1_000, newest: { hasMoved: false, stillMs: 0 } },
    'unknown',
  ],
  [
    'after a start, an old block that was looked at three times',
    { nowMs: start, clockMs: start + 9 * minute, newest: { hasMoved: false, stillMs: 30_000 } },
    'firing',
  ],
  [
    'after a step, a clock that went on by an hour',
    { nowMs: start, clockMs: start + 60 * minute, newest: { stillMs: 30_000 } },
    'unknown',
  ],
  [
    'a halted chain, a clock that went back by an hour',
    { nowMs: start, clockMs: start - 60 * minute, newest: { stillMs: 4 * minute } },
    'firing',
  ],
  ['no endpoint answers', { nowMs: undefined }, 'unknown'],
])('chain halted: %s', (_case, scene, state) => {
  expect(only(verdictsOf(chainHalted, viewOf(scene))).state).toBe(state);
});

const readingOf = (grpc: string, rest: string, rpc: string) => ({
  grpc: { state: grpc, reason: 'refused', text: 'grpc is off' },
  rest: { state: rest, reason: 'timeout', text: 'no answer in 5 s' },
  rpc: { state: rpc, reason: 'refused', text: 'rpc is off' },
  websocket: { state: 'known', value: true },
});

test('endpoint down: one verdict per endpoint, with every transport and its reason; reference endpoints raise none', () => {
  const config = testConfig(['own', 'ref', 'old'], '', { own: 'own', old: 'archive' });
  const at = (own: unknown) =>
    verdictsOf(
      endpointDown,
      viewOf({
        config,
        readings: [
          [endpointStatus, 'own', own],
          [endpointStatus, 'ref', readingOf('no_answer', 'no_answer', 'no_answer')],
          [endpointStatus, 'old', readingOf('known', 'known', 'known')],
        ],
      }),
    );
  expect(at(readingOf('known', 'no_answer', 'no_answer')).map(({ subject, state }) => [subject, state])).toEqual([
    ['own', 'firing'],
    ['old', 'ok'],
  ]);
  const [down] = at(readingOf('known', 'no_answer', 'no_answer'));
  expect(down?.title).toBe('own: no answer over REST, RPC');
  expect(down?.text).toContain('- gRPC: answers\n- REST: no answer in time\n- RPC: the connection is refused or fails');
  expect(at(readingOf('no_answer', 'no_answer', 'no_answer'))[0]).toMatchObject({
    title: 'own: does not answer',
  });
  expect(verdictsOf(endpointDown, viewOf({ config })).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
});

test('own node down, all endpoints down: fire when nothing responds, and the wider alert is the cause', () => {
  const config = testConfig(['own', 'ref'], '', { own: 'own' });
  const dead = readingOf('no_answer', 'no_answer', 'no_answer');
  const at = (own: unknown, ref: unknown) => {
    const view = viewOf({
      config,
      readings: [
        ...(own === undefined ? [] : [[endpointStatus, 'own', own] as const]),
        ...(ref === undefined ? [] : [[endpointStatus, 'ref', ref] as const]),
      ],
    });
    return [only(verdictsOf(ownNodeDown, view)), only(verdictsOf(allEndpointsDown, view))];
  };
  const states = (own: unknown, ref: unknown) => at(own, ref).map(({ state }) => state);
  expect(states(dead, readingOf('known', 'no_answer', 'no_answer'))).toEqual(['firing', 'ok']);
  expect(states(readingOf('no_answer', 'known', 'no_answer'), dead)).toEqual(['ok', 'ok']);
  expect(states(dead, dead)).toEqual(['firing', 'firing']);
  expect(states(dead, undefined)).toEqual(['firing', 'unknown']);
  expect(states(undefined, undefined)).toEqual(['unknown', 'unknown']);
  const [, all] = at(dead, dead);
  expect(ownNodeDown.inhibitedBy).toContainEqual({ rule: allEndpointsDown.name, equal: 'chain' });
  expect(all?.title).toBe('hub-test: no endpoint works (2 endpoints tried)');
});

const manyNodes = (count: number) => {
  const addresses = Array.from({ length: count }, (_, index) => nodeAddressOf(index));
  return { addresses, config: testConfig(['own'], '', {}, addresses) };
};

test('nodes lapsed: 900 nodes that expire in one block after a halt are one incident with count and cause', () => {
  const { addresses, config } = manyNodes(900);
  const beat = start - 90 * minute;
  const readings = addresses.map((address) => [
    watchedNodes,
    address,
    { ...inactive, node: { ...inactive.node, address, statusAt: time(start) }, lastBeatMs: beat },
  ]) as Scene['readings'] & object;
  const view = viewOf({ config, readings, nowMs: start + minute, isKept: false });
  const verdict = only(verdictsOf(nodesLapsed, view));
  expect(verdict).toMatchObject({ state: 'firing', subject: 'hub-test', term: '2027-01-15 08:00:00 UTC' });
  expect(verdict.title).toBe('hub-test: 900 nodes went inactive in one block at 2027-01-15 08:00:00 UTC');
  expect(verdict.text).toContain('The chain stood still: this block came 30 min after the first of their deadlines');
  expect(verdict.text.match(/^- sentnode1/gm)).toHaveLength(900);
  const single = verdictsOf(nodeInactive, view);
  expect(single).toHaveLength(900);
  const cause = { rule: nodesLapsed.name, subject: 'hub-test' };
  expect(single.every((one) => one.state === 'firing' && one.cause?.subject === cause.subject)).toBe(true);
});

test('nodes lapsed: two in one block are reported individually; a node of another block is not in the group', () => {
  const { addresses, config } = manyNodes(4);
  const lapsed = (address: string, atMs: number) =>
    [watchedNodes, address, { ...inactive, node: { ...inactive.node, address, statusAt: time(atMs) } }] as const;
  const times = [start, start, start, start + minute];
  const three = addresses.map((address, index) => lapsed(address, times[index] ?? 0));
  const view = viewOf({ config, readings: three, isKept: false });
  expect(only(verdictsOf(nodesLapsed, view)).text).toContain('what their status transactions have in common');
  expect(verdictsOf(nodeInactive, view).map(({ cause }) => cause !== undefined)).toEqual([true, true, true, false]);
  const [back = '', ...others] = addresses;
  const two = [[watchedNodes, back, active()] as const, ...three.slice(1)];
  expect(only(verdictsOf(nodesLapsed, viewOf({ config, readings: two }))).state).toBe('ok');
  expect(only(verdictsOf(nodesLapsed, viewOf({ config, readings: two.slice(1) }))).state).toBe('unknown');
  expect(verdictsOf(nodeInactive, viewOf({ config, readings: two, isKept: false })).some(({ cause }) => cause)).toBe(
    false,
  );
  expect(others).toHaveLength(3);
});

test('rules of checks: called only with a reading, unknown without', () => {
  const check: Check<Target, number> = {
    name: 'toy',
    families: [],
    everyMs: () => 1,
    targets: () => [{ key: 'a' }, { key: 'b' }],
    collect: () => Promise.resolve(1),
    metrics: () => [],
    rules: [
      {
        name: 'Toy',
        severity: 'info',
        forMs: 0,
        time: 'clock',
        judge: ({ key }, reading) => ({
          subject: key,
          term: '',
          state: reading > 1 ? 'firing' : 'ok',
          title: '',
          text: '',
        }),
      },
    ],
  };
  const [rule] = rulesOfChecks([check]);
  const verdicts = rule && verdictsOf(rule, viewOf({ readings: [[check, 'a', 2]] }));
  expect(verdicts?.map(({ subject, state }) => [subject, state])).toEqual([
    ['a', 'firing'],
    ['b', 'unknown'],
  ]);
});

test('rules: names are unique, and an unknown name in the configuration is refused', () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  const written = { alerts: { rules: { HubNodeInactiv: { for: '1m' }, HubEndpointDown: { for: '1m' } } } };
  expect(unknownRules(rules)(written)).toEqual([
    {
      path: ['alerts', 'rules', 'HubNodeInactiv'],
      message: `unknown rule \`HubNodeInactiv\`; did you mean \`HubNodeInactive\`? Allowed: ${rules.map(({ name }) => name).join(', ')}`,
    },
  ]);
});
