import type { Duration } from '../values.js';
import { int32, int64 } from './kinds.js';
import { assemble, misfit, table, type Walk } from './table.js';
import { varint } from './varint.js';

/** Reads protobuf bytes. Fields that the table does not know are passed over. */
export const readWire: Walk = {
  message(fields, raw) {
    const bytes = new Uint8Array(raw as Uint8Array);
    const found: Record<number, unknown[]> = {};
    for (const cursor = { at: 0 }; cursor.at < bytes.length; ) {
      const tag = Number(varint(bytes, cursor));
      const type = tag & 7;
      // No kind takes it: what is left where the wire type is one that no kind has.
      let value: unknown = -1n;
      if (!type) value = varint(bytes, cursor);
      else if (type === 2) {
        const length = Number(varint(bytes, cursor));
        value = bytes.subarray(cursor.at, (cursor.at += length));
      } else cursor.at += type === 1 ? 8 : type === 5 ? 4 : NaN;
      // Also for the NaN of a type that no node writes.
      if (tag < 8 || !(cursor.at <= bytes.length)) throw misfit(tag);
      (found[tag >>> 3] ??= []).push(value);
    }
    return assemble(fields, readWire, ([no, , , many]) => (many ? found[no] : found[no]?.at(-1)));
  },
  span: (raw) => span(raw, readWire),
  decimal: (text) => text.replace(/\d+/, (digits) => digits.padStart(19, '0').replace(/.{18}$/, '.$&')),
  exact: (raw) => !((raw as bigint) >> 64n),
};

const span = /* @__PURE__ */ table<Duration>('seconds,nanos', () => [int64, int32]);
