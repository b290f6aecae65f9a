import { anyMember } from '@hubwatch/types/runtime/any';
import type { Field, MessageTable } from '@hubwatch/types/runtime/table';
import type { Timestamp } from '@hubwatch/types/runtime/values';

function shifted(time: Timestamp, ms: number): Timestamp {
  const nanos = time.seconds * 1_000_000_000n + BigInt(time.nanos) + BigInt(ms) * 1_000_000n;
  const seconds = nanos / 1_000_000_000n;
  return { seconds, nanos: Number(nanos - seconds * 1_000_000_000n) };
}

function shiftValue(field: Field, value: unknown, ms: number): unknown {
  if (value === undefined || value === null) return value;
  if (field.kind === 'timestamp') return shifted(value as Timestamp, ms);
  if (field.kind === 'message') return shiftTimes(field.message(), value, ms);
  if (field.kind !== 'any') return value;
  const any = value as { typeUrl: string; value?: unknown };
  const table = any.value === undefined ? undefined : anyMember(field, any.typeUrl);
  return table === undefined ? value : { ...any, value: shiftTimes(table, any.value, ms) };
}

/** Shifts every timestamp in a form. A zero time is absent and stays absent; durations do not change. */
export function shiftTimes<T>(table: MessageTable<T>, form: T, ms: number): T {
  if (ms === 0) return form;
  const next = { ...(form as Record<string, unknown>) };
  for (const field of table.fields) {
    if (field.oneof !== undefined) continue;
    const value = next[field.prop];
    next[field.prop] =
      field.repeated === true && Array.isArray(value)
        ? value.map((item) => shiftValue(field, item, ms))
        : shiftValue(field, value, ms);
  }
  return next as T;
}
