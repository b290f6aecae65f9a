import type { Allocation } from '@hubwatch/types/gen/forms/hub/subscription/v2/allocation';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import type { SubscriptionForecast } from '../../forecast/subscription-renewal.js';
import type { Target } from '../check.js';

export interface SubscriberTarget extends Target {
  /** Display name: the alias, or the address. */
  readonly title: string;
  readonly alias: string;
}

/** A subscription that a watched account pays or shares. */
export interface AccountSubscription {
  readonly subscription: Subscription;
  /** Whether the account pays for it; otherwise another account pays and shares it. */
  readonly isOwn: boolean;
  /** Whether this account's target exports it. Only one target exports a subscription that several watched accounts share. */
  readonly isTold: boolean;
  /** `undefined` if this target does not export it, or another account pays it. */
  readonly forecast: SubscriptionForecast | undefined;
  readonly allocations: readonly Allocation[];
}

export interface SubscriptionsReading {
  /** In the order in which their periods end. */
  readonly subscriptions: readonly AccountSubscription[];
  readonly height: bigint | undefined;
}
