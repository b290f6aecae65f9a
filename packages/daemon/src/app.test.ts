import { HubError } from '@hubwatch/client';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../test/fake-clock.js';
import { fakeEndpoint, time } from '../test/fake-endpoint.js';
import { startMailServer } from '../test/mail-server.js';
import { nodeAddress, nodeAddressOf, silentLogger, temporaryFolder } from '../test/parts.js';
import { startScene } from '../test/scene.js';
import type { Notice } from './alerts/alert.js';
import { startApp } from './app.js';
import { parseConfig } from './config/load.js';
import { Outbox } from './outbox/outbox.js';
import { createOutboxStore } from './outbox/outbox-store.js';
import { Journal } from './store/journal.js';
import { openStore } from './store/store.js';

const start = 1_800_000_000_000;
const minute = 60_000;
const nodeMethod = 'hub.node.v3.QueryService/QueryNode';
const leasesMethod = 'hub.lease.v1.QueryService/QueryLeasesForNode';

const node = (status: number, statusMs: number) => ({
  node: {
    address: nodeAddress,
    gigabytePrices: [],
    hourlyPrices: [],
    remoteAddrs: [],
    status,
    statusAt: time(statusMs),
    inactiveAt: status === 1 ? time(statusMs + 60 * minute) : undefined,
  },
});

const event = (type: string, values: Record<string, string>) => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), index: true })),
});

const statusEvent = (address: string, status: string) =>
  event('hub.node.v3.EventUpdateStatus', { node_address: address, status });

interface BlockEvents {
  readonly begin?: readonly ReturnType<typeof event>[];
  /** Events of one successful transaction. */
  readonly tx?: readonly ReturnType<typeof event>[];
}

/** Block results by height; other blocks have no events. */
const blocksOf =
  (blocks: Readonly<Record<number, BlockEvents>>) =>
  ({ height }: { height: bigint }) => ({
    height,
    beginBlockEvents: blocks[Number(height)]?.begin ?? [],
    txsResults: [{ code: 0, events: blocks[Number(height)]?.tx ?? [] }],
    endBlockEvents: [],
    finalizeBlockEvents: [],
    validatorUpdates: [],
  });

test('app: a block that lapses six nodes causes one notice with the totals of its events, resolved when all six are back', async () => {
  const server = await startMailServer();
  const scene = await startScene(start, { smtpPort: server.port, nodes: 7 });
  const { endpoint } = scene;
  const six = [nodeAddress, ...Array.from({ length: 5 }, (_, index) => nodeAddressOf(index))];
  const [last = '', ...others] = six.toReversed();
  // Polls show the changes later than events do, for some nodes much later.
  let shown = new Map<string, ReturnType<typeof node>>();
  endpoint.queries[nodeMethod] = ({ address }: { address: string }) =>
    shown.get(address) ?? node(1, scene.clock.nowMs() - minute);
  const lease = (id: number, address: string) => [
    event('hub.lease.v1.EventRefund', { lease_id: `${id}`, prov_address: 'sentprov1x', value: '7udvpn' }),
    event('hub.lease.v1.EventEnd', { lease_id: `${id}`, node_address: address, prov_address: 'sentprov1x' }),
  ];
  endpoint.rpc['block_results'] = blocksOf({
    160: {
      begin: six.flatMap((address, index) => [
        ...(index < 4 ? lease(index + 1, address) : []),
        statusEvent(address, 'inactive'),
      ]),
    },
    200: { tx: others.map((address) => statusEvent(address, 'active')) },
    210: { tx: [statusEvent(last, 'active')] },
  });
  await scene.block(150n, start + 50 * minute);
  shown = new Map(six.slice(0, 4).map((address) => [address, node(3, start + 60 * minute)]));
  await scene.block(160n, start + 60 * minute);
  await server.received(1);
  shown = new Map(six.map((address) => [address, node(3, start + 60 * minute)]));
  await scene.block(161n, start + 61 * minute);
  shown = new Map([[last, node(3, start + 60 * minute)]]);
  await scene.block(200n, start + 70 * minute);
  await server.received(2);
  shown = new Map();
  await scene.block(210n, start + 80 * minute);
  const told = () => server.mails.map(({ headers }) => headers.get('subject'));
  await expect.poll(() => told().filter((subject) => subject?.startsWith('[recovered]'))).toHaveLength(2);
  const subjects = told().filter((subject) => subject?.includes('HubNodeLeasesLost') === false);
  expect(subjects.toSorted()).toEqual([
    '[critical] hub-test: 6 nodes went inactive in one block at 2027-01-15 09:00:00 UTC (HubNodesLapsed)',
    '[critical] n4: inactive since 2027-01-15 09:00:00 UTC, its heartbeat deadline passed (HubNodeInactive)',
    '[recovered] hub-test: the 6 nodes that went inactive in one block are back (HubNodesLapsed)',
    '[recovered] n4: active again (HubNodeInactive)',
  ]);
  expect(subjects.slice(0, 2).map((subject) => subject?.startsWith('[critical]'))).toEqual([true, true]);
  const [storm] = server.mails;
  expect(storm?.body).toContain('4 leases ended with them.');
  expect(storm?.body.match(/^- (?:five|n\d)\b/gm)).toHaveLength(6);
});

