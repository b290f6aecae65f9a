import { expect, test } from 'vitest';
import { time } from '../../../test/fake-endpoint.js';
import { nodeAddress } from '../../../test/parts.js';
import { lapseOf, minute, type Scene, start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { watchedNodes } from '../../checks/node/watched-nodes.js';
import type { StatusEvent } from '../../ledger/ledger.js';
import { heartbeatLate } from './heartbeat-late.js';
import { nodeInactive } from './node-inactive.js';

const timeoutMs = 4 * minute;
/** Read at height 400, with a heartbeat at `start`. */
const reading = {
  node: { status: 1, statusAt: time(start), inactiveAt: time(start + timeoutMs) },
  height: 400n,
  timeoutMs,
  intervalMs: (timeoutMs * 11) / 12,
  intervalLearned: false,
};

const scene = (nowMs: number, event: StatusEvent | undefined, more: Scene = {}) =>
  viewOf({
    readings: [
      [watchedNodes, nodeAddress, reading],
      [nodeLeases, nodeAddress, { leases: [] }],
    ],
    nowMs,
    ...more,
    ledger: { newestStatus: () => event, followed: () => ({ from: 300n, to: 500n }), ...more.ledger },
  });

const late = (nowMs: number, event?: StatusEvent) => verdictsOf(heartbeatLate, scene(nowMs, event))[0]?.state;

test('heartbeat late: timeout of 240 s: shares of the timeout decide, by block time and not by poll time', () => {
  // The usual time is 220 s after the last heartbeat. 40 % of the remaining 20 s are used at 228 s, and one fifteenth of the
  // timeout is left at 224 s.
  const states = [219, 222, 224, 225, 228].map((seconds) => late(start + seconds * 1_000));
  expect(states).toEqual(['ok', 'ok', 'ok', 'firing', 'firing']);
});

test('heartbeat late: a heartbeat reported by events counts before the node is read again', () => {
  const event = { isActive: true, height: 410n, blockMs: start + 230_000 };
  expect(late(start + 235_000, event)).toBe('ok');
  expect(late(start + 230_000 + 225_000, event)).toBe('firing');
  expect(late(start + 235_000, { ...event, height: 400n })).toBe('firing');
});

test('node inactive: an event newer than the reading changes the status at once', () => {
  expect(nodeInactive.forMs).toBe(0);
  const event = { isActive: false, height: 410n, blockMs: start + timeoutMs };
  const at = (cause: 'deadline' | 'message' | undefined) => {
    const lapse = lapseOf(nodeAddress, { cause });
    const view = scene(start + timeoutMs, event, { lapse, lapsedMs: start + timeoutMs });
    return verdictsOf(nodeInactive, view)[0];
  };
  expect(at('deadline')).toMatchObject({
    state: 'firing',
    title: 'five: inactive since 2027-01-15 08:04:00 UTC, its heartbeat deadline passed',
  });
  expect(at('message')).toMatchObject({
    state: 'firing',
    title: 'five: inactive since 2027-01-15 08:04:00 UTC, by a status message of its own',
  });
  expect(at('message')?.text).toContain('no deadline passed');
  expect(at('message')?.text).not.toContain('restart of the program');
  expect(at(undefined)?.title).toBe('five: inactive since 2027-01-15 08:04:00 UTC');
});

test('node inactive: the alert of a lapse keeps its term from the event to the reading', () => {
  const atMs = start + timeoutMs + 0.25;
  const event = { isActive: false, height: 410n, blockMs: Math.floor(atMs) };
  const byEvent = verdictsOf(nodeInactive, scene(start + timeoutMs, event))[0];
  const read = { ...reading, height: 411n, node: { status: 3, statusAt: time(atMs), inactiveAt: undefined } };
  const byReading = verdictsOf(
    nodeInactive,
    scene(start + timeoutMs, event, { readings: [[watchedNodes, nodeAddress, read]] }),
  )[0];
  expect(byReading?.term).toBe(byEvent?.term);
});

test('node rules: a firing verdict has the number of leases at stake, for an inactive node that of ended leases', () => {
  const price = { denom: 'udvpn', quoteValue: '1' };
  const leases = [1n, 2n, 3n].map((id) => ({ id, price, hours: 1n, maxHours: 2n, provAddress: 'sentprov1a' }));
  const readings = [[nodeLeases, nodeAddress, { leases }]] as const;
  const silent = { ...reading, node: { status: 1, statusAt: time(start), inactiveAt: time(start + timeoutMs) } };
  const [late] = verdictsOf(
    heartbeatLate,
    scene(start + timeoutMs - 1_000, undefined, { readings: [[watchedNodes, nodeAddress, silent], ...readings] }),
  );
  expect(late).toMatchObject({ state: 'firing', leases: 3 });
  const ended = { leaseId: '4', provider: undefined, refund: undefined } as never;
  const lapse = lapseOf(nodeAddress, { ended: [ended, ended] });
  const event = { isActive: false, height: 410n, blockMs: start + timeoutMs };
  const [inactive] = verdictsOf(nodeInactive, scene(start + timeoutMs, event, { lapse, lapsedMs: start + timeoutMs }));
  expect(inactive).toMatchObject({ state: 'firing', leases: 2 });
});
