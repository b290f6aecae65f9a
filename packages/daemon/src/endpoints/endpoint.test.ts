import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { fakeEndpoint, statusResult } from '../../test/fake-endpoint.js';
import { recordingLogger, testConfig } from '../../test/parts.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { nameSignal } from '../schedule/job-signals.js';
import { createEndpoint } from './endpoint.js';

const endpointOn = () => {
  const fake = fakeEndpoint(['rpc']);
  const { logger, lines } = recordingLogger();
  const [config] = testConfig().endpoints;
  if (config === undefined) throw new Error('no endpoint');
  const failures = createFailureLog(logger);
  const endpoint = createEndpoint(config, fake.connection, 1_000, fakeClock(), createOwnMetrics(), failures);
  const { signal } = new AbortController();
  const poll = () =>
    Promise.allSettled(
      (['status', 'net_info', 'num_unconfirmed_txs'] as const).map((method) => endpoint.rpc(method, {}, { signal })),
    );
  const answer = () => {
    Object.assign(fake.rpc, { status: statusResult(1n, 0), net_info: {}, num_unconfirmed_txs: {} });
  };
  const fail = (code: 'refused' | 'timeout', ...methods: string[]) => {
    for (const method of methods)
      fake.rpc[method] = new HubError({ code, message: `${method}: ${code}`, transport: 'rpc' });
  };
  return { poll, answer, fail, messages: () => lines.map(({ msg }) => msg) };
};
const all = ['status', 'net_info', 'num_unconfirmed_txs'];

test('endpoint: a transport that is down is logged when it starts, changes and ends, regardless of the request', async () => {
  const { poll, answer, fail, messages } = endpointOn();
  fail('refused', ...all);
  for (let round = 0; round < 5; round += 1) await poll();
  expect(messages()).toEqual(['failing']);
  fail('timeout', ...all);
  for (let round = 0; round < 5; round += 1) await poll();
  expect(messages()).toEqual(['failing', 'failure reason changed']);
  answer();
  for (let round = 0; round < 5; round += 1) await poll();
  expect(messages()).toEqual(['failing', 'failure reason changed', 'recovered']);
});

test('endpoint: one method that fails while the others work is one log line too', async () => {
  const { poll, answer, fail, messages } = endpointOn();
  answer();
  fail('timeout', 'net_info');
  for (let round = 0; round < 5; round += 1) await poll();
  expect(messages()).toEqual(['failing']);
});

test('endpoint: at debug level each failed request is one log line with its code', async () => {
  const fake = fakeEndpoint(['rpc']);
  const [config] = testConfig().endpoints;
  if (config === undefined) throw new Error('no endpoint');
  const { logger, lines } = recordingLogger('debug');
  const endpoint = createEndpoint(
    config,
    fake.connection,
    1_000,
    fakeClock(),
    createOwnMetrics(),
    createFailureLog(logger),
  );
  const failure = new HubError({ code: 'rate_limited', message: 'status: \u202e429\u0007', transport: 'rpc' });
  fake.rpc['status'] = failure;
  await expect(endpoint.rpc('status', {}, { signal: new AbortController().signal })).rejects.toBe(failure);
  expect(lines).toMatchObject([
    {
      msg: 'request failed',
      endpoint: 'own',
      transport: 'rpc',
      method: 'status',
      code: 'rate_limited',
      retryable: true,
      failure: 'status:  429 ',
    },
  ]);
});

test('endpoint: requests are counted under the requesting job, including failed ones', async () => {
  const fake = fakeEndpoint(['rpc']);
  const [config] = testConfig().endpoints;
  if (config === undefined) throw new Error('no endpoint');
  const own = createOwnMetrics();
  const failures = createFailureLog(recordingLogger().logger);
  const endpoint = createEndpoint(config, fake.connection, 1_000, fakeClock(), own, failures);
  const [ofJob, ofNone] = [new AbortController().signal, new AbortController().signal];
  nameSignal(ofJob, 'nodes');
  fake.rpc['status'] = statusResult(1n, 0);
  await endpoint.rpc('status', {}, { signal: ofJob });
  await Promise.allSettled([
    endpoint.rpc('net_info', {}, { signal: ofJob }),
    endpoint.rpc('status', {}, { signal: ofNone }),
  ]);
  const { values } = await own.pollRequests.get();
  expect(values.map(({ labels, value }) => [labels.job, value])).toEqual([
    ['nodes', 2],
    ['other', 1],
  ]);
});
