import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, temporaryStore } from '../../test/parts.js';
import { createColumnsBuilder, type SessionRow } from './session-columns.js';
import { createSessionMemory } from './session-memory.js';
import { openStore } from './store.js';

const columnsOf = (rows: readonly (readonly [id: bigint, download: bigint, upload?: bigint])[]) => {
  const builder = createColumnsBuilder();
  for (const [id, download, upload = 0n] of rows)
    builder.add({ id, download, upload, deadline: 5 } satisfies SessionRow);
  return builder.done();
};

/** Numbers that look random and are the same in every run. */
const randomSource = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

test('transferred bytes: only what was added since the look before, new sessions whole, shrunk ones not at all', () => {
  const { history } = createSessionMemory(temporaryStore());
  expect(history.transferred('n')).toBeUndefined();
  history.take(
    'n',
    columnsOf([
      [1n, 100n, 10n],
      [2n, 50n],
    ]),
  );
  expect(history.transferred('n')).toMatchObject({ download: 0n, upload: 0n });
  history.take(
    'n',
    columnsOf([
      [1n, 130n, 10n],
      [3n, 7n, 1n],
    ]),
  );
  expect(history.transferred('n')).toMatchObject({ download: 37n, upload: 1n });
  history.take('n', columnsOf([[1n, 20n, 11n]]));
  expect(history.transferred('n')).toMatchObject({ download: 37n, upload: 2n });
});

test('transferred bytes: go on after a restart from where they were', () => {
  const path = join(temporaryFolder(), 'hubwatch.db');
  const first = openStore(path);
  const before = createSessionMemory(first).history;
  before.take('n', columnsOf([[1n, 100n]]));
  before.take(
    'n',
    columnsOf([
      [1n, 150n],
      [18_446_744_073_709_551_615n, 1n],
    ]),
  );
  first.close();
  const second = openStore(path);
  const { history } = createSessionMemory(second);
  expect(history.transferred('n')).toMatchObject({ download: 51n });
  expect(history.take('n', columnsOf([[1n, 160n]]))).toEqual({
    ended: 1,
    endedIds: [18_446_744_073_709_551_615n],
    lapsed: 0,
  });
  expect(history.transferred('n')).toMatchObject({ download: 61n });
  second.close();
});

test('transferred bytes: equal the sum of all that sessions moved, through any births and ends, in any order of the list', () => {
  const random = randomSource(7);
  const { history } = createSessionMemory(temporaryStore());
  const live = new Map<bigint, bigint>();
  let [next, truth] = [1n, 0n];
  for (let round = 0; round < 300; round += 1) {
    for (let birth = random(5); birth > 0; birth -= 1) live.set(next++, 0n);
    for (const [id, bytes] of live) {
      if (random(10) === 0) live.delete(id);
      else if (random(2) === 0) {
        const more = BigInt(random(1_000_000));
        live.set(id, bytes + more);
        if (round > 0) truth += more;
      }
    }
    const rows = [...live].map(([id, bytes]) => [id, bytes] as const);
    history.take('n', columnsOf(round % 3 === 0 ? rows.toReversed() : rows));
    expect(history.transferred('n')?.download).toBe(truth);
  }
});

test('session columns: a hundred thousand sessions of a node take 3 MB', () => {
  const columns = columnsOf(Array.from({ length: 100_000 }, (_, id) => [BigInt(id), 5n] as const));
  const { ids, downloads, uploads, deadlines } = columns;
  const bytes = [ids, downloads, uploads, deadlines].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBe(3_200_000);
  const { history } = createSessionMemory(temporaryStore());
  history.take('n', columns);
  expect(history.take('n', columns)).toMatchObject({ ended: 0 });
});

test('usual number of sessions: the average of a week, after a day, across restarts, by the hour', () => {
  const store = temporaryStore();
  const hour = 3_600_000;
  const { counts } = createSessionMemory(store);
  for (let at = 0; at < 24; at += 1) {
    counts.note('n', 1, at * hour);
    counts.note('n', 3, at * hour + hour / 2);
    expect(counts.usual('n')).toBeUndefined();
  }
  counts.note('n', 0, 24 * hour);
  expect(counts.usual('n')).toBe(2);
  const again = createSessionMemory(store).counts;
  expect(again.usual('n')).toBe(2);
  for (let at = 25; at < 24 + 170; at += 1) again.note('n', 0, at * hour);
  expect(again.usual('n')).toBe(0);
  expect(store.all('SELECT 1 FROM session_hours')).toHaveLength(168);
});
