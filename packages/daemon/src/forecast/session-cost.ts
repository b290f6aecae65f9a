import type { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import type { BaseSession } from '@hubwatch/types/gen/forms/hub/session/v3/session';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import type { Dec, Duration } from '@hubwatch/types/runtime/values';
import { ceilDivide, type SplitPayment, splitPayment } from './share.js';

/** Number of bytes in the gigabyte that prices refer to. */
const gigabyte = 1_000_000_000n;
const nanosOfHour = 3_600n * 1_000_000_000n;

/** Payments in the settlement of a session, in the base unit of `denom`. */
export interface SessionCost extends SplitPayment {
  readonly denom: string;
  /** Paid at the start of the session. */
  readonly deposit: bigint;
  /** Cost of the usage, at most the deposit. */
  readonly payment: bigint;
  /** Returned to the account. */
  readonly refund: bigint;
}

/**
 * Settlement of a node session with the usage reported so far: quote value per gigabyte or hour, rounded up, at most the
 * deposit. A pending session is settled at its `inactive_at`.
 */
export const sessionCost = ({ baseSession, price }: Session, stakingShare: Dec): SessionCost | undefined => {
  if (baseSession === undefined) return undefined;
  const { maxBytes, downloadBytes, uploadBytes, duration } = baseSession;
  const [used, unit] =
    BigInt(maxBytes) > 0n ? [BigInt(downloadBytes) + BigInt(uploadBytes), gigabyte] : [nanosOf(duration), nanosOfHour];
  const deposit = sessionDeposit(baseSession, price);
  const cost = ceilDivide(BigInt(price.quoteValue) * used, unit);
  const payment = cost < deposit ? cost : deposit;
  return { denom: price.denom, deposit, payment, refund: deposit - payment, ...splitPayment(payment, stakingShare) };
};

/** Deposit of a node session at its start, in the base unit of its price's denomination. */
export const sessionDeposit = (
  { maxBytes, maxDuration }: Pick<BaseSession, 'maxBytes' | 'maxDuration'>,
  { quoteValue }: Pick<Price, 'quoteValue'>,
): bigint => {
  const bytes = BigInt(maxBytes);
  const [limit, unit] = bytes > 0n ? [bytes, gigabyte] : [nanosOf(maxDuration), nanosOfHour];
  return (BigInt(quoteValue) * limit) / unit;
};

/**
 * Bytes left in the allocation of a subscription session, the same for all sessions that share it. The chain computes
 * `max_bytes` on each read as the session's own bytes plus the bytes left. Usage beyond the grant counts as zero left.
 */
export const allocationLeft = ({
  downloadBytes,
  uploadBytes,
  maxBytes,
}: Pick<BaseSession, 'downloadBytes' | 'uploadBytes' | 'maxBytes'>): bigint => {
  const left = BigInt(maxBytes) - BigInt(downloadBytes) - BigInt(uploadBytes);
  return left > 0n ? left : 0n;
};

const nanosOf = ({ seconds, nanos }: Duration): bigint => seconds * 1_000_000_000n + BigInt(nanos);
