import { expect, test } from 'vitest';
import { nodeSession, subscriptionSession, time } from '../../../test/fake-endpoint.js';
import { nodeAddress } from '../../../test/parts.js';
import { minute, start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { nodeSessions, type SessionsReading } from '../../checks/node/node-sessions.js';
import { createSessionFold } from '../../checks/node/session-fold.js';
import { watchedNodes } from '../../checks/node/watched-nodes.js';
import type { Verdict } from '../../checks/verdict.js';
import type { Rule } from '../rule.js';
import { heartbeatLate } from './heartbeat-late.js';
import { noSessions } from './no-sessions.js';
import { sessionsOverdue } from './sessions-overdue.js';
import { sessionsStale } from './sessions-stale.js';

const timeoutMs = 120 * minute;

/** Creates a reading of sessions in the form of the check. */
const readingOf = (
  sessions: readonly unknown[],
  nowMs: number | undefined,
  more: { readonly lapsed?: number; readonly silent?: number; readonly usual?: number } = {},
): SessionsReading => {
  const fold = createSessionFold({ timeoutMs, stakingShare: '0.2', staleShare: 0.98, nowMs });
  fold.take(sessions as Parameters<typeof fold.take>[0]);
  const news = { ended: 0, endedIds: [], lapsed: more.lapsed ?? 0, silent: more.silent ?? more.lapsed ?? 0 };
  return { facts: fold.facts(), news, usual: more.usual, timeoutMs, height: 1n };
};

/** A session that started at `start` and was updated a given number of minutes later. */
const updatedAt = (id: bigint, minutes: number) =>
  nodeSession(id, { startAt: time(start), inactiveAt: time(start + (minutes + 120) * minute) });

const judge = (rule: Rule, reading: unknown, nowMs = start): Verdict => {
  const [verdict, ...others] = verdictsOf(rule, viewOf({ readings: [[nodeSessions, nodeAddress, reading]], nowMs }));
  expect(others).toEqual([]);
  return verdict as Verdict;
};

test.each<[string, readonly unknown[], number, Verdict['state']]>([
  ['one idle session beside two that report', [updatedAt(1n, 0), updatedAt(2n, 60), updatedAt(3n, 119)], 0, 'ok'],
  ['three idle or lapsed beside one that reports', [updatedAt(1n, 0), updatedAt(2n, 1), updatedAt(3n, 119)], 1, 'ok'],
  ['one that lapsed and ends beside one that reports', [updatedAt(2n, 60)], 1, 'ok'],
  ['the only session of a node is idle', [updatedAt(1n, 0)], 0, 'ok'],
  ['the only session of a node lapsed', [], 1, 'ok'],
  ['all sessions are silent', [updatedAt(1n, 0), updatedAt(2n, 1)], 0, 'firing'],
  [
    'all are silent but one that was not updated since it started',
    [
      updatedAt(1n, 0),
      updatedAt(2n, 1),
      nodeSession(3n, { startAt: time(start + 100 * minute), inactiveAt: time(start + 220 * minute) }),
    ],
    0,
    'firing',
  ],
  ['all sessions lapsed one by one', [], 2, 'firing'],
  ['none at all', [], 0, 'ok'],
])('sessions stale: %s', (_case, sessions, lapsed, state) => {
  const nowMs = start + 119 * minute;
  expect(judge(sessionsStale, readingOf(sessions, nowMs, { lapsed }), nowMs).state).toBe(state);
});

test.each<[string, readonly unknown[], { lapsed: number; silent: number }, Verdict['state']]>([
  ['silent after another that lapsed unheard of', [updatedAt(1n, 0)], { lapsed: 0, silent: 1 }, 'firing'],
  ['lapsed after another that did, which is gone', [], { lapsed: 1, silent: 2 }, 'firing'],
  ['lapsed while another was updated', [updatedAt(2n, 1)], { lapsed: 1, silent: 0 }, 'ok'],
  ['reporting after some that lapsed', [updatedAt(3n, 119)], { lapsed: 1, silent: 2 }, 'ok'],
  ['gone, with nothing since', [], { lapsed: 0, silent: 2 }, 'ok'],
])('sessions stale: the only session of a node is %s', (_case, sessions, more, state) => {
  const nowMs = start + 119 * minute;
  expect(judge(sessionsStale, readingOf(sessions, nowMs, more), nowMs).state).toBe(state);
});

test('sessions stale: single sessions in sequence: the notice states the sessions that ended before', () => {
  const nowMs = start + 119 * minute;
  const { text } = judge(sessionsStale, readingOf([updatedAt(9n, 0)], nowMs, { lapsed: 0, silent: 2 }), nowMs);
  expect(text).toContain(
    '3 sessions had no usage update for 1 h 57 min or longer: 1 still active, 0 ending for want of one, 2 ended so before.',
  );
});

test('sessions stale: the notice states their number, start time and settlement', () => {
  const nowMs = start + 119 * minute;
  const used = { downloadBytes: '500000000' };
  const sessions = [1n, 2n].map((id) =>
    nodeSession(id, { ...used, startAt: time(start), inactiveAt: time(start + timeoutMs) }),
  );
  const { title, text } = judge(sessionsStale, readingOf(sessions, nowMs, { lapsed: 3 }), nowMs);
  expect(title).toBe('five: no session reports usage any more');
  expect(text).toContain('5 sessions had no usage update for 1 h 57 min or longer: 2 still active, 3 ending');
  expect(text).toContain('settle for 8 udvpn to the node, 2 udvpn to stakers and 10 udvpn back to their accounts');
});

test('sessions stale, overdue, none: unknown if sessions were not read or chain time is not known', () => {
  for (const rule of [sessionsStale, sessionsOverdue]) {
    expect(judge(rule, readingOf([updatedAt(1n, 0)], undefined)).state).toBe('unknown');
    expect(judge(rule, new Error('down'))).toMatchObject({ state: 'unknown', text: 'down' });
  }
  expect(judge(noSessions, new Error('down')).state).toBe('unknown');
});

test('sessions overdue: a deadline passed in chain time, with ten minutes for the settlement', () => {
  expect(sessionsOverdue.forMs).toBe(10 * minute);
  const sessions = [updatedAt(1n, 0), updatedAt(2n, 60)];
  const at = (minutes: number) => judge(sessionsOverdue, readingOf(sessions, start + minutes * minute));
  expect(at(119).state).toBe('ok');
  expect(at(120)).toMatchObject({ state: 'firing', title: 'five: 1 session past the deadline and still there' });
});

test.each<[string, readonly unknown[], number | undefined, Verdict['state']]>([
  ['none, usually four', [], 4, 'firing'],
  ['none, usually one', [], 1, 'ok'],
  ['none, too little known', [], undefined, 'ok'],
  ['one, usually four', [updatedAt(1n, 60)], 4, 'ok'],
  ['one that ends, usually four', [nodeSession(1n, { status: 2 })], 4, 'firing'],
])('no sessions: %s', (_case, sessions, usual, state) => {
  const reading = readingOf(sessions, start, usual === undefined ? {} : { usual });
  expect(judge(noSessions, reading).state).toBe(state);
});

test('heartbeat late: the notice states the amounts at stake in the sessions of the node', () => {
  const nowMs = start + 57 * minute;
  const node = { status: 1, statusAt: time(start), inactiveAt: time(start + 60 * minute) };
  const textWith = (sessions: unknown): string | undefined =>
    verdictsOf(
      heartbeatLate,
      viewOf({
        nowMs,
        readings: [
          [watchedNodes, nodeAddress, { node, height: 1n, intervalMs: 55 * minute, intervalLearned: false }],
          [nodeLeases, nodeAddress, { leases: [] }],
          [nodeSessions, nodeAddress, sessions],
        ],
      }),
    )[0]?.text;
  const paid = nodeSession(1n, { downloadBytes: '300000000' });
  const ending = nodeSession(2n, { status: 2 });
  expect(textWith(readingOf([paid, ending, subscriptionSession(3n, 1n)], nowMs))).toContain(
    '2 active sessions would end with it. Of deposits paid in for them 7 udvpn is not used yet and would go back.',
  );
  expect(textWith(readingOf([ending], nowMs))).toContain('No active session is at stake.');
  expect(textWith(new Error('down'))).toContain('Its sessions are not known at the moment.');
});
