import { decToScaled } from '@hubwatch/types/runtime/dec';
import type { Dec } from '@hubwatch/types/runtime/values';

const one = 10n ** 18n;

/** A payment, split as on the chain: the share of stakers is rounded up, the receiver gets the rest. */
export interface SplitPayment {
  readonly toStakers: bigint;
  readonly toReceiver: bigint;
}

export const splitPayment = (amount: bigint, stakingShare: Dec): SplitPayment => {
  const toStakers = ceilDivide(amount * BigInt(decToScaled(stakingShare)), one);
  return { toStakers, toReceiver: amount - toStakers };
};

/** Quotient of two non-negative numbers, rounded up. */
export const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
