import { type Entry, entriesOf } from '../paging.js';

interface WithStatus {
  readonly status: number | string;
}

const active = 1;
const inactive = 3;

/**
 * Lists entries of one status, or of all statuses. With all, the status is the first part of the key, so active entries
 * come first.
 */
export function byStatus<T extends WithStatus>(
  records: readonly T[],
  status: number | string,
  key: (record: T) => Buffer,
): Entry<T>[] {
  if (status !== active && status !== inactive) return withStatusKey(records, key, true);
  return withStatusKey(
    records.filter((record) => record.status === status),
    key,
    false,
  );
}

export function withStatusKey<T extends WithStatus>(
  records: readonly T[],
  key: (record: T) => Buffer,
  prefixed: boolean,
): Entry<T>[] {
  const statusByte = (record: T): Uint8Array => Uint8Array.of(record.status === active ? 1 : 2);
  return entriesOf(
    records,
    (record) => (prefixed ? Buffer.concat([statusByte(record), key(record)]) : key(record)),
    (record) => record,
  );
}

/** Status filter of the lists by plan or provider. A number that is not a valid status matches nothing. */
export function statusHit(status: number | string): (record: WithStatus) => boolean {
  return (record) => status === 0 || ((status === active || status === inactive) && record.status === status);
}
