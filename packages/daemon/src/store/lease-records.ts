import type { Store } from './store.js';
import { limits } from './tables.js';

/** Terms of a lease from its record. */
export interface LeaseRecord {
  readonly id: bigint;
  /** Height of the state that they were read from. */
  readonly height: bigint;
  /** Renewal policy, in the form of the chain's events: `always`, `unspecified`. */
  readonly policy: string;
  /** Start of the term, in whole milliseconds since 1970. */
  readonly startMs: number;
  readonly hours: number;
}

/** The last record read of each lease: the only source for a lease that began before its events were stored. */
export interface LeaseRecords {
  note(records: readonly LeaseRecord[]): void;
  known(id: string): LeaseRecord | undefined;
}

/** Maximum number of records; those read at the lowest heights are dropped first. */
const mostKept = limits.leaseRecords;

export const createLeaseRecords = (store: Store): LeaseRecords => {
  const cache = new Map<string, LeaseRecord>();
  const isSame = (a: LeaseRecord, b: LeaseRecord): boolean =>
    a.policy === b.policy && a.startMs === b.startMs && a.hours === b.hours;
  const write = ({ id, height, policy, startMs, hours }: LeaseRecord): void => {
    store.run(
      `INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (lease) DO UPDATE SET
         height = excluded.height, policy = excluded.policy, start_ms = excluded.start_ms, hours = excluded.hours
       WHERE excluded.height > lease_records.height`,
      ...[String(id), Number(height), policy, startMs, hours],
    );
  };
  return {
    note(records) {
      const news = records.filter((record) => {
        const last = cache.get(String(record.id));
        return last === undefined || (record.height > last.height && !isSame(last, record));
      });
      if (news.length === 0) return;
      store.transaction(() => {
        for (const record of news) write(record);
        store.run(
          'DELETE FROM lease_records WHERE lease IN (SELECT lease FROM lease_records ORDER BY height DESC LIMIT -1 OFFSET ?)',
          mostKept,
        );
      });
      // After the commit, so that a failed write is retried with the same records.
      for (const record of news) cache.set(String(record.id), record);
      for (const id of [...cache.keys()].slice(0, Math.max(0, cache.size - mostKept))) cache.delete(id);
    },
    known(id) {
      const cached = cache.get(id);
      if (cached !== undefined) return cached;
      const row = store.all('SELECT * FROM lease_records WHERE lease = ?', id)[0];
      return row === undefined
        ? undefined
        : {
            id: BigInt(id),
            height: BigInt(String(row['height'])),
            policy: String(row['policy']),
            startMs: Number(row['start_ms']),
            hours: Number(row['hours']),
          };
    },
  };
};
