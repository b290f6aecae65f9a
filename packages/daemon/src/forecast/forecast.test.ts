import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { describe, expect, test } from 'vitest';
import { forecastLease, lookAtLease } from './lease-renewal.js';
import type { RenewalFacts } from './renewal-preconditions.js';
import { leaseTerms, refundAt } from './lease-terms.js';
import { fullPurse } from './purse.js';
import { quotedPrice } from './quoted-price.js';
import { isAllowed, priceStep } from './renewal-policy.js';
import { forecastTogether, lookAtTogether } from './renewal-timeline.js';
import { sessionCost } from './session-cost.js';
import { splitPayment } from './share.js';
import { forecastSubscription, forecastSubscriptions } from './subscription-renewal.js';

const zero = '0.000000000000000000';
const share = '0.200000000000000000';
const price = (quoteValue: string, baseValue = zero, denom = 'udvpn'): Price => ({ denom, baseValue, quoteValue });
const startAt = { seconds: 1_000_000n, nanos: 7 };

const lease = (changes: Partial<Lease> = {}): Lease => ({
  id: 4n,
  provAddress: 'sentprov1x',
  nodeAddress: 'sentnode1x',
  price: price('1000'),
  hours: 2n,
  maxHours: 4n,
  renewalPricePolicy: RenewalPricePolicy.RENEWAL_PRICE_POLICY_IF_LESSER_OR_EQUAL,
  startAt,
  ...changes,
});

const facts = (changes: Partial<RenewalFacts> = {}): RenewalFacts => ({
  providerStatus: Status.STATUS_ACTIVE,
  node: { status: Status.STATUS_ACTIVE, hourlyPrices: [price('900')] },
  params: { minHours: 1n, maxHours: 720n },
  assets: [],
  purse: fullPurse(3_600n),
  ...changes,
});

const node = (...hourlyPrices: Price[]) => ({ status: Status.STATUS_ACTIVE, hourlyPrices });

describe('leaseTerms', () => {
  test('lease terms: the next hour is paid in advance, unpaid hours are locked', () => {
    expect(leaseTerms(lease())).toEqual({
      endsAt: { seconds: 1_014_400n, nanos: 7 },
      nextPayoutAt: { seconds: 1_007_200n, nanos: 7 },
      hourly: 1_000n,
      locked: 2_000n,
    });
  });

  test('lease terms: with every hour paid there is no further payout and nothing locked', () => {
    expect(leaseTerms(lease({ hours: 4n }))).toMatchObject({ nextPayoutAt: undefined, locked: 0n });
    expect(leaseTerms(lease({ startAt: undefined }))).toBeUndefined();
  });
});

describe('refundAt', () => {
  test('lease refund: hours not due in the block of the end, hour by hour; nothing at the regular end', () => {
    const at = (seconds: bigint, nanos = 7) => refundAt(lease({ hours: 1n }), { seconds, nanos });
    expect(at(1_000_000n)).toBe(3_000n);
    expect(at(1_003_600n, 6)).toBe(3_000n);
    expect(at(1_003_600n)).toBe(2_000n);
    expect(at(1_014_400n)).toBe(0n);
    expect(at(999_999n)).toBe(3_000n);
    expect(refundAt(lease({ startAt: undefined }), startAt)).toBeUndefined();
  });
});

