import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../test/fake-endpoint.js';
import { testParts } from '../../test/parts.js';
import { indexHas, indexLag } from './index-search.js';

/** An endpoint whose index contains the heights accepted by `search`. */
const indexed = (search: (height: bigint) => boolean | Error) => {
  const fake = fakeEndpoint(['rpc']);
  const asked: bigint[] = [];
  fake.rpc['block_search'] = ({ query }: { query: string }) => {
    const height = BigInt(query.replace('block.height=', ''));
    asked.push(height);
    const found = search(height);
    return found instanceof Error ? found : { totalCount: found ? 1n : 0n, blocks: [] };
  };
  const parts = testParts({ own: fake });
  const [endpoint] = parts.pool.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  return { endpoint, asked };
};
const { signal } = new AbortController();
const bounds = { first: 901_801n, newest: 905_000n };
const failure = (code: 'height_not_retained' | 'unimplemented') =>
  new HubError({ code, message: code, transport: 'rpc' });

test('index search: the lag is the first of 1, 10, 100 and 1000 blocks at which an entry is found', async () => {
  const { endpoint, asked } = indexed((height) => height <= 904_950n);
  expect(await indexLag(endpoint, bounds, signal)).toBe(100n);
  expect(asked).toEqual([904_999n, 904_990n, 904_900n]);
});

test('index search: an index that lacks the last thousand blocks, and a chain too short to decide', async () => {
  const { endpoint, asked } = indexed(() => false);
  expect(await indexLag(endpoint, bounds, signal)).toBe('none_found');
  expect(await indexLag(endpoint, { first: 901_801n, newest: 901_801n }, signal)).toBeUndefined();
  expect(asked).toHaveLength(4);
});

test('index search: an entry whose block is pruned counts as present; other failures are thrown', async () => {
  expect(await indexHas(indexed(() => failure('height_not_retained')).endpoint, 901_900n, signal)).toBe(true);
  await expect(indexHas(indexed(() => failure('unimplemented')).endpoint, 901_900n, signal)).rejects.toThrow();
});
