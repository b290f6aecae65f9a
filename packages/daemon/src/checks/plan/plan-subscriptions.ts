import type { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { RenewalPricePolicy } from '@hubwatch/types/gen/forms/hub/types/v1/renewal';
import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Dec } from '@hubwatch/types/runtime/values';
import { shortText } from '../../enum-text.js';
import { splitPayment } from '../../forecast/share.js';
import { forecastSubscription } from '../../forecast/subscription-renewal.js';
import { msOf } from '../times.js';

/** Renewals are counted up to these times from now. */
export const horizons = [
  ['24h', 86_400_000],
  ['7d', 7 * 86_400_000],
] as const;
export type Horizon = (typeof horizons)[number][0];

/** Renewals that come within a time. */
export interface RenewalsAhead {
  /** Active subscriptions whose policy is to renew and whose period ends. */
  readonly count: number;
  /** What the provider gets of those that plan and policy allow, if every account can pay; by denomination. */
  readonly income: ReadonlyMap<string, bigint>;
}

/** Subscriptions of a plan, in sums alone: a plan may have hundreds of thousands. */
export interface PlanSubscriptions {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly ahead: ReadonlyMap<Horizon, RenewalsAhead>;
}

export interface PlanFacts {
  readonly plan: Pick<Plan, 'status' | 'prices'>;
  readonly assets: readonly Asset[];
  readonly stakingShare: Dec;
  /** The chain's present, where it is known. */
  readonly nowMs: number | undefined;
}

/** Enough for every renewal: whether an account can pay is not asked here. */
const boundless = 10n ** 80n;

/** Takes subscriptions page by page into sums. */
export const sumSubscriptions = ({ plan, assets, stakingShare, nowMs }: PlanFacts) => {
  const byStatus = new Map([
    ['active', 0],
    ['inactive_pending', 0],
  ]);
  const ahead = new Map(horizons.map(([name]) => [name, { count: 0, income: new Map<string, bigint>() }]));
  return {
    take: (page: readonly Subscription[]): void => {
      for (const subscription of page) {
        const { status, inactiveAt, renewalPricePolicy } = subscription;
        const word = shortText(StatusTable, status);
        byStatus.set(word, (byStatus.get(word) ?? 0) + 1);
        const isOver = renewalPricePolicy === RenewalPricePolicy.RENEWAL_PRICE_POLICY_UNSPECIFIED;
        if (status !== Status.STATUS_ACTIVE || isOver || inactiveAt === undefined || nowMs === undefined) continue;
        const leftMs = msOf(inactiveAt) - nowMs;
        const forecast = forecastSubscription(subscription, { plan, assets, balance: boundless });
        for (const [name, spanMs] of horizons) {
          const sums = ahead.get(name);
          if (leftMs > spanMs || sums === undefined) continue;
          sums.count += 1;
          if (forecast?.renews !== true) continue;
          const { denom, quoteValue } = forecast.price;
          const { toReceiver } = splitPayment(BigInt(quoteValue), stakingShare);
          sums.income.set(denom, (sums.income.get(denom) ?? 0n) + toReceiver);
        }
      }
    },
    sums: (): PlanSubscriptions => ({ byStatus, ahead }),
  };
};
