import type { Allocation } from '@hubwatch/types/gen/forms/hub/subscription/v2/allocation';
import type { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import type { SubscriptionForecast } from '../../forecast/subscription-renewal.js';
import type { Target } from '../check.js';

export interface SubscriberTarget extends Target {
  /** Name that people know it by: the alias, or the address. */
  readonly title: string;
  readonly alias: string;
}

/** A subscription that a watched account pays or shares. */
export interface AccountSubscription {
  readonly subscription: Subscription;
  /** The account pays it; otherwise another one does and shares it. */
  readonly isOwn: boolean;
  /** Whether this account's target tells of it: of one that several watched accounts share, only one does. */
  readonly isTold: boolean;
  /** `undefined`: not to be told, or paid by somebody else. */
  readonly forecast: SubscriptionForecast | undefined;
  readonly allocations: readonly Allocation[];
}

export interface SubscriptionsReading {
  /** By the end of their periods. */
  readonly subscriptions: readonly AccountSubscription[];
  readonly height: bigint | undefined;
}
