import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hourMs, leaseOf, priceOf } from '../../test/lease-records.js';
import { time } from '../../test/fake-endpoint.js';
import { hoursIncome } from './expected-income.js';
import { boundless } from './purse.js';
import { isAllowed, priceStep } from './renewal-policy.js';
import { type ExpectedIncome, type LeaseFacts, lookAtTogether } from './renewal-timeline.js';

const minute = 60_000;
/** The price is 100 per hour. */
const facts: LeaseFacts = {
  providerStatus: 1,
  node: { status: 1, hourlyPrices: [priceOf(100)] },
  params: { minHours: 1n, maxHours: 720n },
  assets: [],
};
const endsIn = (id: number, hours: number, ms: number, changes: Partial<Lease> = {}): Lease =>
  leaseOf({ id: BigInt(id), maxHours: BigInt(hours), startAt: time(ms - hours * hourMs), ...changes });
const pays = (ms: number, amount: bigint, isSure = true): ExpectedIncome => ({
  at: time(ms),
  denom: 'udvpn',
  amount,
  isSure,
  from: 'subscriptions',
});

/** Sentences about leases, in the given order, which is the order of their ends. */
const said = (
  leases: readonly Lease[],
  balance: bigint,
  income: readonly ExpectedIncome[] = [],
  factsOf: (lease: Lease) => LeaseFacts = () => facts,
) =>
  lookAtTogether(
    leases,
    factsOf,
    () => balance,
    () => income,
  ).map(({ forecast, preconditions }) => forecast?.sentence ?? preconditions.find(({ holds }) => !holds)?.sentence);

const short = endsIn(1, 1, 50 * hourMs);
const long = endsIn(2, 4, 53 * hourMs + 30 * minute);

test('renewals ahead: a short lease is renewed several times before a longer one ends, and charged each time', () => {
  expect(said([short, long], 800n)).toEqual([
    'renews for 1 h at 100 udvpn an hour, now 100 udvpn',
    'renews for 4 h at 100 udvpn an hour, now 100 udvpn',
  ]);
  expect(said([short, long], 799n)[1]).toBe(
    "ends: the provider's balance 399 udvpn that the 4 renewals before it leave does not cover 4 h x 100 udvpn = 400 udvpn",
  );
});

test('renewals ahead: a renewal due within minutes of the end leaves the order open, because terms drift by blocks', () => {
  const close = endsIn(2, 4, 53 * hourMs + 2 * minute);
  expect(said([short, close], 800n)[1]).toMatch(/^renews/);
  expect(said([short, close], 799n)[1]).toBe(
    "whether the provider's balance 499 udvpn that the 3 renewals before it leave covers 4 h x 100 udvpn = 400 udvpn depends on what comes in or is renewed within minutes of it",
  );
  expect(said([short, close], 699n)[1]).toMatch(/^ends/);
});

test('renewals ahead: a policy that requires a lower price renews a short lease once, not again at the same price', () => {
  const once = endsIn(1, 1, 50 * hourMs, { price: priceOf(120), renewalPricePolicy: 1 });
  expect(said([once, long], 500n)[1]).toMatch(/^renews/);
  expect(said([once, long], 499n)[1]).toMatch(
    /^ends: the provider's balance 399 udvpn that the renewal before it leaves/,
  );
});

