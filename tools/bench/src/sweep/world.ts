/** Size of the lists that are swept, and what sums over them must be. Every process of the benchmark computes them alone. */
export const counts = { sessions: 1_000_000, leases: 100_000, nodes: 10_000 } as const;

/** Ids that take four bytes each as a varint, so that one record is as long as the other. */
export const firstId = 2 ** 21;

/** Nine digits, different from one session to the next. */
export function downloadBytes(no: number): number {
  return 100_000_000 + ((no * 7_919) % 899_999_999);
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
  let bytes = 0n;
  for (let no = 0; no < counts.sessions; no++) bytes += BigInt(downloadBytes(no));
  let ids = 0n;
  for (let no = 0; no < counts.leases; no++) ids += BigInt(firstId + no);
  return { ...counts, bytes: String(bytes), ids: String(ids) };
}

/** What a client process prints when it is done. */
export interface SweepReport {
  readonly sums: Sums;
  readonly seconds: number;
  readonly peakRssMb: number;
  /** Longest time that the thread of the event loop computed between two turns. */
  readonly stallMs: number;
  /** Longest time on the wall by which a timer was late, whoever held it up, and the time that one in a hundred was late. */
  readonly lateMs: number;
  readonly lateP99Ms: number;
}