describe('sessionCost', () => {
  const session = (base: object, quote = '10'): Session =>
    ({
      baseSession: {
        downloadBytes: '0',
        uploadBytes: '0',
        maxBytes: '0',
        duration: { seconds: 0n, nanos: 0 },
        maxDuration: { seconds: 0n, nanos: 0 },
        ...base,
      },
      price: price(quote),
    }) as unknown as Session;

  test.each([
    ['bytes, rounded up', { maxBytes: '2000000000', downloadBytes: '1', uploadBytes: '0' }, [20n, 1n, 19n, 1n, 0n]],
    ['more bytes than sold', { maxBytes: '2000000000', downloadBytes: '9000000000' }, [20n, 20n, 0n, 4n, 16n]],
    [
      'hours',
      { maxDuration: { seconds: 7_200n, nanos: 0 }, duration: { seconds: 3_600n, nanos: 1 } },
      [20n, 11n, 9n, 3n, 8n],
    ],
    ['nothing used', { maxBytes: '1000000000' }, [10n, 0n, 10n, 0n, 0n]],
  ])(
    'session cost by %s: at most the deposit, stakers first',
    (_, base, [deposit, payment, refund, toStakers, toReceiver]) => {
      expect(sessionCost(session(base), share)).toEqual({
        denom: 'udvpn',
        deposit,
        payment,
        refund,
        toStakers,
        toReceiver,
      });
    },
  );

  test('session cost: unknown without the base record', () => {
    expect(sessionCost({ ...session({}), baseSession: undefined }, share)).toBeUndefined();
  });

  test('payment split: exact beyond 2^53', () => {
    expect(splitPayment(10n ** 30n + 1n, share)).toEqual({
      toStakers: 2n * 10n ** 29n + 1n,
      toReceiver: 8n * 10n ** 29n,
    });
  });
});

describe('prices', () => {
  test('price step: base values decide if either price has one', () => {
    expect(priceStep(price('4925', '0.010000000000000000'), price('1000001'))).toBe('higher');
    expect(priceStep(price('9', zero), price('1', '0.010000000000000000'))).toBe('lower');
    expect(priceStep(price('9'), price('9'))).toBe('equal');
  });

  test('quoted price: converted at the spot price, truncated; a conversion to zero keeps the declared value', () => {
    const assets = [{ denom: 'udvpn', spotPrice: '2500.500000000000000000' }];
    const list = [price('7', '0.010000000000000000')];
    expect(quotedPrice(list, 'udvpn', assets)?.quoteValue).toBe('25');
    expect(quotedPrice(list, 'udvpn', [{ denom: 'udvpn', spotPrice: zero }])?.quoteValue).toBe('7');
    expect(quotedPrice(list, 'udvpn', [])).toBeUndefined();
    expect(quotedPrice(list, 'other', assets)).toBeUndefined();
    expect(quotedPrice([], 'other', [])?.quoteValue).toBe('0');
  });

  const policies = Object.entries(RenewalPricePolicy).map(([name, policy]) => [
    name.replace('RENEWAL_PRICE_POLICY_', '').toLowerCase(),
    (['lower', 'equal', 'higher'] as const).filter((step) => isAllowed(policy, step)),
  ]);

  test('renewal policies: which prices each accepts', () => {
    expect(Object.fromEntries(policies)).toEqual({
      unspecified: [],
      if_lesser: ['lower'],
      if_lesser_or_equal: ['lower', 'equal'],
      if_equal: ['equal'],
      if_not_equal: ['lower', 'higher'],
      if_greater: ['higher'],
      if_greater_or_equal: ['equal', 'higher'],
      always: ['lower', 'equal', 'higher'],
    });
    expect(isAllowed(99, 'lower')).toBeUndefined();
    expect(isAllowed('if_moon' as RenewalPricePolicy, 'lower')).toBeUndefined();
  });
});

