import { HubError } from '@hubwatch/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeEndpoint, statusResult, time } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { rulesOfChecks } from '../../rules/of-checks.js';
import type { Check } from '../check.js';
import { boundLossMs, speedWith } from './bound-speed.js';
import { type BoundsReading, type BoundsTarget, historyBounds } from './history-bounds.js';

const start = 1_800_000_000_000;

/** An endpoint whose blocks begin at one height and whose index begins at another. */
const endpoint = () => {
  const fake = fakeEndpoint(['rpc']);
  const node = { newest: 2_000_000n, lowest: 1_000_000n, indexed: 1_500_000n, index: 'on', limited: false };
  fake.rpc['status'] = () => {
    const status = statusResult(node.newest, start + Number(node.newest - 2_000_000n) * 6_000);
    return {
      nodeInfo: { ...status.nodeInfo, txIndex: node.index },
      syncInfo: { ...status.syncInfo, earliestBlockHeight: node.lowest, earliestBlockTime: time(start) },
    };
  };
  fake.rpc['block_search'] = ({ query }: { query: string }) => {
    if (node.limited) return new HubError({ code: 'rate_limited', message: 'slow down', transport: 'rpc' });
    const height = BigInt(/^block\.height=(\d+)$/.exec(query)?.[1] ?? '0');
    return { blocks: [], totalCount: height >= node.indexed && height <= node.newest ? 1n : 0n };
  };
  const parts = testParts({ own: fake });
  const look = async (target: Partial<BoundsTarget> = {}) => {
    const of = { key: 'own', required: { block: undefined, tx: undefined }, earliest: undefined, ...target };
    const reading = await historyBounds.collect(of, parts);
    return { of, reading };
  };
  return { node, look };
};

const lines = ({ of, reading }: { of: BoundsTarget; reading: BoundsReading }): string[] =>
  historyBounds.metrics(of, reading).map(({ family, labels, value }) => `${family.name}{${labels.join()}} ${value}`);

const judge = (name: string, { of, reading }: { of: BoundsTarget; reading: BoundsReading }) =>
  historyBounds.rules?.find((rule) => rule.name === name)?.judge(of, reading, { head: undefined, clockMs: start });

test('history bounds: the lowest indexed height is found with at most 27 searches, and confirmed by two', async () => {
  const { look } = endpoint();
  const first = await look();
  expect(first.reading.tx?.lowest).toBe(1_500_000n);
  expect(first.reading.block?.lowest).toBe(1_000_000n);
  expect(first.reading.queries).toBeLessThanOrEqual(27);
  const second = await look();
  expect(second.reading.queries).toBeLessThanOrEqual(3);
  expect(lines(second)).toEqual(['hub_endpoint_earliest_indexed_height{own} 1500000']);
});

test('history bounds: without an index there is no search, and a rate limit does not count as a bound', async () => {
  const { node, look } = endpoint();
  node.limited = true;
  expect((await look()).reading.tx).toBeUndefined();
  node.limited = false;
  node.index = 'off';
  const off = await look();
  expect(off.reading).toMatchObject({ tx: undefined, queries: 0 });
  expect(
    judge('HubTxRetentionShort', { ...off, of: { ...off.of, required: { block: undefined, tx: 5n } } })?.state,
  ).toBe('unknown');
});

test('history bounds: a pruned block store has a speed, and a required height the time of its loss', async () => {
  const { node, look } = endpoint();
  const target = { earliest: 1_000_300n, required: { block: 1_000_000n, tx: 500_000n } };
  await look(target);
  node.newest += 600n;
  node.lowest += 200n;
  const second = await look(target);
  // 200 blocks in 600 blocks of 6 s.
  expect(lines(second)).toContain(`hub_endpoint_bound_speed_blocks_per_second{own,block,rpc} ${200 / 3_600}`);
  const verdict = judge('HubBlockLost', second);
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'own: the block of the required height 1000300 is lost at 2027-01-15 08:30:18 UTC',
  });
  node.lowest += 200n;
  expect(judge('HubBlockLost', await look(target))).toMatchObject({
    state: 'firing',
    title: 'own: the block of the required height 1000300 is lost',
  });
});

test('history bounds: too few blocks and a too short index are reported, with their depth', async () => {
  const { look } = endpoint();
  const short = await look({ required: { block: 1_000_001n, tx: 500_001n } });
  expect(judge('HubBlockRetentionShort', short)).toMatchObject({
    state: 'firing',
    title: 'own: holds blocks 1000000 deep where 1000001 are required',
  });
  expect(judge('HubTxRetentionShort', short)?.title).toBe(
    'own: holds searchable transactions 500000 deep where 500001 are required',
  );
  const enough = await look({ required: { block: 1_000_000n, tx: 500_000n } });
  for (const name of ['HubBlockRetentionShort', 'HubTxRetentionShort']) expect(judge(name, enough)?.state).toBe('ok');
});

test('history bounds: earliest height 0 is unknown, neither an archive nor a loss', async () => {
  const { node, look } = endpoint();
  node.lowest = 0n;
  const reading = await look({ earliest: 901_801n, required: { block: 10n, tx: undefined } });
  expect(reading.reading.block).toBeUndefined();
  expect(judge('HubBlockLost', reading)?.state).toBe('unknown');
  expect(judge('HubBlockRetentionShort', reading)?.state).toBe('unknown');
});

test('history bounds: rules have the same form as all others', () => {
  expect(rulesOfChecks([historyBounds as unknown as Check]).map(({ name }) => name)).toEqual([
    'HubBlockRetentionShort',
    'HubTxRetentionShort',
    'HubBlockLost',
  ]);
});

test('bound speed: property: exact for an evenly moving bound at any poll times; a decreased bound starts again', () => {
  const gaps = fc.array(fc.integer({ min: 1_000, max: 600_000 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 50 }), (looks, perMinute) => {
      let timeMs = start;
      let moves: Parameters<typeof speedWith>[0] = [];
      let speed: number | undefined;
      for (const gap of looks) {
        timeMs += gap * 60;
        const height = BigInt(Math.floor(((timeMs - start) / 60_000) * perMinute));
        ({ moves, blocksPerSecond: speed } = speedWith(moves, { timeMs, height }));
      }
      if (speed !== undefined) expect(speed).toBeCloseTo(perMinute / 60, 0);
      const back = speedWith(moves, { timeMs: timeMs + 1_000, height: -1n });
      expect(back.blocksPerSecond).toBeUndefined();
      expect(back.moves).toHaveLength(1);
    }),
  );
});

test('bound speed: property: higher heights are lost later, and a height below the bound is already lost', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 9n),
      fc.bigInt(0n, 10n ** 9n),
      fc.double({ min: 0.01, max: 10, noNaN: true }),
      (bound, above, speed) => {
        const at = boundLossMs(bound + above, bound, speed, start);
        const later = boundLossMs(bound + above + 1n, bound, speed, start);
        expect(at !== undefined && later !== undefined && start < at && at < later).toBe(true);
        expect(boundLossMs(bound - 1n, bound, speed, start)).toBeUndefined();
        expect(boundLossMs(bound + above, bound, 0, start)).toBeUndefined();
      },
    ),
  );
});
