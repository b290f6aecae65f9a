import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, temporaryStore } from '../../test/parts.js';
import { columnsToText, createColumnsBuilder, type SessionRow } from './session-columns.js';
import { createSessionHistory } from './session-history.js';
import { createSessionMemory } from './session-memory.js';
import { openStore, type Store } from './store.js';
import Libsql from 'libsql';
import { migrations } from './migrations.js';

const columnsOf = (rows: readonly (readonly [id: bigint, download: bigint, upload?: bigint])[]) => {
  const builder = createColumnsBuilder();
  for (const [id, download, upload = 0n] of rows)
    builder.add({ id, download, upload, deadline: 5 } satisfies SessionRow);
  return builder.done();
};

/** Pseudo-random numbers, identical in every run. */
const randomSource = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

test('transferred bytes: counts increases since the previous poll and new sessions in full, but no decreases', async () => {
  const { history } = createSessionMemory(temporaryStore());
  expect(history.transferred('n')).toBeUndefined();
  await history.take(
    'n',
    columnsOf([
      [1n, 100n, 10n],
      [2n, 50n],
    ]),
  );
  expect(history.transferred('n')).toMatchObject({ download: 0n, upload: 0n });
  await history.take(
    'n',
    columnsOf([
      [1n, 130n, 10n],
      [3n, 7n, 1n],
    ]),
  );
  expect(history.transferred('n')).toMatchObject({ download: 37n, upload: 1n });
  await history.take('n', columnsOf([[1n, 20n, 11n]]));
  expect(history.transferred('n')).toMatchObject({ download: 37n, upload: 2n });
});

