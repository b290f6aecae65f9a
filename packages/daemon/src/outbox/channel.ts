import type { Severity } from '../checks/verdict.js';

/** A notice as it is kept and sent. */
export interface Delivery {
  /** Stable: the same notice has it in every attempt, before and after a restart. */
  readonly id: string;
  /** `id` of the first notice of the same alert on this channel; equal to `id` for that one. */
  readonly threadId: string;
  readonly kind: 'firing' | 'recovered';
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Clock of the daemon at the change, milliseconds. */
  readonly atMs: number;
}

/** Why an attempt failed: the closed list of the `reason` label. */
export const deliveryReasons = ['refused', 'timeout', 'tls', 'auth', 'rejected', 'temporary', 'other'] as const;
export type DeliveryReason = (typeof deliveryReasons)[number];

/** An attempt that failed, and what follows from it. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly reason: DeliveryReason;
  /** `again`: later. `never`: this notice will not be taken. */
  readonly retry: 'again' | 'never';
  /** Whether other notices on the channel would fail likewise. */
  readonly concernsChannel: boolean;

  constructor(
    message: string,
    facts: { reason: DeliveryReason; retry: 'again' | 'never'; concernsChannel: boolean; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.reason = facts.reason;
    this.retry = facts.retry;
    this.concernsChannel = facts.concernsChannel;
  }
}

/** A way to reach people. `send` resolves when the other side has accepted the notice. */
export interface Channel {
  readonly name: string;
  /** @throws DeliveryError */
  send(delivery: Delivery): Promise<void>;
  close(): void;
}