test('app: a lapse from late notice to recovery: three mails, each sent once, one thread per alert', async () => {
  const server = await startMailServer();
  const scene = await startScene(start, { smtpPort: server.port });
  const { endpoint } = scene;
  endpoint.queries[leasesMethod] = {
    leases: [
      {
        id: 4n,
        provAddress: 'sentprov1x',
        nodeAddress,
        price: { denom: 'udvpn', baseValue: '0', quoteValue: '7777' },
        hours: 1n,
        maxHours: 6n,
        renewalPricePolicy: 3,
        startAt: time(start),
      },
    ],
    pagination: undefined,
  };
  await scene.block(150n, start + 50 * minute);
  expect(server.mails).toHaveLength(0);

  await scene.block(157n, start + 57 * minute);
  await scene.block(158n, start + 58 * minute);
  await server.received(1);

  endpoint.queries[nodeMethod] = node(3, start + 60 * minute);
  endpoint.queries[leasesMethod] = { leases: [], pagination: undefined };
  endpoint.rpc['block_results'] = ({ height }: { height: bigint }) => ({
    height,
    beginBlockEvents:
      height === 160n
        ? [
            event('hub.lease.v1.EventRefund', { lease_id: '4', prov_address: 'sentprov1x', value: '38885udvpn' }),
            event('hub.lease.v1.EventEnd', { lease_id: '4', node_address: nodeAddress, prov_address: 'sentprov1x' }),
            event('hub.node.v3.EventUpdateStatus', { node_address: nodeAddress, status: 'inactive' }),
          ]
        : [],
    txsResults: [],
    endBlockEvents: [],
    finalizeBlockEvents: [],
    validatorUpdates: [],
  });
  await scene.block(160n, start + 60 * minute);
  await server.received(2);

  endpoint.queries[nodeMethod] = node(1, start + 100 * minute);
  await scene.block(200n, start + 100 * minute);
  await scene.block(201n, start + 101 * minute);
  await server.received(3);

  const [late, lapse, recovery] = server.mails;
  expect(server.mails.map(({ headers }) => headers.get('subject'))).toEqual([
    '[warning] five: heartbeat late, deadline 2027-01-15 09:00:00 UTC (HubNodeHeartbeatLate)',
    '[critical] five: inactive since 2027-01-15 09:00:00 UTC, its heartbeat deadline passed (HubNodeInactive)',
    '[recovered] five: active again (HubNodeInactive)',
  ]);
  expect(late?.body).toContain('lease 4');
  expect(lapse?.body).toContain('lease 4 of sentprov1x: 38 885 udvpn refunded');
  expect(recovery?.headers.get('references')).toBe(lapse?.headers.get('message-id'));
});

