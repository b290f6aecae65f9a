import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { endpointAt, logLength, startLargeNode } from '../../test/large-answers.js';
import { recordingLogger } from '../../test/parts.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { answerBytes } from './answer-bytes.js';
import { connectTo } from './connection.js';
import { createEndpoint } from './endpoint.js';

const { signal } = new AbortController();

test('connection: each call accepts responses up to the limit of its method, unless the caller sets a limit', async () => {
  const node = await startLargeNode();
  const connection = connectTo(endpointAt(node.url), 5_000);
  onTestFinished(() => connection.close());
  const { rpc } = connection;
  expect((await rpc?.call('block_results', { height: 5n }))?.txsResults[0]?.log).toHaveLength(logLength);
  expect((await rpc?.call('net_info'))?.peers).toEqual([]);
  await expect(rpc?.call('status')).rejects.toThrow(`larger than the limit of ${answerBytes.probe} bytes`);
  await expect(rpc?.call('net_info', {}, { maxBytes: 1_000 })).rejects.toThrow('larger than the limit of 1000 bytes');
});

test('endpoint: reads the results of a block larger than a mebibyte', async () => {
  const node = await startLargeNode();
  const config = endpointAt(node.url);
  const failures = createFailureLog(recordingLogger().logger);
  const connection = connectTo(config, 5_000);
  const endpoint = createEndpoint(config, connection, 5_000, fakeClock(), createOwnMetrics(), failures);
  onTestFinished(() => endpoint.close());
  const { txsResults } = await endpoint.rpc('block_results', { height: 5n }, { signal });
  expect(txsResults[0]?.log).toHaveLength(logLength);
});
