import { expect, test } from 'vitest';
import { fakeEndpoint, statusResult } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { type EndpointReading, endpointStatus } from './endpoint-status.js';

const startMs = 1_800_000_000_000;
const probe = 'hub.node.v3.QueryService/QueryParams';

/** An endpoint with a fixed block interval, polled by the timetable every ten seconds. */
const endpointOn = (blockMs = 6_000) => {
  const fake = fakeEndpoint(['grpc', 'rest', 'rpc']);
  const node = { states: 0, status: 0, lag: 0n, isStuck: false };
  const parts = testParts({ own: fake });
  const head = () => 100n + BigInt(Math.floor((parts.clock.nowMs() - startMs) / blockMs));
  const timeOf = (height: bigint) => startMs + Number(height - 100n) * blockMs;
  let stuck = 0n;
  const told = () => (node.isStuck ? stuck : head());
  fake.queries[probe] = () => {
    node.states += 1;
    fake.height = told() - node.lag;
    return {};
  };
  fake.rpc['status'] = () => {
    node.status += 1;
    return statusResult(told(), timeOf(told()));
  };
  fake.rpc['net_info'] = { listening: true, peerCount: 0, peers: [] };
  fake.rpc['num_unconfirmed_txs'] = { count: 0n, total: 0n, totalBytes: 0n, txs: [] };
  let previous: EndpointReading | undefined;
  const look = async (isTimetable = true) => {
    const [target] = endpointStatus.targets(parts.config);
    if (target === undefined) throw new Error('no endpoint');
    previous = await endpointStatus.collect(target, { ...parts, previous, isTimetable });
    return previous;
  };
  const looks = async (times: number) => {
    [node.states, node.status] = [0, 0];
    for (let time = 0; time < times; time++) {
      parts.clock.advance(10_000);
      await look();
    }
    return [node.states, node.status];
  };
  const push = () => parts.pool.push('own', { height: head(), timeMs: timeOf(head()), chainId: 'hub-test' });
  const stop = () => {
    stuck = head();
    node.isStuck = true;
  };
  return { fake, node, parts, look, looks, push, head, stop };
};

const states = ({ grpc, rest, rpc }: EndpointReading) => [grpc, rest, rpc].map((one) => one?.state);

test('endpoint status: healthy: state is read over each transport twice a minute, the head on each poll', async () => {
  const { look, looks } = endpointOn();
  await look();
  expect(await looks(30)).toEqual([2 * 10, 30]);
});

test('endpoint status: fast blocks: state that would appear outdated is read on each poll', async () => {
  const { look, looks } = endpointOn(1_000);
  await look();
  expect(await looks(6)).toEqual([2 * 6, 6]);
});

test('endpoint status: a round that the timetable did not start reads everything', async () => {
  const { node, look } = endpointOn();
  await look(false);
  await look(false);
  expect([node.states, node.status]).toEqual([4, 2]);
});

test('endpoint status: the failure of a node is detected over every transport on the next poll', async () => {
  const { fake, parts, look } = endpointOn();
  await look();
  expect(states(await look())).toEqual(['known', 'known', 'known']);
  delete fake.rpc['status'];
  fake.queries[probe] = undefined;
  parts.clock.advance(10_000);
  expect(states(await look())).toEqual(['not_served', 'not_served', 'no_answer']);
});

test('endpoint status: failure of one transport: detected on a poll without a new block, at the latest after 30 s, and polled each time until it recovers', async () => {
  const { fake, parts, node, look, looks } = endpointOn();
  await look();
  const answer = fake.queries[probe];
  fake.queries[probe] = undefined;
  const seen: unknown[] = [];
  for (let time = 0; time < 3; time++) {
    parts.clock.advance(10_000);
    seen.push(states(await look())[0]);
  }
  expect(seen).toEqual(['known', 'known', 'not_served']);
  fake.queries[probe] = answer;
  node.states = 0;
  parts.clock.advance(10_000);
  expect(states(await look())).toEqual(['known', 'known', 'known']);
  expect(node.states).toBe(2);
  expect(await looks(3)).toEqual([2, 3]);
});

test('endpoint status: pushed headers replace the status request and are the reported head', async () => {
  const { parts, node, look, push, head } = endpointOn();
  await look();
  [node.states, node.status] = [0, 0];
  for (let time = 0; time < 30; time++) {
    parts.clock.advance(10_000);
    push();
    const reading = await look();
    expect(reading.block).toMatchObject({ state: 'known', value: { height: head() } });
    expect(parts.pool.head()?.height).toBe(head());
  }
  expect([node.states, node.status]).toEqual([2 * 10, 10]);
});

test('endpoint status: without further headers the status is read on each poll', async () => {
  const { parts, look, looks, push, stop } = endpointOn();
  await look();
  parts.clock.advance(10_000);
  push();
  await look();
  stop();
  expect((await looks(6))[1]).toBe(6);
});

test('endpoint status: websocket state is reported if it is configured, with the reason for a failure', async () => {
  const { parts, look } = endpointOn();
  const up = async () => {
    const [target] = endpointStatus.targets(parts.config);
    if (target === undefined) throw new Error('no endpoint');
    const samples = endpointStatus.metrics(target, await look());
    return samples.find(({ labels }) => labels.includes('websocket'))?.value;
  };
  expect(await up()).toBeUndefined();
  parts.pool.setListening('own', { isOn: true });
  expect(await up()).toBe(1);
  parts.pool.setListening('own', { isOn: false, reason: 'refused', text: 'no websocket here', failures: 2 });
  expect(await up()).toBe(0);
  expect((await look()).websocket).toEqual({ state: 'no_answer', reason: 'refused', text: 'no websocket here' });
});
