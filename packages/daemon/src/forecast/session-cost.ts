import type { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import type { Dec, Duration } from '@hubwatch/types/runtime/values';
import { ceilDivide, type SplitPayment, splitPayment } from './share.js';

/** Bytes of the gigabyte that prices are for. */
const gigabyte = 1_000_000_000n;
const nanosOfHour = 3_600n * 1_000_000_000n;

/** What the settlement of a session moves, in the base unit of `denom`. */
export interface SessionCost extends SplitPayment {
  readonly denom: string;
  /** Paid in when the session started. */
  readonly deposit: bigint;
  /** What the usage costs, at most the deposit. */
  readonly payment: bigint;
  /** Goes back to the account. */
  readonly refund: bigint;
}

/**
 * What a node session would settle for with the usage reported so far. A session is settled at its `inactive_at` once it
 * is pending. @source hub messages §5.4
 */
export const sessionCost = ({ baseSession, price }: Session, stakingShare: Dec): SessionCost | undefined => {
  if (baseSession === undefined) return undefined;
  const { maxBytes, maxDuration, downloadBytes, uploadBytes, duration } = baseSession;
  const quote = BigInt(price.quoteValue);
  const isByBytes = BigInt(maxBytes) > 0n;
  const [limit, used, unit] = isByBytes
    ? [BigInt(maxBytes), BigInt(downloadBytes) + BigInt(uploadBytes), gigabyte]
    : [nanosOf(maxDuration), nanosOf(duration), nanosOfHour];
  const deposit = (quote * limit) / unit;
  const cost = ceilDivide(quote * used, unit);
  const payment = cost < deposit ? cost : deposit;
  return { denom: price.denom, deposit, payment, refund: deposit - payment, ...splitPayment(payment, stakingShare) };
};

const nanosOf = ({ seconds, nanos }: Duration): bigint => seconds * 1_000_000_000n + BigInt(nanos);