describe('forecastLease', () => {
  test('lease forecast: renews at the new price and contains its cost', () => {
    expect(forecastLease(lease(), facts())).toEqual({
      renews: true,
      price: price('900'),
      deposit: 3_600n,
      sentence: 'renews for 4 h at 900 udvpn an hour, now 1\u202f000 udvpn',
    });
  });

  test.each([
    ['policy_off', {}, { renewalPricePolicy: 0 }],
    ['provider_inactive', { providerStatus: Status.STATUS_INACTIVE }, {}],
    ['node_inactive', { node: { status: Status.STATUS_INACTIVE, hourlyPrices: [] } }, {}],
    ['term_out_of_bounds', { params: { minHours: 5n, maxHours: 9n } }, {}],
    ['not_sold', { node: node(price('1', zero, 'other')) }, {}],
    ['price_higher', { node: node(price('1001')) }, {}],
    ['policy_refuses', { node: node(price('1000')) }, { renewalPricePolicy: 1 }],
    ['balance_short', { purse: fullPurse(3_599n) }, {}],
  ])('lease forecast: ends because of %s', (reason, changed, changes) => {
    expect(forecastLease(lease(changes), facts(changed))).toMatchObject({ renews: false, reason });
  });

  const steps = ['lower', 'equal', 'higher'] as const;
  const asked = { lower: '1', equal: '2', higher: '3' };
  const renewing: Readonly<Record<string, readonly string[]>> = {
    UNSPECIFIED: [],
    IF_LESSER: ['lower'],
    IF_LESSER_OR_EQUAL: ['lower', 'equal'],
    IF_EQUAL: ['equal'],
    IF_NOT_EQUAL: ['lower'],
    IF_GREATER: [],
    IF_GREATER_OR_EQUAL: ['equal'],
    ALWAYS: ['lower', 'equal'],
  };

  test.each(Object.keys(renewing))('lease forecast: %s renews at these prices, by quote and by base value', (name) => {
    const renewalPricePolicy = RenewalPricePolicy[`RENEWAL_PRICE_POLICY_${name}` as keyof typeof RenewalPricePolicy];
    const base = (value: string) => `${value}.000000000000000000`;
    const renews = (now: Price, next: Price) =>
      forecastLease(
        lease({ price: now, renewalPricePolicy }),
        facts({ node: node(next), assets, purse: fullPurse(99n) }),
      )?.renews;
    const assets = [{ denom: 'udvpn', spotPrice: zero }];
    expect(steps.filter((step) => renews(price('2'), price(asked[step])))).toEqual(renewing[name]);
    const byBase = steps.filter((step) => renews(price('9', base('2')), price('9', base(asked[step]))));
    expect(byBase).toEqual(renewing[name]);
  });

  test('lease forecast: open only while a deciding fact is missing', () => {
    expect(forecastLease(lease(), facts({ purse: undefined }))).toBeUndefined();
    expect(forecastLease(lease(), facts({ node: undefined }))).toBeUndefined();
    expect(forecastLease(lease(), facts({ node: node(price('2000')), purse: undefined }))).toMatchObject({
      reason: 'price_higher',
    });
    expect(forecastLease(lease({ renewalPricePolicy: 99 }), facts())).toBeUndefined();
    expect(
      forecastLease(lease(), facts({ node: undefined, purse: fullPurse(1n), params: { minHours: 9n, maxHours: 9n } })),
    ).toEqual({
      renews: false,
      reason: 'term_out_of_bounds',
      sentence: 'ends: a term of 4 h is no longer possible: the chain now allows 9 to 9 h',
    });
  });

  const failing = (changes: Partial<Lease>, changed: Partial<RenewalFacts>) =>
    lookAtLease(lease(changes), facts(changed))
      .preconditions.filter(({ holds }) => holds === false)
      .map(({ reason, sentence }) => `${reason}: ${sentence}`);

  test('lease preconditions: a sentence with the amounts for each that fails', () => {
    expect(
      failing({ price: price('100'), maxHours: 24n }, { node: node(price('100')), purse: fullPurse(1_200n) }),
    ).toEqual([
      "balance_short: the provider's balance 1\u202f200 udvpn does not cover 24 h x 100 udvpn = 2\u202f400 udvpn",
    ]);
    const asks = node(price('2000', '0.020000000000000000'));
    const assets = [{ denom: 'udvpn', spotPrice: zero }];
    const status = Status.STATUS_INACTIVE;
    expect(failing({ renewalPricePolicy: 3 }, { node: { ...asks, status }, assets, providerStatus: status })).toEqual([
      'provider_inactive: the provider is inactive',
      'node_inactive: the node is inactive',
      'price_higher: the node asks 2\u202f000 udvpn (base value 0.020000000000000000) an hour, more than the 1\u202f000 udvpn of the lease',
      'policy_refuses: the policy if_equal refuses 2\u202f000 udvpn (base value 0.020000000000000000) an hour after 1\u202f000 udvpn',
      "balance_short: the provider's balance 3\u202f600 udvpn does not cover 4 h x 2\u202f000 udvpn = 8\u202f000 udvpn",
    ]);
    expect(failing({}, { node: node(price('1', zero, 'other')) })).toEqual([
      'not_sold: the node sells no hours in udvpn',
    ]);
    expect(failing({ renewalPricePolicy: 0 }, { providerStatus: status })).toEqual([
      'policy_off: the lease has no renewal policy',
    ]);
  });

  test('lease preconditions: a lease without a price needs no balance', () => {
    const free = { price: price('0', zero, ''), maxHours: 9n };
    expect(forecastLease(lease(free), facts({ node: node(), purse: undefined }))).toMatchObject({
      renews: true,
      deposit: 0n,
    });
  });

  test('leases that end together: the cost of one renewal reduces the balance for the next', () => {
    const due = [lease({ id: 1n }), lease({ id: 2n }), lease({ id: 3n, provAddress: 'sentprov1y' })];
    const told = forecastTogether(
      due,
      () => facts(),
      () => 5_000n,
    );
    expect(told.map((forecast) => forecast?.renews)).toEqual([true, false, true]);
  });

  const together = (due: readonly Lease[], balance: bigint, unread: readonly bigint[] = []) =>
    lookAtTogether(
      due,
      ({ id }) => facts(unread.includes(id) ? { node: undefined } : {}),
      () => balance,
    ).map(({ forecast, preconditions }) => forecast?.sentence ?? preconditions.find((one) => !one.holds)?.sentence);

  test('leases that end together: the reason of a failing renewal contains the balance left by earlier renewals', () => {
    const due = [1n, 2n, 3n].map((id) => lease({ id }));
    expect(together(due, 7_300n)[2]).toBe(
      "ends: the provider's balance 100 udvpn that the 2 renewals before it leave does not cover 4 h x 900 udvpn = 3\u202f600 udvpn",
    );
  });

  test('leases that end together: an open one makes the next open, unless the balance is clearly enough or too low', () => {
    const due = [1n, 2n].map((id) => lease({ id }));
    const open =
      "whether the provider's balance 5\u202f000 udvpn covers 4 h x 900 udvpn = 3\u202f600 udvpn depends on renewals before it";
    expect(together(due, 5_000n, [1n])[1]).toBe(open);
    expect(together(due, 7_600n, [1n])[1]).toMatch(/^renews/);
    expect(together(due, 3_500n, [1n])[1]).toMatch(/^ends/);
  });
});

