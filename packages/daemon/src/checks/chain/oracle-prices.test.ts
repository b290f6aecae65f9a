import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeEndpoint, page } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { blocksStill, oraclePrices } from './oracle-prices.js';

const chain = () => {
  const fake = fakeEndpoint();
  const set = (height: bigint, assets: readonly (readonly [string, string, bigint])[], blockInterval = 100n): void => {
    fake.height = height;
    fake.queries['hub.oracle.v1.QueryService/QueryParams'] = { params: { blockInterval, channelId: 'channel-3' } };
    fake.queries['hub.oracle.v1.QueryService/QueryAssets'] = page(
      'assets',
      assets.map(([denom, spotPrice, spotPriceHeight]) => ({ denom, spotPrice, spotPriceHeight })),
    );
  };
  const parts = testParts({ own: fake });
  const [target] = oraclePrices.targets(parts.config);
  const [rule] = oraclePrices.rules ?? [];
  if (target === undefined || rule === undefined) throw new Error('no target');
  const look = async () => {
    const reading = await oraclePrices.collect(target, parts);
    const moment = { head: { height: fake.height, timeMs: 0 }, clockMs: 0 };
    return { reading, verdict: rule.judge(target, reading, moment), samples: oraclePrices.metrics(target, reading) };
  };
  return { set, look };
};

const zero = '0.000000000000000000';

test('oracle: price whose height no longer changes: stale, and the notice states the consequence', async () => {
  const { set, look } = chain();
  // The other chain is far ahead of this one; its heights are not compared with those of the hub.
  set(1_000n, [['uatom', '4.500000000000000000', 25_000_000n]]);
  expect((await look()).verdict.state).toBe('ok');
  set(2_000n, [['uatom', '4.600000000000000000', 25_003_000n]]);
  expect((await look()).verdict.state).toBe('ok');
  set(3_800n, [['uatom', '4.600000000000000000', 25_003_000n]]);
  expect((await look()).verdict.state).toBe('ok');
  set(3_801n, [['uatom', '4.600000000000000000', 25_003_000n]]);
  const { verdict, samples } = await look();
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'hub-test: the oracle is frozen: 1 price did not move for over 1800 blocks',
  });
  expect(verdict.text).toContain(
    'uatom: 4.600000000000000000 of height 25003000 of the other chain, seen at 2000, 1801 blocks ago',
  );
  expect(verdict.text).toContain('is paid by the last price that came');
  expect(samples.map(({ family, value }) => [family.name, value])).toEqual([
    ['hub_oracle_asset_price', 4.6],
    ['hub_oracle_asset_price_height', 25_003_000],
    ['hub_oracle_asset_price_seen_height', 2_000],
  ]);
  set(3_900n, [['uatom', '4.700000000000000000', 25_009_000n]]);
  expect((await look()).verdict.state).toBe('ok');
});

test('oracle: price 0 at height 0, the normal state of release 12.0.2, never fires an alert', async () => {
  const { set, look } = chain();
  for (const height of [1_000n, 100_000n]) {
    set(height, [['udvpn', zero, 0n]]);
    const { verdict, samples } = await look();
    expect(verdict.state).toBe('ok');
    expect(samples.some(({ family }) => family.name.includes('seen'))).toBe(false);
  }
});

test('oracle: long interval: prices are stale only after ten intervals', async () => {
  const { set, look } = chain();
  set(1_000n, [['uatom', '4.5', 7n]], 1_000n);
  await look();
  set(11_000n, [['uatom', '4.5', 7n]], 1_000n);
  expect((await look()).verdict.state).toBe('ok');
  set(11_001n, [['uatom', '4.5', 7n]], 1_000n);
  expect((await look()).verdict.state).toBe('firing');
});

test('oracle: property: the age of a price is never negative, and a price that was never set has no age', () => {
  const height = fc.bigInt(0n, 10n ** 12n);
  fc.assert(
    fc.property(height, height, height, (priceHeight, seenHeight, head) => {
      const still = blocksStill({ denom: 'x', price: '1', priceHeight, seenHeight }, head);
      expect(still === undefined || still >= 0n).toBe(true);
      if (priceHeight === 0n) expect(still).toBeUndefined();
    }),
  );
});
