import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { page, time } from '../../test/fake-endpoint.js';
import { hourMs, leaseOf, leaseReplies, priceOf } from '../../test/lease-records.js';
import { startScene } from '../../test/scene.js';
import { createOwnMetrics } from '../own-metrics.js';
import { accountAddress, nodeAddress, silentLogger } from '../../test/parts.js';
import { html } from './html.js';
import { startWebServer } from './server.js';
import { statusPage } from './status-page.js';
import type { StatusView } from './status-view.js';

const start = 1_800_000_000_000;

test('web: page, metrics, JSON, health and readiness are served with their content types', async () => {
  const scene = await startScene(start);
  for (const [path, type] of [
    ['/', 'text/html; charset=utf-8'],
    ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
    ['/api/v1/status', 'application/json; charset=utf-8'],
    ['/-/healthy', 'text/plain; charset=utf-8'],
    ['/-/ready', 'text/plain; charset=utf-8'],
    ['/?x=1', 'text/html; charset=utf-8'],
  ] as const) {
    expect(await scene.get(path), path).toMatchObject({ status: 200, type });
  }
  expect((await scene.get('/absent')).status).toBe(404);
  expect((await scene.get('/absent')).text).toContain('/metrics');
  expect((await fetch(`${scene.app.address()}/`, { method: 'POST' })).status).toBe(405);
  expect(await (await fetch(`${scene.app.address()}/`, { method: 'HEAD' })).text()).toBe('');
});

test('web: a connection stays open until the next scrape a minute later', async () => {
  const scene = await startScene(start);
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get(`${scene.app.address()}/-/healthy`, { agent }), 'response')) as [IncomingMessage];
  agent.destroy();
  expect(response.headers['keep-alive']).toBe('timeout=75');
});

