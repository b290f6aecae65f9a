import type { AnyFeeAllowanceI } from '@hubwatch/types/gen/any/stack/feegrant/v1beta1/fee-allowance-i';
import type {
  BasicAllowance,
  Grant,
  PeriodicAllowance,
} from '@hubwatch/types/gen/forms/stack/feegrant/v1beta1/feegrant';
import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import { allowances as queryAllowances } from '@hubwatch/types/gen/methods/stack/feegrant/v1beta1/query';
import type { Change } from '../../store/change-history.js';
import type { Check } from '../check.js';
import { gauge, sample } from '../family.js';
import { msOf } from '../times.js';
import { type AccountTarget, accountTargets } from './account-targets.js';

/** Grants of one account that are read and shown: anyone may make one. */
const mostGrants = 20;
const kind = 'fee grant';
/** How long a grant that is gone is news. */
const newsMs = 86_400_000;

/** What a granter still pays for an account. */
export interface FeeGrant {
  readonly granter: string;
  /** Milliseconds; `undefined`: it never expires. */
  readonly expiresMs: number | undefined;
  /** What is left in all, by denomination; `undefined`: without a limit. */
  readonly left: readonly Coin[] | undefined;
  /** What is left of the period, and when the next begins. */
  readonly period: { readonly left: readonly Coin[]; readonly resetMs: number | undefined } | undefined;
  /** Whether it pays for heartbeats; `undefined`: an allowance of a later version. */
  readonly paysHeartbeats: boolean | undefined;
}

export interface FeeGrantsReading {
  readonly grants: readonly FeeGrant[];
  /** Granters whose grant was there at an earlier look and is gone: used up, expired or revoked. */
  readonly gone: readonly Change[];
  readonly height: bigint | undefined;
}

const count = gauge('hub_account_fee_grants', ['account'], 'Fee grants that the account has, the first twenty');
const expiry = gauge(
  'hub_account_fee_grant_expiry_timestamp_seconds',
  ['account', 'granter'],
  'When the grant expires; absent for one that never does',
);
const remaining = gauge(
  'hub_account_fee_grant_remaining_amount',
  ['account', 'granter', 'denom'],
  'What the grant still pays in all, in the base unit of the denomination; absent for one without a limit',
);

/** Message names are texts here, so they stand under the names of the network; their ends are the same on all. */
const heartbeatMessage = '.node.v3.MsgUpdateNodeStatusRequest';

const basicOf = ({ spendLimit, expiration }: BasicAllowance) => ({
  expiresMs: expiration && msOf(expiration),
  // The chain takes an empty limit for none.
  left: spendLimit.length === 0 ? undefined : spendLimit,
});

const periodicOf = ({ basic, periodCanSpend, periodReset }: PeriodicAllowance) => ({
  ...basicOf(basic),
  period: { left: periodCanSpend, resetMs: periodReset && msOf(periodReset) },
});

type Terms = Omit<FeeGrant, 'granter'>;

/** What an allowance says; one that holds another is narrowed to certain messages. */
export const termsOf = (allowance: AnyFeeAllowanceI | undefined, depth = 0): Terms => {
  const none = { expiresMs: undefined, left: undefined, period: undefined };
  if (allowance?.value === undefined || depth > 3) return { ...none, paysHeartbeats: undefined };
  switch (allowance.typeUrl) {
    case '/stack.feegrant.v1beta1.BasicAllowance':
      return { ...none, ...basicOf(allowance.value), paysHeartbeats: true };
    case '/stack.feegrant.v1beta1.PeriodicAllowance':
      return { ...none, ...periodicOf(allowance.value), paysHeartbeats: true };
    case '/stack.feegrant.v1beta1.AllowedMsgAllowance': {
      const inner = termsOf(allowance.value.allowance, depth + 1);
      const isAllowed = allowance.value.allowedMessages.some((name) => name.endsWith(heartbeatMessage));
      return { ...inner, paysHeartbeats: isAllowed ? inner.paysHeartbeats : false };
    }
    default:
      return { ...none, paysHeartbeats: undefined };
  }
};

const grantOf = ({ granter, allowance }: Grant): FeeGrant => ({ granter, ...termsOf(allowance) });

/** Who pays fees for watched accounts, how much is left of it and until when. */
export const feeGrants: Check<AccountTarget, FeeGrantsReading> = {
  name: 'fee_grants',
  families: [count, expiry, remaining],
  everyMs: (config) => config.poll.accounts,
  targets: accountTargets,
  async collect({ key: grantee }, { pool, changes, clock, signal }) {
    const { grants, height, isWhole } = await pool.read(`fee grants ${grantee}`, signal, async (source) => {
      const found: FeeGrant[] = [];
      const answer = await source.call(queryAllowances, {
        grantee,
        pagination: {
          key: new Uint8Array(),
          offset: 0n,
          limit: BigInt(mostGrants),
          countTotal: false,
          reverse: false,
        },
      });
      found.push(...answer.message.allowances.map(grantOf));
      const isWhole = (answer.message.pagination?.nextKey ?? new Uint8Array()).length === 0;
      return { grants: found.slice(0, mostGrants), height: answer.height, isWhole };
    });
    const atMs = clock.nowMs();
    // Of a part of the list nothing can be said to be gone.
    if (isWhole) {
      const fields = Object.fromEntries(grants.map(({ granter }) => [granter, 'granted']));
      changes.note({ kind, subject: grantee, fields, height, atMs, isWhole: true });
    }
    const gone = changes.changes(kind, grantee).filter(({ after, field, atMs: of }) => {
      const isBack = grants.some(({ granter }) => granter === field);
      return after === '' && !isBack && of > atMs - newsMs;
    });
    return { grants, gone, height };
  },
  metrics: ({ key }, { grants }) => [
    sample(count, [key], grants.length),
    ...grants.flatMap(({ granter, expiresMs, left }) => [
      ...(expiresMs === undefined ? [] : [sample(expiry, [key, granter], expiresMs / 1_000)]),
      ...(left ?? []).map(({ denom, amount }) => sample(remaining, [key, granter, denom], Number(amount))),
    ]),
  ],
};
