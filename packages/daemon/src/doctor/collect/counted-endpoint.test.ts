import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { expect, onTestFinished, test } from 'vitest';
import { logLength, startLargeNode } from '../../../test/large-answers.js';
import { answerBytes } from '../../endpoints/answer-bytes.js';
import { connectLimited } from '../../endpoints/connection.js';
import { createBudget } from '../budget.js';
import { countedEndpoint } from './counted-endpoint.js';

test('counted endpoint: reads block results larger than a mebibyte, but no status of that size', async () => {
  const node = await startLargeNode();
  const budget = createBudget();
  const connection = connectLimited({ rpc: node.url, naming: identityNaming });
  const endpoint = countedEndpoint('own', connection, 5_000, budget);
  onTestFinished(() => endpoint.close());
  const { signal } = new AbortController();
  const { txsResults } = await endpoint.rpc('block_results', { height: 5n }, { signal });
  expect(txsResults[0]?.log).toHaveLength(logLength);
  const status = endpoint.rpc('status', {}, { signal });
  await expect(status).rejects.toThrow(`larger than the limit of ${answerBytes.probe} bytes`);
  expect(budget.spent()).toBe(2);
});