test('app: a channel that refuses its sender is shown as failing, with the remedy, until it accepts the notice', async () => {
  const server = await startMailServer();
  server.refuse = (stage) => (stage === 'MAIL FROM' ? '550 5.7.1 <script>not you</script>' : undefined);
  const scene = await startScene(start, { smtpPort: server.port });
  await scene.block(157n, start + 57 * minute);
  const page = async () => (await scene.get('/')).text;
  await expect.poll(page).toContain('it refuses the sender, or does not relay for it (sender). Check the from address');
  expect(await page()).toContain('1 notice not yet accepted by email');
  expect(await page()).not.toContain('<script>not you');
  expect((await scene.get('/metrics')).text).toContain('hubwatch_notification_channel_failing{channel="email"} 1');
  server.refuse = () => undefined;
  scene.clock.advance(2_000);
  await server.received(1);
  await expect.poll(page).not.toContain('it refuses the sender');
});

test('app: a halted chain that resumes and lapses 100 nodes at once causes one mail for them, and one when they are back', async () => {
  const server = await startMailServer();
  const scene = await startScene(start, { smtpPort: server.port, nodes: 100 });
  const { endpoint, clock } = scene;
  const subjects = () => server.mails.map(({ headers }) => headers.get('subject'));
  await scene.block(150n, start + 50 * minute);
  for (let step = 0; step < 4; step += 1) {
    clock.advance(4 * minute);
    await scene.app.pollNow();
  }
  await server.received(1);
  endpoint.queries[nodeMethod] = node(3, start + 70 * minute);
  const all = [nodeAddress, ...Array.from({ length: 99 }, (_, index) => nodeAddressOf(index))];
  endpoint.rpc['block_results'] = blocksOf({
    151: { begin: all.map((address) => statusEvent(address, 'inactive')) },
    300: { tx: all.map((address) => statusEvent(address, 'active')) },
  });
  await scene.block(151n, start + 70 * minute);
  await scene.block(161n, start + 71 * minute);
  await server.received(3);
  endpoint.queries[nodeMethod] = node(1, start + 90 * minute);
  await scene.block(300n, start + 90 * minute);
  await server.received(4);
  await scene.block(301n, start + 91 * minute);
  expect(subjects()).toEqual([
    '[critical] hub-test: no new block since 2027-01-15 08:50:00 UTC (HubChainHalted)',
    '[recovered] hub-test: blocks are coming (HubChainHalted)',
    '[critical] hub-test: 100 nodes went inactive in one block at 2027-01-15 09:10:00 UTC (HubNodesLapsed)',
    '[recovered] hub-test: the 100 nodes that went inactive in one block are back (HubNodesLapsed)',
  ]);
  const [, , lapse, back] = server.mails;
  expect(back?.headers.get('references')).toBe(lapse?.headers.get('message-id'));
  expect(lapse?.raw.length).toBeLessThan(20_000);
});

test('app: a failed poll discards its values, resolves nothing and raises nothing', async () => {
  const scene = await startScene(start);
  const { endpoint } = scene;
  await scene.block(157n, start + 57 * minute);
  const alerts = async () =>
    JSON.parse((await scene.get('/api/v1/status')).text).alerts as { rule: string; state: string }[];
  expect(await alerts()).toMatchObject([{ rule: 'HubNodeHeartbeatLate', state: 'firing' }]);
  expect((await scene.get('/metrics')).text).toContain('hub_node_status{');

  endpoint.queries[nodeMethod] = new HubError({ code: 'timeout', message: 'late', transport: 'grpc' });
  await scene.block(158n, start + 58 * minute);
  const metrics = (await scene.get('/metrics')).text;
  expect(metrics).not.toContain('hub_node_status{');
  expect(metrics).toContain(`hub_node_config_info{node="${nodeAddress}",alias="five"} 1`);
  expect(metrics).toContain('hubwatch_poll_failures_total{job="nodes",reason="timeout"}');
  expect(await alerts()).toMatchObject([{ rule: 'HubNodeHeartbeatLate', state: 'firing' }]);

  endpoint.queries[nodeMethod] = node(1, start + 58 * minute);
  await scene.block(159n, start + 59 * minute);
  expect(await alerts()).toEqual([]);
});