describe('forecastSubscription', () => {
  const subscription = (policy: number): Subscription =>
    ({ price: price('50'), renewalPricePolicy: policy }) as unknown as Subscription;
  const plan = { status: Status.STATUS_ACTIVE, prices: [price('60')] };

  test.each([
    [7, { plan, assets: [], balance: 60n }, { renews: true }],
    [7, { plan, assets: [], balance: 59n }, { reason: 'balance_short' }],
    [1, { plan, assets: [], balance: 60n }, { reason: 'policy_refuses' }],
    [0, { plan: undefined, assets: [], balance: undefined }, { reason: 'policy_off' }],
    [7, { plan: { ...plan, status: Status.STATUS_INACTIVE }, assets: [], balance: 60n }, { reason: 'plan_inactive' }],
    [7, { plan: { ...plan, prices: [price('1', zero, 'x')] }, assets: [], balance: 60n }, { reason: 'not_sold' }],
    [99, { plan, assets: [], balance: 60n }, { reason: 'policy_unknown' }],
    [7, { plan, assets: [], balance: undefined }, undefined],
    [7, { plan: undefined, assets: [], balance: 60n }, undefined],
  ])('subscription forecast, policy %s, %o: %o', (policy, known, expected) => {
    const forecast = forecastSubscription(subscription(policy), known);
    if (expected === undefined) expect(forecast).toBeUndefined();
    else expect(forecast).toMatchObject(expected);
  });

  test('subscriptions of one account: each renewal reduces the balance for the next, and an open one makes it open', () => {
    const due = [subscription(7), subscription(7), subscription(7)];
    const told = (balance: bigint, unread?: Subscription) =>
      forecastSubscriptions(
        due,
        (one) => ({ plan: one === unread ? undefined : plan, assets: [] }),
        () => balance,
      ).map((forecast) => forecast?.renews);
    expect(told(130n)).toEqual([true, true, false]);
    expect(told(1_000n, due[1])).toEqual([true, undefined, undefined]);
  });
});