test('web: the page is complete without JavaScript, small, and shows the watched subjects', async () => {
  const { get } = await startScene(start);
  const { text, headers } = await get('/');
  expect(text).toContain('<noscript><meta http-equiv="refresh" content="15"></noscript>');
  expect(text).toContain('<strong>five</strong>');
  expect(text).toContain('Chain: block 100, 0 s ago · nodes: 1 active, 1 inactive');
  expect(text).toContain('<p class="headline">All is well</p>');
  expect(text).toContain(
    '1 of 1 endpoint answers · 1 of 1 watched node active · next heartbeat deadline in 1 h (five)',
  );
  expect(text).not.toContain('class="banner"');
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('web: hostile text from the network is inert, and a demo is marked as such', async () => {
  const { get } = await startScene(start, { moniker: '"><script>alert(1)</script>\u202e', demo: { speed: 60 } });
  const { text } = await get('/');
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;·');
  expect(text.match(/<script>/g)).toHaveLength(1);
  expect(text).toContain('a recorded chain is played at 60 times its speed');
  expect((await get('/metrics')).text).toContain('moniker="\\"><script>alert(1)</script>\u202e"');
});

test('html: escapes interpolated values, keeps its own markup', () => {
  expect(html`<b>${'<&>"\''}</b>${[html`<i>${1}</i>`, undefined]}`.html).toBe(
    '<b>&lt;&amp;&gt;&quot;&#39;</b><i>1</i>',
  );
});

test('web: an unavailable address is reported with its key and the remedy', async () => {
  const own = createOwnMetrics();
  const listen = (host: string, port: number) => startWebServer({ host, port }, {}, own, silentLogger);
  const first = await listen('127.0.0.1', 0);
  const port = Number(new URL(first.url).port);
  await expect(listen('127.0.0.1', port)).rejects.toThrow(
    `web.listen: 127.0.0.1:${port} is in use by another program; stop that one, or set another port`,
  );
  await expect(listen('192.0.2.1', 0)).rejects.toThrow('web.listen: 192.0.2.1 is no address of this machine');
  await first.close();
});

test('web: leases show the next payment, the locked amount and the outcome; providers show whether the balance suffices', async () => {
  const scene = await startScene(start);
  const begun = time(start - hourMs + 60_000);
  const leases = [
    leaseOf({ startAt: begun }),
    leaseOf({ id: 5n, startAt: begun, renewalPricePolicy: 0, price: priceOf(7) }),
  ];
  const replies = leaseReplies({ leases, balances: { udvpn: 1_200 }, deposit: 2_461 });
  Object.assign(scene.endpoint.queries, replies);
  await scene.block(101n, start);
  const { text } = await scene.get('/');
  const short = 'the provider&#39;s balance 1\u202f200 udvpn does not cover 24 h x 100 udvpn = 2\u202f400 udvpn';
  expect(text).toContain('2 leases, 107 udvpn an hour, <span class="warn">1 will not be renewed</span>');
  expect(text).toContain(
    `lease 4: 100 udvpn an hour, 1 of 24 h paid, 23 h 1 min left, next payout in 1 min: 80 udvpn to the node, 20 udvpn to stakers, 2\u202f300 udvpn locked; <span class="warn">will end: ${short}</span>`,
  );
  expect(text).toContain('161 udvpn locked; is not renewed automatically</li>');
  expect(text).toContain(
    'balance <span class="bad">1\u202f200 udvpn</span>, renewals of the next 24 h take 2\u202f400 udvpn',
  );
  expect(text).toContain('deposit <span class="">2\u202f461 udvpn</span>, of which leases still pay 2\u202f461 udvpn');
  const view = JSON.parse((await scene.get('/api/v1/status')).text) as StatusView;
  expect(view.nodes[0]?.leases?.[0]).toMatchObject({
    nextPayout: { at: '2027-01-15T08:01:00.000Z', secondsLeft: 60, toNode: '80', toStakers: '20' },
    locked: '2300',
    refunds: { cancelled: '2300', provider_inactive: '2300', term: '0' },
    renewal: { state: 'ends', cost: '2400' },
  });
});

test('web: plans with their subscriptions and lost links, subscriptions of accounts with forecast and allocation', async () => {
  const scene = await startScene(start, { accounts: [accountAddress] });
  const subscription = {
    id: 9n,
    accAddress: accountAddress,
    planId: 3n,
    price: priceOf(50),
    renewalPricePolicy: 7,
    status: 1,
    inactiveAt: time(start + 2 * hourMs),
  };
  const subscriptions = page('subscriptions', [
    subscription,
    { ...subscription, id: 10n, accAddress: 'sent1x', status: 2 },
  ]);
  const plan = { id: 3n, status: 1, private: true, prices: [priceOf(60)] };
  Object.assign(scene.endpoint.queries, {
    'hub.plan.v3.QueryService/QueryPlansForProvider': page('plans', [plan]),
    'hub.plan.v3.QueryService/QueryPlan': { plan },
    'hub.node.v3.QueryService/QueryNodesForPlan': page('nodes', [{ address: nodeAddress }]),
    'hub.subscription.v3.QueryService/QuerySubscriptionsForPlan': subscriptions,
    'hub.subscription.v3.QueryService/QuerySubscriptionsForAccount': subscriptions,
    'hub.subscription.v2.QueryService/QueryAllocations': page('allocations', [
      { id: 9n, address: accountAddress, grantedBytes: '5000000000', utilisedBytes: '2000000000' },
    ]),
    'stack.bank.v1beta1.Query/SpendableBalances': page('balances', [{ denom: 'udvpn', amount: '59' }]),
  });
  await scene.block(101n, start);
  scene.endpoint.queries['hub.node.v3.QueryService/QueryNodesForPlan'] = page('nodes', []);
  await scene.block(102n, start + 6_000);
  const { text } = await scene.get('/');
  expect(text).toContain('1 plan, renewals bring up to 48 udvpn in 24 h, <span class="warn">1 node link lost</span>');
  expect(text).toContain(
    'plan 3: <span class="good">active</span>, private, 60 udvpn, 0 nodes, 1 active subscription, 1 ending, 1 renewal in 24 h, 1 in 7 days',
  );
  expect(text).toContain(`${nodeAddress} left it: no lease ended; the provider may have unlinked it`);
  expect(text).toContain('2 subscriptions, <span class="warn">1 will not be renewed</span>');
  expect(text).toContain(
    'subscription 9 of plan 3: 50 udvpn a period, 1 h 59 min left, 3.0 GB of 5.0 GB left; <span class="warn">is cancelled: its account has 59 udvpn, and the next period costs 60</span>',
  );
  expect(text).toContain('paid by <code>sent1x</code>, over, deleted in 1 h 59 min');
});

test('web: with 2000 watched nodes the page stays below 60 kB and lists the most urgent first', async () => {
  const { get } = await startScene(start);
  const view = JSON.parse((await get('/api/v1/status')).text) as StatusView;
  const [usual] = view.nodes;
  if (usual === undefined) throw new Error('no node');
  const lease = { id: '1', price: '5', denom: 'udvpn', hoursPaid: 1, hours: 2, renewalPolicy: 'always' };
  const nodes = Array.from({ length: 2_000 }, (_, index) => ({
    ...usual,
    address: `sentnode1${index}`,
    alias: `n${index}`,
    secondsLeft: 3_000 - (index % 1_900),
    leases: Array.from({ length: 30 }, () => lease),
  }));
  const [provider] = view.providers;
  const providers = Array.from({ length: 100 }, (_, index) => ({
    ...provider,
    alias: `p${index}`,
    leases: Array.from({ length: 30 }, () => lease),
  }));
  const subscription = { id: '1', plan: '1', status: 'active', price: '5', denom: 'udvpn', renewalPolicy: 'always' };
  const accounts = Array.from({ length: 100 }, (_, index) => ({
    address: `sent1${index}`,
    subscriptions: Array.from({ length: 100 }, () => subscription),
  }));
  const text = statusPage({ ...view, nodes, providers, accounts } as unknown as StatusView);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  expect(text).toContain('2000 of 2000 watched nodes active · next heartbeat deadline in 18 min 21 s (n1899)');
  expect(/<td class="who"><strong>(\w+)/.exec(text)?.[1]).toBe('n1899');
  expect(text).toMatch(/\d+ nodes more, less urgent than these/);
  expect(text).toMatch(/\d+ providers more: /);
  expect(text).toMatch(/\d+ accounts more: /);
});
