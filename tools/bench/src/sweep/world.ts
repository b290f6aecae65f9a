/** Size of the swept lists, from which their sums follow. Every process of the benchmark computes these independently. */
export const counts = { sessions: 1_000_000, leases: 100_000, nodes: 10_000 } as const;

export const chainId = 'hub-bench';
export const firstHeight = 1_000_000;

/** Ids start at a value that takes four bytes as a varint, so that all records have the same length. */
export const firstId = 2 ** 21;

/** Nine digits, different for each session, plus one byte per height. */
export function downloadBytes(no: number, height = firstHeight): number {
  return 100_000_000 + ((no * 7_919) % 899_000_000) + height - firstHeight;
}

export const hourlyPrice = 25_000_000n;
export const leaseHours = 720n;
/** Number of paid hours of a lease: a varint of one byte. */
export const hoursPaid = (no: number): bigint => BigInt(no % 100);

/** Traffic purchased for each session. */
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
  /** Sum of the bytes of all sessions. */
  readonly bytes: string;
  /** Sum of the ids of all leases. */
  readonly ids: string;
}

export function expectedSums(): Sums {
  let ids = 0n;
  for (let no = 0; no < counts.leases; no++) ids += BigInt(firstId + no);
  return { ...counts, bytes: String(bytesAt(firstHeight)), ids: String(ids) };
}

/** Sum of the bytes of all sessions at a height. */
export function bytesAt(height: number): bigint {
  let bytes = 0n;
  for (let no = 0; no < counts.sessions; no++) bytes += BigInt(downloadBytes(no, height));
  return bytes;
}

/** Output of a program at its end. */
export interface SweepReport<T = Sums> {
  readonly sums: T;
  readonly seconds: number;
  /** Processor time of the process: on a busy machine the sweep takes more elapsed time, but not more processor time. */
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  /** Longest time that the event loop thread computed between two turns. */
  readonly stallMs: number;
  /** Maximum delay of a timer in elapsed time, regardless of the cause, and its 99th percentile. */
  readonly lateMs: number;
  readonly lateP99Ms: number;
}
