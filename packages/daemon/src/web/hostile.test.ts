import { expect, test } from 'vitest';
import { startMailServer } from '../../test/mail-server.js';
import { page, statusResult } from '../../test/fake-endpoint.js';
import { accountAddress, nodeAddress, providerAddress } from '../../test/parts.js';
import { startScene } from '../../test/scene.js';

const start = 1_800_000_000_000;
const minute = 60_000;

/** Control characters, and characters that change the text direction. */
const unreadable = /[\p{Cc}\u200f\u202a-\u202e\u2066-\u2069]/u;

const huge = 9_223_372_036_854_775_807n;
const markup = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
const texts = [
  markup,
  'right \u202eto\u202c left\u2066 \u200f',
  'line\r\nBcc: evil@example.net\r\n\r\nbody',
  'nul \u0000 bell \u0007 escape \u001b[31m',
  '\ud800 alone',
  'x'.repeat(1_000_000),
];
const times = [
  { seconds: huge, nanos: 999_999_999 },
  { seconds: -huge, nanos: 0 },
  { seconds: 253_402_300_800n, nanos: 0 },
  { seconds: 0n, nanos: Number.NaN },
  { seconds: -62_135_596_800n, nanos: -5 },
];

/** Combines the samples so that each hostile text and time appears once in every field that an endpoint fills. */
const worlds = Array.from({ length: texts.length }, (_, index) => ({
  text: texts[index] ?? '',
  time: times[index % times.length] ?? { seconds: 0n, nanos: 0 },
}));

test.each(worlds)(
  'hostile endpoint %#: page, JSON, metrics and mails stay well-formed, small and inert',
  async ({ text, time }) => {
    const server = await startMailServer();
    const scene = await startScene(start, { smtpPort: server.port, moniker: text, accounts: [accountAddress] });
    const { endpoint } = scene;
    const lease = {
      id: huge,
      provAddress: text,
      nodeAddress: text,
      price: { denom: text, baseValue: '0', quoteValue: '9'.repeat(400) },
      hours: -huge,
      maxHours: huge,
      renewalPricePolicy: 4_000_000_000,
      startAt: time,
    };
    const subscription = {
      id: huge,
      accAddress: text,
      planId: huge,
      price: { denom: text, baseValue: '0', quoteValue: '9'.repeat(400) },
      renewalPricePolicy: 4_000_000_000,
      status: 1,
      inactiveAt: time,
    };
    const node = (status: number) => ({
      node: {
        address: text,
        gigabytePrices: [{ denom: text, baseValue: text, quoteValue: '1' }],
        hourlyPrices: [],
        remoteAddrs: [text],
        status,
        statusAt: time,
        inactiveAt: time,
      },
    });
    Object.assign(endpoint.queries, {
      'hub.lease.v1.QueryService/QueryLeasesForNode': page('leases', [lease]),
      'hub.lease.v1.QueryService/QueryLeasesForProvider': page('leases', [{ ...lease, provAddress: providerAddress }]),
      'hub.deposit.v1.QueryService/QueryDeposit': { deposit: { coins: [{ denom: text, amount: '9'.repeat(400) }] } },
      'stack.bank.v1beta1.Query/SpendableBalances': page('balances', [{ denom: text, amount: '9'.repeat(400) }]),
      'hub.plan.v3.QueryService/QueryPlansForProvider': page('plans', [
        { id: huge, prices: [{ denom: text, baseValue: '0', quoteValue: '9'.repeat(400) }], status: 77, private: true },
      ]),
      'hub.plan.v3.QueryService/QueryPlan': { plan: { status: 1, prices: [] } },
      'hub.node.v3.QueryService/QueryNodesForPlan': page('nodes', [{ address: text }]),
      'hub.subscription.v3.QueryService/QuerySubscriptionsForPlan': page('subscriptions', [subscription]),
      'hub.subscription.v3.QueryService/QuerySubscriptionsForAccount': page('subscriptions', [
        subscription,
        { ...subscription, accAddress: accountAddress },
      ]),
      'hub.subscription.v2.QueryService/QueryAllocations': page('allocations', [
        { id: huge, address: accountAddress, grantedBytes: '9'.repeat(400), utilisedBytes: '1' },
        { id: huge, address: text, grantedBytes: '1', utilisedBytes: '1' },
      ]),
      'hub.session.v3.QueryService/QuerySessionsForNode': page('sessions', [
        { value: { baseSession: { status: 77 } } },
        { value: undefined },
      ]),
      'hub.node.v3.QueryService/QueryNode': node(1),
      'hub.provider.v2.QueryService/QueryProvider': { provider: { status: 1, name: text, website: text } },
    });
    await scene.block(150n, start + 50 * minute);
    const looks = async (): Promise<void> => {
      const { text: body, status } = await scene.get('/');
      expect(status).toBe(200);
      expect(Buffer.byteLength(body)).toBeLessThan(60_000);
      expect(body).not.toContain('<img');
      expect(body.match(/<script>/g)).toHaveLength(1);
      expect(body.replaceAll('\n', '')).not.toMatch(unreadable);
      expect(body).not.toContain('NaN');
      const json = await scene.get('/api/v1/status');
      expect(json.status).toBe(200);
      expect(json.text.length).toBeLessThan(100_000);
      const view = JSON.parse(json.text) as { nodes: { address: string }[] };
      expect(view.nodes[0]?.address).toBe(nodeAddress);
      const metrics = await scene.get('/metrics');
      expect(metrics.status).toBe(200);
      expect(metrics.text.length).toBeLessThan(200_000);
      for (const line of metrics.text.split('\n').filter((one) => one.startsWith('hub')))
        expect(line).toMatch(
          /^[a-z0-9_]+(?:\{(?:[a-z_]+="(?:[^"\\]|\\["\\n])*",?)*\})? (?:[+-]?[\d.]+(?:e[+-]?\d+)?|NaN|[+-]Inf)$/s,
        );
    };
    await looks();

    // Inactive since a hostile time, so that a notice is sent.
    endpoint.queries['hub.node.v3.QueryService/QueryNode'] = node(3);
    for (let height = 151n; height < 155n; height += 1n)
      await scene.block(height, start + (Number(height) - 91) * minute);
    await looks();
    await server.received(1);
    for (const mail of server.mails) {
      expect(mail.to).toEqual(['o@example.org']);
      expect(mail.headers.has('bcc')).toBe(false);
      expect(mail.raw.length).toBeLessThan(100_000);
      expect(mail.headers.get('subject')?.length).toBeLessThan(400);
      expect(mail.body.replaceAll('=\r\n', '')).toMatch(/Seen: 2027-01-15T\d\d:\d\d:\d\d\.\d{3}Z/);
      expect(mail.body.replaceAll('\r\n', '')).not.toMatch(unreadable);
    }

    // A head with a hostile time and a different chain id.
    const status = statusResult(huge, 0, text);
    endpoint.rpc['status'] = {
      ...status,
      syncInfo: { ...status.syncInfo, latestBlockTime: time, earliestBlockTime: time },
    };
    await scene.app.pollNow();
    await looks();
  },
);
