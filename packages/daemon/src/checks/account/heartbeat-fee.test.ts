import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockAt, feeOfSteps, feeOfTransaction } from './heartbeat-fee.js';

const node = 'sentnode1w6ssucq0rlmu6r460tfg3zvk43g4pphu50n8pa';
const account = 'sent1w6ssucq0rlmu6r460tfg3zvk43g4pphuzej7yt';
const event = (type: string, ...attributes: readonly (readonly [string, string | null])[]) => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
});
type Events = Parameters<typeof feeOfTransaction>[0];
const update = (of: string) =>
  event('hub.node.v3.EventUpdateStatus', ['node_address', `"${of}"`], ['status', '"active"']);

test('heartbeat fee: recorded transaction: 100000udvpn paid by the account of the node', () => {
  const events = [
    event('coin_spent', ['spender', account], ['amount', '100000udvpn']),
    event('tx', ['fee', '100000udvpn'], ['fee_payer', account]),
    event('tx', ['acc_seq', `${account}/1`]),
    update(node),
  ] as unknown as Events;
  expect(feeOfTransaction(events, node)).toEqual({ amount: 100_000n, denom: 'udvpn', payer: account });
  expect(feeOfTransaction(events, `${node}x`)).toBeUndefined();
});

test.each([
  ['a free heartbeat', ['fee', ''], 1, { amount: 0n, denom: 'udvpn', payer: account }],
  ['a transaction for three nodes is shared', ['fee', '300udvpn'], 3, { amount: 100n, denom: 'udvpn', payer: account }],
  ['a fee in two denominations is not told', ['fee', '1a/b/c,2udvpn'], 1, undefined],
  ['a fee that is none', ['fee', 'x'.repeat(100)], 1, undefined],
] as const)('heartbeat fee: %s', (_case, fee, updates, expected) => {
  const others = Array.from({ length: updates - 1 }, (_, index) => update(`sentnode1other${index}`));
  const events = [event('tx', fee, ['fee_payer', account]), update(node), ...others] as unknown as Events;
  expect(feeOfTransaction(events, node)).toEqual(expected);
});

test('heartbeat fee: property: blockAt() finds a block at any pace with at most 24 reads, 12 on average', async () => {
  const gaps = fc.array(fc.integer({ min: 1_000, max: 20_000 }), { minLength: 700, maxLength: 700 });
  let found = 0;
  let asked = 0;
  let readsInAll = 0;
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 0, max: 699 }), async (all, at) => {
      const times = [1_800_000_000_000];
      for (const gap of all) times.push((times.at(-1) ?? 0) + gap);
      const head = { height: BigInt(times.length), timeMs: times.at(-1) ?? 0 };
      let reads = 0;
      const height = await blockAt(times[at] ?? 0, head, (of) => {
        reads += 1;
        return Promise.resolve(times[Number(of) - 1] ?? 0);
      });
      expect(reads).toBeLessThanOrEqual(24);
      readsInAll += reads;
      asked += 1;
      if (height === undefined) return;
      found += 1;
      expect(height).toBe(BigInt(at + 1));
    }),
    { numRuns: 100 },
  );
  expect(found / asked).toBeGreaterThan(0.99);
  expect(readsInAll / asked).toBeLessThan(12);
});

test('heartbeat fee: a time that no block has does not match the next block', async () => {
  const head = { height: 100n, timeMs: 600_000 };
  expect(await blockAt(300_003, head, (height) => Promise.resolve(Number(height) * 6_000))).toBeUndefined();
});

test('heartbeat fee: property: falling balance: the fee is found despite top-ups and one withdrawal of any size', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('fee' as const) },
    { weight: 1, arbitrary: fc.bigInt(1n, 10n ** 12n) },
  );
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 9n),
      fc.array(step, { minLength: 10, maxLength: 50 }),
      fc.bigInt(1n, 10n ** 12n),
      (fee, script, withdrawal) => {
        fc.pre(script.filter((one) => one === 'fee').length >= 3);
        let balance = 10n ** 18n;
        const steps = [...script, -withdrawal].map((one) => {
          const before = balance;
          balance += one === 'fee' ? -fee : one;
          return { before: String(before), after: String(balance) };
        });
        expect(feeOfSteps(steps)).toBe(fee);
      },
    ),
  );
});

test('heartbeat fee: two decreases are too few for an estimate', () => {
  expect(
    feeOfSteps([
      { before: '9', after: '8' },
      { before: '8', after: '7' },
      { before: '7', after: '9' },
    ]),
  ).toBeUndefined();
});
