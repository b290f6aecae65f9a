import { HubError } from '@hubwatch/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeEndpoint, time } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { arrivalMs, leastBlocks, paceOf, readPace, windowBlocks } from './block-pace.js';

const start = 1_800_000_000_000;
const head = { height: 950_000n, timeMs: start };

/** An endpoint of a chain with an even block pace, which has the blocks from `lowest` on. */
const holding = (lowest: bigint, msPerBlock = 6_000, halt?: { readonly at: bigint; readonly ms: number }) => {
  const fake = fakeEndpoint(['grpc', 'rpc']);
  const asked: bigint[] = [];
  fake.rpc['header'] = ({ height }: { height: bigint }) => {
    asked.push(height);
    if (height < lowest)
      return new HubError({
        code: 'height_not_retained',
        message: `height ${height} is not available, lowest height is ${lowest}`,
        transport: 'rpc',
        lowestHeight: lowest,
      });
    const halted = halt !== undefined && height < halt.at ? halt.ms : 0;
    return { header: { time: time(start - Number(head.height - height) * msPerBlock - halted) } };
  };
  return { fake, asked };
};

const read = (fakes: Parameters<typeof testParts>[0]) => {
  const { pool, signal } = testParts(fakes);
  return readPace(pool.endpoints, head, signal);
};

test('block pace: measured over 10,000 blocks in five parts, from the first endpoint that has them', async () => {
  const [near, far] = [holding(949_000n), holding(1n)];
  const pace = await read({ near: near.fake, far: far.fake });
  expect(pace).toEqual({ blocks: windowBlocks, msPerBlock: 6_000, fastestMs: 6_000, slowestMs: 6_000 });
  expect(near.asked).toEqual([940_000n]);
  expect(far.asked).toEqual([940_000n, 940_000n, 942_000n, 944_000n, 946_000n, 948_000n]);
});

test('block pace: no endpoint has all blocks: the longest available window is used, but at least 100 blocks', async () => {
  const pace = await read({ a: holding(949_900n).fake, b: holding(947_000n).fake });
  expect(pace).toMatchObject({ blocks: 3_000n, msPerBlock: 6_000 });
  expect(await read({ a: holding(950_000n - leastBlocks).fake })).toMatchObject({ blocks: leastBlocks });
  expect(await read({ a: holding(950_001n - leastBlocks).fake })).toBeUndefined();
});

test('block pace: a halt of two hours does not change the pace', async () => {
  const pace = await read({ a: holding(1n, 6_000, { at: 945_000n, ms: 7_200_000 }).fake });
  expect(pace).toMatchObject({ msPerBlock: 6_000, slowestMs: 9_600 });
});

test('block pace: read over gRPC if there is no consensus RPC', async () => {
  const fake = fakeEndpoint(['grpc']);
  fake.queries['stack.base.bft.v1beta1.Service/GetBlockByHeight'] = ({ height }: { height: bigint }) => ({
    sdkBlock: { header: { time: time(start - Number(head.height - height) * 5_000) } },
  });
  expect(await read({ fake })).toMatchObject({ blocks: windowBlocks, msPerBlock: 5_000 });
});

test('block pace: property: even chain: the predicted arrival is exact for any sampled blocks', () => {
  const steps = fc.array(fc.integer({ min: 100, max: 5_000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 60_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (parts, ms, ahead) => {
        let height = 1_000n;
        const points = [{ height, timeMs: start }];
        for (const part of parts) {
          height += BigInt(part);
          points.push({ height, timeMs: start + Number(height - 1_000n) * ms });
        }
        const pace = paceOf(points);
        const last = points.at(-1) ?? points[0];
        if (pace === undefined || last === undefined) throw new Error('no pace');
        expect(arrivalMs(last, last.height + BigInt(ahead), pace)).toBe(last.timeMs + ahead * ms);
      },
    ),
  );
});

test('block pace: property: a halt in one of five parts keeps the pace within the range of the others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1_000, max: 10_000 }), { minLength: 5, maxLength: 5 }),
      fc.nat(4),
      fc.integer({ min: 0, max: 10 ** 9 }),
      (paces, halted, haltMs) => {
        let timeMs = start;
        const points = [{ height: 0n, timeMs }];
        for (const [index, pace] of paces.entries()) {
          timeMs += pace * 2_000 + (index === halted ? haltMs : 0);
          points.push({ height: BigInt((index + 1) * 2_000), timeMs });
        }
        const others = paces.filter((_pace, index) => index !== halted);
        expect(paceOf(points)?.msPerBlock).toBeLessThanOrEqual(Math.max(...others));
        expect(paceOf(points)?.msPerBlock).toBeGreaterThanOrEqual(Math.min(...others, ...paces));
      },
    ),
  );
});
