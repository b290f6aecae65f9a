import { expect, test } from 'vitest';
import { overallOf } from './overall.js';
import type { StatusView } from './status-view.js';

const endpoint = { name: 'own', role: 'own', transports: { grpc: { state: 'known', text: undefined } } };
const node = { address: 'a', alias: 'five', registered: true, status: 'active', secondsLeft: 1_000 };
const alert = (severity: string, title: string, state = 'firing') => ({ rule: 'R', severity, state, title });
const channel = { name: 'email', failing: undefined };

const view = (facts: object = {}): StatusView =>
  ({
    chain: { head: { height: '5', ageSeconds: 6 } },
    alerts: [],
    endpoints: [endpoint],
    nodes: [node],
    providers: [],
    accounts: [],
    channels: [channel],
    ...facts,
  }) as unknown as StatusView;

test.each([
  ['everything answers and is active', {}, 'good', 'All is well'],
  [
    'a critical alert among warnings',
    { alerts: [alert('warning', 'w'), alert('critical', 'five: inactive')] },
    'bad',
    '1 critical alert: five: inactive',
  ],
  ['two warnings', { alerts: [alert('warning', 'v'), alert('warning', 'w')] }, 'warn', '2 warnings, first v'],
  [
    'several alerts: what has happened, then what is soonest',
    {
      alerts: [
        { ...alert('critical', 'late'), due: '2027-01-15T09:00:00.000Z' },
        { ...alert('critical', 'soon'), due: '2027-01-15T08:00:00.000Z' },
      ],
    },
    'bad',
    '2 critical alerts, first soon',
  ],
  ['only endpoints are configured', { nodes: [] }, 'unknown', 'Only endpoints are watched'],
  ['an account is watched', { nodes: [], accounts: [{}] }, 'good', 'All is well'],
  ['an alert that is only pending', { alerts: [alert('critical', 'x', 'pending')] }, 'good', 'All is well'],
  [
    'nothing asked yet',
    { endpoints: [{ name: 'own', notRead: 'not asked yet' }], chain: { head: undefined } },
    'unknown',
    'Starting: no endpoint has been asked yet',
  ],
  ['no endpoint answers', { chain: { head: undefined } }, 'unknown', 'No data: no endpoint reports the latest block'],
  [
    'a node that could not be read',
    { nodes: [node, { address: 'b', notRead: 'timeout' }] },
    'unknown',
    '1 watched node could not be read',
  ],
  [
    'a channel that fails',
    { channels: [{ ...channel, failing: {} }] },
    'warn',
    'Notices are not delivered to everyone: email fails',
  ],
  ['an old head', { chain: { head: { height: '5', ageSeconds: 150 } } }, 'warn', 'The latest block is 2 min 30 s old'],
  [
    'little time for a heartbeat',
    { nodes: [{ ...node, secondsLeft: 200 }] },
    'warn',
    'five has 3 min 20 s left for its heartbeat',
  ],
])('overall: %s', (_case, facts, level, headline) => {
  expect(overallOf(view(facts))).toMatchObject({ level, headline });
});

test('overall: a subject that was not read does not count as healthy', () => {
  const { facts } = overallOf(view({ nodes: [{ address: 'b', notRead: 'timeout' }], endpoints: [{ notRead: 'x' }] }));
  expect(facts).toEqual(['0 of 1 endpoint answer', '0 of 1 watched node active']);
});

test('overall: without watched subjects the page explains how to add one', () => {
  expect(overallOf(view({ nodes: [] })).facts.join()).toContain('list their addresses under `watch`');
  expect(overallOf(view()).facts.join()).not.toContain('under `watch`');
});
