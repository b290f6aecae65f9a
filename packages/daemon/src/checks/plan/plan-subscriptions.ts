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

/** Horizons up to which renewals are counted. */
export const horizons = [
  ['24h', 86_400_000],
  ['7d', 7 * 86_400_000],
] as const;
export type Horizon = (typeof horizons)[number][0];

/** Renewals within a horizon. */
export interface RenewalsAhead {
  /** Number of active subscriptions whose policy allows renewal and whose period ends. */
  readonly count: number;
  /** Income of the provider from renewals that plan and policy allow, by denomination. Assumes that every account can pay. */
  readonly income: ReadonlyMap<string, bigint>;
}

/** Sums over the subscriptions of a plan. A plan may have hundreds of thousands of subscriptions. */
export interface PlanSubscriptions {
  readonly byStatus: ReadonlyMap<string, number>;
  readonly ahead: ReadonlyMap<Horizon, RenewalsAhead>;
}

export interface PlanFacts {
  readonly plan: Pick<Plan, 'status' | 'prices'>;
  readonly assets: readonly Asset[];
  readonly stakingShare: Dec;
  /** Current chain time, if it is known. */
  readonly nowMs: number | undefined;
}

/** A balance that is enough for every renewal, because balances of accounts are not checked here. */
const boundless = 10n ** 80n;

/** Aggregates subscriptions page by page. */
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
