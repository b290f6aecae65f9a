import type { Transport } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../test/fake-endpoint.js';
import { emptyPopulation, servePopulation } from '../../test/population.js';
import { nodes } from './collections/nodes.js';
import { readList } from './read-list.js';

test('read list: the event loop runs between pages, regardless of their rate', async () => {
  const own = fakeEndpoint();
  const population = { ...emptyPopulation, nodes: Array.from({ length: 60 }, () => ({ status: 1 })) };
  const roundsAtPage: number[] = [];
  const rounds = { count: 0, isOver: false };
  const goRound = (): void => {
    rounds.count += 1;
    if (!rounds.isOver) setImmediate(goRound);
  };
  servePopulation(
    own,
    () => population,
    () => void roundsAtPage.push(rounds.count),
  );
  setImmediate(goRound);
  const place = { height: undefined, pageSize: 10, signal: new AbortController().signal };
  const count = await readList(
    own.connection.grpc as Transport<'grpc'>,
    nodes,
    () => Promise.resolve({ chainMs: 0 }),
    place,
  );
  rounds.isOver = true;
  expect(count.records).toBe(60);
  // Two pages are requested before the first is counted; from then on there is an event loop turn between any two.
  expect(new Set(roundsAtPage.slice(1)).size).toBe(5);
});
