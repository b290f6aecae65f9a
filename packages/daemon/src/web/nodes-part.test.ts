import { expect, test } from 'vitest';
import { nodeSession, page, time } from '../../test/fake-endpoint.js';
import { startScene } from '../../test/scene.js';
import { nodesPart } from './nodes-part.js';
import { statusPage } from './status-page.js';
import type { StatusView } from './status-view.js';

const start = 1_800_000_000_000;
const hourMs = 3_600_000;

const viewWith = async (sessions: readonly unknown[]) => {
  const scene = await startScene(start);
  scene.endpoint.queries['hub.session.v3.QueryService/QuerySessionsForNode'] = page('sessions', sessions);
  await scene.block(101n, start + 6_000);
  const view = JSON.parse((await scene.get('/api/v1/status')).text) as StatusView;
  return { view, text: (await scene.get('/')).text };
};

test('node card: sessions with silent, at-limit, earned and at-stake figures, and the same in JSON', async () => {
  const fresh = { startAt: time(start - hourMs), inactiveAt: time(start + hourMs) };
  const { view, text } = await viewWith([
    nodeSession(1n, { ...fresh, downloadBytes: '500000000' }),
    nodeSession(2n, { ...fresh, downloadBytes: '2000000000' }),
    nodeSession(3n, { startAt: time(start - 2 * hourMs), inactiveAt: time(start + 60_000) }),
    nodeSession(4n, { status: 2, statusAt: time(start - hourMs), inactiveAt: time(start + hourMs) }),
  ]);
  expect(text).toContain(
    '3 active, 1 ending <span class="soft">1 silent, 1 at a limit, 12 udvpn earned, 15 udvpn at stake</span>',
  );
  expect(view.nodes[0]?.sessions).toMatchObject({
    byStatus: { active: 3, inactive_pending: 1 },
    stale: 1,
    overdue: 0,
    bytesLimit: { near: 0, over: 1 },
    expected: [{ denom: 'udvpn', payment: '15', toNode: '12', toStakers: '3', refund: '25', atStake: '15' }],
    allocations: { count: 0, usedUp: 0, remaining: '0' },
  });
});

test('node card: denominations from an endpoint are inert and short', async () => {
  const evil = '"><img src=x onerror=alert(1)>\u202e';
  const priced = (denom: string) => nodeSession(1n, { downloadBytes: '500000000' }, { denom });
  const { text } = await viewWith([priced(evil), priced('x'.repeat(1_000_000))]);
  expect(text).not.toContain('<img');
  expect(text).not.toContain('\u202e');
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
});

test('node card: the address at which the node was reached, why others failed, and a different node that answers', async () => {
  const { view } = await viewWith([]);
  const [node] = view.nodes;
  if (node === undefined) throw new Error('no node');
  const card = (reach: unknown): string =>
    nodesPart({ ...view, nodes: [{ ...node, reach }] } as unknown as StatusView, 10_000).html;
  const reached = { address: 'a:1', state: 'reached' };
  const refused = { address: 'b:1', state: 'refused', text: 'no' };
  expect(card(undefined)).not.toContain('reached');
  expect(card([reached, refused])).toContain('<span class="soft">reached at 1 of 2 addresses</span>');
  expect(card([refused, { ...refused, state: 'timeout' }])).toContain(
    '<span class="bad">not reached: refused, timeout</span>',
  );
  expect(card([{ ...reached, address: '<b>', otherNode: 'sentnode1x' }])).toContain(
    '<span class="bad">another node answers at &lt;b&gt;</span>',
  );
});

test('node card: twenty nodes with all details stay below 60 kB', async () => {
  const fresh = { startAt: time(start - hourMs), inactiveAt: time(start + hourMs) };
  const { view } = await viewWith([nodeSession(1n, { ...fresh, downloadBytes: '500000000' })]);
  const [node] = view.nodes;
  const reach = [{ address: 'node.example:8585', state: 'reached' }];
  const nodes = Array.from({ length: 20 }, (_, index) => ({ ...node, alias: `n${index}`, reach }));
  const text = statusPage({ ...view, nodes } as unknown as StatusView);
  expect(text.match(/reached at 1 of 1 address</g)).toHaveLength(20);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
});