test('renewals ahead: earlier income counts, income in the same block does not, and uncertain income is named', () => {
  expect(said([long], 100n, [pays(53 * hourMs, 300n)])[0]).toMatch(/^renews/);
  expect(said([long], 100n, [pays(53 * hourMs, 299n)])[0]).toBe(
    "ends: the provider's balance 399 udvpn, with 299 udvpn that come in before it, does not cover 4 h x 100 udvpn = 400 udvpn",
  );
  expect(said([long], 100n, [pays(53 * hourMs + 29 * minute, 300n)])[0]).toMatch(/within minutes of it$/);
  expect(said([long], 100n, [pays(53 * hourMs + 30 * minute + 1, 300n)])[0]).toMatch(/^ends/);
  expect(said([long], 100n, [pays(53 * hourMs, 300n, false)])[0]).toBe(
    "whether the provider's balance of at most 400 udvpn covers 4 h x 100 udvpn = 400 udvpn depends on renewals of subscriptions to its plans before it",
  );
  expect(said([long], 100n, [pays(0, boundless, false)])[0]).toMatch(/^whether the provider's balance covers/);
});

test('renewals ahead: hours on the own node are income, those of the next term only if it is renewed', () => {
  const own = endsIn(1, 4, 51 * hourMs, { hours: 1n, maxHours: 4n });
  const income = hoursIncome(own, '0.200000000000000000', BigInt(60 * 3_600));
  expect(income.slice(0, 4).map(({ amount, isSure }) => [amount, isSure])).toEqual([
    [80n, true],
    [80n, true],
    [80n, true],
    [80n, false],
  ]);
  expect(hoursIncome({ ...own, renewalPricePolicy: 0 }, '0.2', boundless)).toHaveLength(3);
  // 160 and 3 x 80 are certain before the end.
  expect(said([own], 160n, income)[0]).toMatch(/^renews/);
  expect(said([own], 159n, income)[0]).toMatch(/^ends.* with 240 udvpn that come in before it/);
});

test('renewals ahead: an open lease is open for each of its terms', () => {
  const factsOf = ({ id }: Lease): LeaseFacts => (id === 1n ? { ...facts, node: undefined } : facts);
  expect(said([short, long], 800n, [], factsOf)[1]).toMatch(/^renews/);
  expect(said([short, long], 799n, [], factsOf)[1]).toMatch(/depends on renewals before it$/);
});

test('renewals ahead: terms more than a week ahead are not followed, and may use the whole balance', () => {
  const far = endsIn(2, 4, 50 * hourMs + 8 * 24 * hourMs);
  expect(said([short, far], 10n ** 9n)[1]).toMatch(/depends on renewals before it/);
  const many = Array.from({ length: 400 }, (_, at) => endsIn(at + 10, 1, 50 * hourMs + at));
  expect(said([...many, endsIn(1, 4, 50 * hourMs + 7 * 24 * hourMs)], 10n ** 9n).at(-1)).toMatch(/depends on renewals/);
});

/**
 * Simulates a chain with blocks of any length; leases are processed before income. Returns its decision at the end of each
 * lease's current term.
 */
const played = (
  leases: readonly Lease[],
  balance: bigint,
  income: readonly ExpectedIncome[],
  gapsMs: readonly number[],
) => {
  const running = leases.map((lease, at) => ({
    lease,
    at,
    endMs: Number(lease.startAt?.seconds) * 1_000 + Number(lease.maxHours) * hourMs,
  }));
  const waiting = income.map((one) => ({ ...one, ms: Number(one.at.seconds) * 1_000 }));
  const results: (boolean | undefined)[] = leases.map(() => undefined);
  let money = balance;
  for (let [block, ms] = [0, 0]; ms < 40 * hourMs; block += 1, ms += gapsMs[block % gapsMs.length] as number) {
    const due = running.filter(({ endMs }) => endMs <= ms).toSorted((a, b) => a.endMs - b.endMs || a.at - b.at);
    for (const one of due) {
      const cost = one.lease.maxHours * 100n;
      const policy = isAllowed(one.lease.renewalPricePolicy, priceStep(priceOf(100), one.lease.price));
      const renews = policy === true && cost <= money;
      results[one.at] ??= renews;
      if (renews) {
        money -= cost;
        one.lease = { ...one.lease, price: priceOf(100) };
        one.endMs = ms + Number(one.lease.maxHours) * hourMs;
      } else one.endMs = Number.POSITIVE_INFINITY;
    }
    for (const one of waiting) {
      if (one.ms > ms) continue;
      if (one.isSure || one.amount % 2n === 0n) money += one.amount;
      one.ms = Number.POSITIVE_INFINITY;
    }
  }
  return results;
};

test('renewals ahead: a renewal that income within minutes may pay for uses it before the next one', () => {
  const policy = { renewalPricePolicy: 1, price: priceOf(120) };
  const [first, second] = [endsIn(1, 1, 50 * hourMs, policy), endsIn(2, 2, 50 * hourMs + minute, policy)];
  // The income of 200 certainly arrived before the second renewal; the first may have used 100 of it.
  expect(said([first, second], 0n, [pays(50 * hourMs - minute, 200n)])[1]).toMatch(/depends on/);
  expect(said([first, second], 0n, [pays(50 * hourMs - minute, 320n)])[1]).toMatch(/^renews/);
});

test('renewals ahead: a renewal due at about the time of income may use it, because terms drift by blocks', () => {
  const three = [1, 2, 3].map((id) => endsIn(id, 1, 50 * hourMs));
  const late = endsIn(4, 1, 60 * hourMs + 2 * minute);
  // Ten rounds of three cost more than the balance; an eleventh may follow after the income.
  expect(said([...three, late], 2_800n, [pays(60 * hourMs, 100n)])[3]).toMatch(/depends on/);
});

test('renewals ahead: property: every certain statement matches the chain, for any block times', () => {
  const leaseArb = fc.record({
    hours: fc.integer({ min: 1, max: 6 }),
    endMinutes: fc.integer({ min: 1, max: 12 * 60 }),
    policy: fc.constantFrom(1, 2, 7),
    price: fc.constantFrom(100, 120),
  });
  const incomeArb = fc.record({
    minutes: fc.integer({ min: 1, max: 12 * 60 }),
    amount: fc.bigInt(1n, 400n),
    isSure: fc.boolean(),
  });
  let sure = 0;
  let all = 0;
  fc.assert(
    fc.property(
      fc.array(leaseArb, { minLength: 1, maxLength: 5 }),
      fc.array(incomeArb, { maxLength: 5 }),
      fc.bigInt(0n, 3_000n),
      fc.array(fc.integer({ min: 1_000, max: 55_000 }), { minLength: 1, maxLength: 9 }),
      (some, coming, balance, gapsMs) => {
        const leases = some
          .toSorted((a, b) => a.endMinutes - b.endMinutes)
          .map(({ hours, endMinutes, policy, price }, at) =>
            endsIn(at, hours, endMinutes * minute, { renewalPricePolicy: policy, price: priceOf(price) }),
          );
        const income = coming.map(({ minutes, amount, isSure }) => pays(minutes * minute, amount, isSure));
        const told = lookAtTogether(
          leases,
          () => facts,
          () => balance,
          () => income,
        );
        const done = played(leases, balance, income, gapsMs);
        for (const [at, { forecast }] of told.entries()) {
          all += 1;
          if (forecast === undefined) continue;
          sure += 1;
          expect([at, forecast.renews]).toEqual([at, done[at]]);
        }
      },
    ),
    { numRuns: 400 },
  );
  // Most statements are certain; otherwise the property would show little.
  expect(sure / all).toBeGreaterThan(0.6);
});