test('app: endpoint down and chain halted are judged by the clock, and a halt suppresses heartbeat alerts', async () => {
  const scene = await startScene(start);
  const firing = async () =>
    (JSON.parse((await scene.get('/api/v1/status')).text).alerts as { rule: string; subject: string; state: string }[])
      .filter(({ state }) => state === 'firing')
      .map(({ rule, subject }) => `${rule} ${subject}`);
  await scene.block(156n, start + 55 * minute);
  scene.endpoint.queries['*'] = undefined;
  delete scene.endpoint.rpc['net_info'];
  scene.clock.advance(4 * minute);
  await scene.app.pollNow();
  scene.clock.advance(minute);
  await scene.app.pollNow();
  expect(await firing()).toEqual(['HubChainHalted hub-test']);

  delete scene.endpoint.rpc['status'];
  await scene.app.pollNow();
  scene.clock.advance(3 * minute);
  await scene.app.pollNow();
  expect(await firing()).toEqual(['HubChainHalted hub-test', 'HubEndpointDown own']);
});

test('app: an endpoint that never responds delays neither readiness nor the data of the others', async () => {
  const dead = fakeEndpoint(['grpc', 'rest', 'rpc']);
  let release: (error: Error) => void = () => undefined;
  const released = new Promise<never>((_resolve, reject) => {
    release = reject;
  });
  const hang = () => released;
  Object.assign(dead.queries, { '*': hang });
  Object.assign(dead.rpc, { status: hang, net_info: hang, num_unconfirmed_txs: hang, block_results: hang });
  const scene = await startScene(start, { dead, poll: false });
  await expect
    .poll(async () => {
      scene.clock.advance(50);
      return [(await scene.get('/-/ready')).status, (await scene.get('/metrics')).text.includes('hub_node_status{')];
    })
    .toEqual([200, true]);
  expect(scene.clock.nowMs() - start).toBeLessThan(5_000);
  release(new HubError({ code: 'timeout', message: 'late', transport: 'grpc' }));
});

test('app: a start that cannot bind its address sends nothing, and a second daemon on the same store sends nothing either', async () => {
  const server = await startMailServer();
  const folder = temporaryFolder();
  const path = join(folder, 'hubwatch.db');
  const store = openStore(path);
  const waiting: Notice = {
    kind: 'firing',
    stream: 's',
    rule: 'R',
    severity: 'info',
    title: 'waits',
    text: '',
    members: [{ subject: 's', title: 'waits', isFiring: true }],
    atMs: start,
  };
  const outboxStore = createOutboxStore(store);
  const journal = new Journal(store, (error) => expect(error).toBeUndefined());
  const outbox = new Outbox({
    store: outboxStore,
    journal,
    channels: [{ name: 'email', recipients: ['o@example.org'] }],
  });
  outbox.write(outbox.prepare([waiting]));
  store.close();
  const configAt = (listen: string) =>
    parseConfig(`
endpoints: [{name: own, grpc: "127.0.0.1:1"}]
web: {listen: "${listen}"}
store: {path: ${path}}
notifiers: {email: {host: 127.0.0.1, port: ${server.port}, tls: none, from: w@example.org, to: o@example.org}}`);
  const closed: string[] = [];
  const begin = (listen: string) =>
    startApp(configAt(listen), {
      clock: fakeClock(start),
      logger: silentLogger,
      connectTo: ({ name }) => ({
        ...fakeEndpoint().connection,
        close: async () => {
          closed.push(name);
        },
      }),
    });
  await expect(begin('192.0.2.1:9190')).rejects.toThrow('web.listen: 192.0.2.1 is no address of this machine');
  expect(closed).toEqual(['own']);
  expect(server.mails).toHaveLength(0);

  const app = await begin('127.0.0.1:0');
  await expect(begin('127.0.0.1:0')).rejects.toThrow(`store.path: ${path} is in use by another hubwatch`);
  await server.received(1);
  await app.close();
  expect(closed).toEqual(['own', 'own']);
});
