import { queryNodes, queryNodesForPlan } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { expect, test } from 'vitest';
import { fakeEndpoint, page, type Replies } from '../../test/fake-endpoint.js';
import { testParts } from '../../test/parts.js';
import { readPages } from './pages.js';

const method = 'hub.node.v3.QueryService/QueryNodes';

interface Asked {
  readonly pagination: {
    readonly key: Uint8Array;
    readonly limit: bigint;
    readonly countTotal: boolean;
    readonly offset: bigint;
  };
}

const walk = async (reply: Replies[string], maxPages?: number) => {
  const fake = fakeEndpoint();
  fake.queries[method] = reply;
  const { pool, signal } = testParts({ own: fake });
  const items: unknown[] = [];
  const { height } = await pool.read('nodes', signal, (source) =>
    readPages(
      source,
      {
        method: queryNodes,
        request: {},
        items: (answer) => answer.nodes,
        ...(maxPages === undefined ? {} : { maxPages }),
      },
      (taken) => items.push(...taken),
    ),
  );
  return { items, height };
};

test('pages: follows the key to its end, at the height of the first page, without offset or count', async () => {
  const asked: [Asked['pagination'], bigint | undefined][] = [];
  const result = await walk(({ pagination }: Asked, height: bigint | undefined) => {
    asked.push([pagination, height]);
    return page('nodes', [asked.length], asked.length < 3 ? Uint8Array.of(asked.length) : new Uint8Array());
  });
  expect(result).toEqual({ items: [1, 2, 3], height: 100n });
  expect(asked.map(([, height]) => height)).toEqual([undefined, 100n, 100n]);
  expect(asked.map(([{ key }]) => [...key])).toEqual([[], [1], [2]]);
  expect(asked.every(([{ countTotal, offset }]) => !countTotal && offset === 0n)).toBe(true);
});

test('pages: a missing pagination object ends the list', async () => {
  expect((await walk({ nodes: [1] })).items).toEqual([1]);
});

test('pages: a repeated key and endless pages are rejected', async () => {
  await expect(walk(() => page('nodes', [1], Uint8Array.of(7)))).rejects.toThrow('key is the last one again');
  let next = 0;
  await expect(walk(() => page('nodes', [1], Uint8Array.of((next += 1))), 3)).rejects.toThrow('more than 3 pages');
});

test('pages: a list that returns no next key without a key is started with one', async () => {
  const fake = fakeEndpoint();
  const keys: number[][] = [];
  fake.queries['hub.node.v3.QueryService/QueryNodesForPlan'] = ({ pagination }: Asked) => {
    keys.push([...pagination.key]);
    return page('nodes', [{}], pagination.key[0] === 0 ? Uint8Array.of(5) : new Uint8Array());
  };
  const { pool, signal } = testParts({ own: fake });
  const plan = {
    method: queryNodesForPlan,
    request: { id: 1n },
    items: (answer: { nodes: readonly unknown[] }) => answer.nodes,
  };
  let count = 0;
  await pool.read('nodes', signal, (source) => readPages(source, plan, (taken) => (count += taken.length)));
  expect(keys).toEqual([[0], [5]]);
  expect(count).toBe(2);
});
