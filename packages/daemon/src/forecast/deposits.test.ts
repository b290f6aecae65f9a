import type { AnySessionI } from '@hubwatch/types/gen/any/hub/session/v3/session-i';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDeposits, heldForLease, heldForSession, sumAmounts } from './deposits.js';

const price = { denom: 'udvpn', baseValue: '0', quoteValue: '7' };
const session = (typeUrl: string, value: object | undefined) => ({ typeUrl, value }) as AnySessionI;

test('deposits: a lease requires its unpaid hours, never less than zero', () => {
  expect(heldForLease({ hours: 2n, maxHours: 5n, price })).toEqual({ denom: 'udvpn', amount: 21n });
  expect(heldForLease({ hours: 6n, maxHours: 5n, price })).toEqual({ denom: 'udvpn', amount: 0n });
});

test('deposits: a node session requires its deposit, a subscription session nothing, an unknown one is unknown', () => {
  const baseSession = { maxBytes: '3000000000', maxDuration: { seconds: 0n, nanos: 0 } };
  expect(heldForSession(session('/hub.node.v3.Session', { baseSession, price }))).toEqual({
    denom: 'udvpn',
    amount: 21n,
  });
  expect(heldForSession(session('/hub.subscription.v3.Session', { baseSession }))?.amount).toBe(0n);
  expect(heldForSession(session('/hub.node.v3.Session', { price }))).toBeUndefined();
  expect(heldForSession(session('/hub.later.v9.Session', undefined))).toBeUndefined();
});

test('deposits: property: any split of a deposit over sessions and leases adds up to it', () => {
  const amounts = fc.array(
    fc.record({ denom: fc.constantFrom('udvpn', 'uatom', 'x'), amount: fc.bigInt(0n, 10n ** 30n) }),
  );
  fc.assert(
    fc.property(amounts, amounts, fc.bigInt(1n, 10n ** 30n), (sessions, leases, more) => {
      const parts = [sumAmounts(sessions), sumAmounts(leases)];
      const whole = [...sessions, ...leases];
      for (const { held, expected } of compareDeposits(sumAmounts(whole), ...parts).values())
        expect(held).toBe(expected);
      const odd = compareDeposits(sumAmounts([...whole, { denom: 'x', amount: more }]), ...parts).get('x');
      expect((odd?.held ?? 0n) - (odd?.expected ?? 0n)).toBe(more);
    }),
  );
});

test('deposits: zero on both sides is omitted, an amount on one side is not', () => {
  const compared = compareDeposits(new Map([['a', 0n]]), new Map([['b', 1n]]), new Map([['a', 0n]]));
  expect([...compared]).toEqual([['b', { held: 0n, expected: 1n }]]);
});