test('transferred bytes: continue after a restart from the stored value', async () => {
  const path = join(temporaryFolder(), 'hubwatch.db');
  const first = openStore(path);
  const before = createSessionMemory(first).history;
  await before.take('n', columnsOf([[1n, 100n]]));
  await before.take(
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
  expect(await history.take('n', columnsOf([[1n, 160n]]))).toEqual({
    ended: 1,
    endedIds: [18_446_744_073_709_551_615n],
    lapsed: 0,
    silent: 0,
  });
  expect(history.transferred('n')).toMatchObject({ download: 61n });
  second.close();
});

test.each([3, 4_096])(
  'transferred bytes: equal the sum of all session traffic, for any starts and ends and any order of the list, in pieces of %i',
  async (pieceRows) => {
    const random = randomSource(7);
    const history = createSessionHistory(temporaryStore(), pieceRows);
    const live = new Map<bigint, bigint>();
    let [next, truth] = [1n, 0n];
    for (let round = 0; round < 100; round += 1) {
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
      await history.take('n', columnsOf(round % 3 === 0 ? rows.toReversed() : rows));
      expect(history.transferred('n')?.download).toBe(truth);
    }
  },
);

/** A store that fails at one of its writes, as if the process ended there. */
const dyingStore = (store: Store, writes: number): Store => {
  let left = writes;
  const live = (): void => {
    left -= 1;
    if (left < 0) throw new Error('the process ends');
  };
  return {
    ...store,
    run: (sql, ...values) => {
      live();
      store.run(sql, ...values);
    },
  };
};

test('transferred bytes: an interruption between any two writes loses no byte and counts none twice', async () => {
  const rows = (bytes: bigint) => columnsOf(Array.from({ length: 20 }, (_, id) => [BigInt(id), bytes] as const));
  for (const firstBytes of [0n, 100n]) {
    let failures = 0;
    for (let writes = 0; ; writes += 1) {
      const store = temporaryStore();
      if (firstBytes > 0n) await createSessionHistory(store, 3).take('n', rows(firstBytes));
      const failed = await createSessionHistory(dyingStore(store, writes), 3)
        .take('n', rows(150n))
        .then(
          () => false,
          () => true,
        );
      failures += failed ? 1 : 0;
      const after = createSessionHistory(store, 3);
      expect(await after.take('n', rows(150n))).toMatchObject({ ended: 0 });
      expect(await after.take('n', rows(160n))).toMatchObject({ ended: 0 });
      // Counts from the first completely stored list on.
      expect(after.transferred('n')).toMatchObject({ download: firstBytes > 0n ? 20n * 60n : 20n * 10n });
      if (!failed) break;
    }
    expect(failures).toBeGreaterThan(6);
  }
});

test('session history: pieces are written only after changes, and removed with their sessions', async () => {
  const store = temporaryStore();
  const history = createSessionHistory(store, 10);
  const written: string[] = [];
  const watched = createSessionHistory(
    { ...store, run: (sql, ...values) => (written.push(String(values[1])), store.run(sql, ...values)) },
    10,
  );
  const ids = Array.from({ length: 35 }, (_, id) => BigInt(id));
  const list = (of: readonly bigint[], moved?: bigint) =>
    columnsOf(of.map((id) => [id, id === moved ? 7n : 5n] as const));
  await history.take('n', list(ids));
  await watched.take('n', list(ids));
  expect(written).toEqual([]);
  await watched.take('n', list(ids, 13n));
  expect(written).toEqual(['10', '2']);
  const kept = [...ids.slice(20), 50n, 51n];
  expect(await watched.take('n', list(kept))).toMatchObject({ ended: 20, endedIds: ids.slice(0, 20) });
  expect(store.all('SELECT first FROM session_pieces').map(({ first }) => first)).toEqual(['20', '30']);
});

test('session history: a hundred thousand sessions block the event loop only for pieces of them', async () => {
  const store = temporaryStore();
  let longest = 0;
  const watched: Store = {
    ...store,
    run: (sql, ...values) => {
      for (const value of values) longest = Math.max(longest, String(value).length);
      store.run(sql, ...values);
    },
  };
  const history = createSessionHistory(watched);
  const rounds = { count: 0, isOver: false };
  const goRound = (): void => {
    rounds.count += 1;
    if (!rounds.isOver) setImmediate(goRound);
  };
  const all = (bytes: bigint) => columnsOf(Array.from({ length: 100_000 }, (_, id) => [BigInt(id), bytes] as const));
  await history.take('n', all(1n));
  setImmediate(goRound);
  await history.take('n', all(2n));
  rounds.isOver = true;
  expect(rounds.count).toBeGreaterThanOrEqual(24);
  expect(longest).toBeLessThan(200_000);
});

test('session history: the data of a file from an earlier version are compared with, and cut into pieces', async () => {
  const path = join(temporaryFolder(), 'hubwatch.db');
  const old = new Libsql(path);
  const at = migrations.findIndex((step) => step.includes('session_pieces'));
  for (const step of migrations.slice(0, at)) old.exec(step);
  const before = columnsToText(
    columnsOf([
      [1n, 100n],
      [2n, 5n],
    ]),
  );
  old
    .prepare('INSERT INTO node_sessions (node, download, upload, sessions) VALUES (?, ?, ?, ?)')
    .run('n', '40', '0', before);
  old.exec(`PRAGMA user_version = ${at}`);
  old.close();
  const store = openStore(path);
  const { history } = createSessionMemory(store);
  expect(
    await history.take(
      'n',
      columnsOf([
        [2n, 8n],
        [3n, 1n],
      ]),
    ),
  ).toEqual({ ended: 1, endedIds: [1n], lapsed: 0, silent: 0 });
  expect(history.transferred('n')).toMatchObject({ download: 44n });
  store.close();
});

test('session columns: a hundred thousand sessions of a node take 3 MB', async () => {
  const columns = columnsOf(Array.from({ length: 100_000 }, (_, id) => [BigInt(id), 5n] as const));
  const { ids, downloads, uploads, deadlines } = columns;
  const bytes = [ids, downloads, uploads, deadlines].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBe(3_200_000);
  const { history } = createSessionMemory(temporaryStore());
  await history.take('n', columns);
  expect(await history.take('n', columns)).toMatchObject({ ended: 0 });
});

const hour = 3_600_000;
/** Deadline of a session that has been ending since a block time. */
const endsSince = (ms: number): number => -ms;

/** Returns `silent` for each poll of a quiet node; each poll is a list of ids with bytes and a deadline. */
const silences = async (polls: readonly (readonly (readonly [id: bigint, bytes: bigint, deadline: number])[])[]) => {
  const store = temporaryStore();
  const told: number[] = [];
  for (const poll of polls) {
    const builder = createColumnsBuilder();
    for (const [id, download, deadline] of poll) builder.add({ id, download, upload: 0n, deadline });
    // A new history for each poll, as after a restart.
    told.push((await createSessionHistory(store, 2).take('n', builder.done())).silent);
  }
  return told;
};

test('silent sessions: consecutive lapses are counted until the next usage update', async () => {
  const one = [1n, 0n, 10 * hour] as const;
  expect(
    await silences([
      [one],
      [[1n, 0n, endsSince(10 * hour)]],
      // The session is gone, and there is no new one.
      [],
      [[2n, 0n, 16 * hour]],
      [[2n, 0n, endsSince(16 * hour)]],
      [[3n, 0n, 20 * hour]],
      [[3n, 5n, 21 * hour]],
      [[3n, 5n, endsSince(21 * hour)]],
    ]),
  ).toEqual([0, 1, 1, 1, 2, 2, 0, 1]);
});

test('silent sessions: a session that is silent while another is updated is idle; a cancelled one is not silent', async () => {
  expect(
    await silences([
      [
        [1n, 0n, 10 * hour],
        [2n, 0n, 10 * hour],
        [3n, 0n, 10 * hour],
      ],
      [
        [1n, 0n, 10 * hour],
        [2n, 7n, 11 * hour],
        [3n, 0n, endsSince(9 * hour)],
      ],
      [
        [1n, 0n, endsSince(10 * hour)],
        [2n, 7n, 11 * hour],
        [3n, 0n, endsSince(9 * hour)],
      ],
      [[2n, 7n, endsSince(11 * hour)]],
    ]),
  ).toEqual([0, 0, 0, 1]);
});

test('silent sessions: a new session with transferred bytes shows that the node reports', async () => {
  expect(await silences([[[1n, 0n, 10 * hour]], [[1n, 0n, endsSince(10 * hour)]], [[2n, 9n, 13 * hour]]])).toEqual([
    0, 1, 0,
  ]);
});

test('usual number of sessions: hourly values, averaged over a week, available after a day, across restarts', () => {
  const store = temporaryStore();
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
