/** Size of the lists that are swept, and what sums over them must be. Every process of the benchmark computes them alone. */
export const counts = { sessions: 1_000_000, leases: 100_000, nodes: 10_000 } as const;

export const chainId = 'hub-bench';
export const firstHeight = 1_000_000;

/** Ids that take four bytes each as a varint, so that one record is as long as the other. */
export const firstId = 2 ** 21;

/** Nine digits, different from one session to the next, and a byte more at each height. */
export function downloadBytes(no: number, height = firstHeight): number {
  return 100_000_000 + ((no * 7_919) % 899_000_000) + height - firstHeight;
}

export const hourlyPrice = 25_000_000n;
export const leaseHours = 720n;
/** Hours of a lease that are paid: a varint of one byte. */
export const hoursPaid = (no: number): bigint => BigInt(no % 100);

/** Traffic that each session is bought for. */
export const sessionGigabytes = 1_000n;
export const depositAccounts = 1_200;

export const sessionDeposits = (): bigint => BigInt(counts.sessions) * sessionGigabytes * hourlyPrice;

export function committedAmount(): bigint {
  let hours = 0n;
  for (let no = 0; no < counts.leases; no++) hours += leaseHours - hoursPaid(no);
  return hours * hourlyPrice;
}

export interface Sums {
  readonly sessions: number;
  readonly leases: number;
  readonly nodes: number;
  /** Bytes of all sessions. */
  readonly bytes: string;
  /** Ids of all leases. */
  readonly ids: string;
}

export function expectedSums(): Sums {
  let ids = 0n;
  for (let no = 0; no < counts.leases; no++) ids += BigInt(firstId + no);
  return { ...counts, bytes: String(bytesAt(firstHeight)), ids: String(ids) };
}

/** Bytes of all sessions at a height. */
export function bytesAt(height: number): bigint {
  let bytes = 0n;
  for (let no = 0; no < counts.sessions; no++) bytes += BigInt(downloadBytes(no, height));
  return bytes;
}

/** What a program prints when it is done. */
export interface SweepReport<T = Sums> {
  readonly sums: T;
  readonly seconds: number;
  /** Time of a processor that the process took: on a busy machine the sweep takes longer, not more. */
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  /** Longest time that the thread of the event loop computed between two turns. */
  readonly stallMs: number;
  /** Longest time on the wall by which a timer was late, whoever held it up, and the time that one in a hundred was late. */
  readonly lateMs: number;
  readonly lateP99Ms: number;
}
