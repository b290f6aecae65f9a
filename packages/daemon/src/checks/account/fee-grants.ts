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

/** Maximum number of grants that are read and shown for one account. Anyone can create a grant. */
const mostGrants = 20;
const kind = 'fee grant';
/** How long a removed grant is reported. */
const newsMs = 86_400_000;

/** Remaining fee allowance that a granter gives an account. */
export interface FeeGrant {
  readonly granter: string;
  /** Expiry in milliseconds; `undefined` if the grant never expires. */
  readonly expiresMs: number | undefined;
  /** Total remaining amount by denomination; `undefined` if unlimited. */
  readonly left: readonly Coin[] | undefined;
  /** Amount remaining in the current period, and the start of the next period. */
  readonly period: { readonly left: readonly Coin[]; readonly resetMs: number | undefined } | undefined;
  /** Whether the grant pays for heartbeats; `undefined` for an allowance type of a later version. */
  readonly paysHeartbeats: boolean | undefined;
}

export interface FeeGrantsReading {
  readonly grants: readonly FeeGrant[];
  /** Granters whose grant was found earlier and is gone now: used up, expired or revoked. */
  readonly gone: readonly Change[];
  readonly height: bigint | undefined;
}

const count = gauge('hub_account_fee_grants', ['account'], 'Fee grants of the account, at most twenty');
const expiry = gauge(
  'hub_account_fee_grant_expiry_timestamp_seconds',
  ['account', 'granter'],
  'When the grant expires; absent if it never expires',
);
const remaining = gauge(
  'hub_account_fee_grant_remaining_amount',
  ['account', 'granter', 'denom'],
  'Total amount that the grant can still pay, in the base unit of the denomination; absent without a limit',
);

/** The allowance contains message names as text, with the prefix of the network. The suffix is the same on all networks. */
const heartbeatMessage = '.node.v3.MsgUpdateNodeStatusRequest';

const basicOf = ({ spendLimit, expiration }: BasicAllowance) => ({
  expiresMs: expiration && msOf(expiration),
  // The chain treats an empty limit as unlimited.
  left: spendLimit.length === 0 ? undefined : spendLimit,
});

const periodicOf = ({ basic, periodCanSpend, periodReset }: PeriodicAllowance) => ({
  ...basicOf(basic),
  period: { left: periodCanSpend, resetMs: periodReset && msOf(periodReset) },
});

type Terms = Omit<FeeGrant, 'granter'>;

/** Returns the terms of an allowance. An allowance that wraps another one restricts it to certain messages. */
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

/** Fee granters of watched accounts, with the remaining allowance and the expiry. */
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
    // An incomplete list does not show that a grant is gone.
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
