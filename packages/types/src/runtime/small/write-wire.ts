import type { Walk } from './table.js';

function number(value: bigint | number | boolean): number[] {
  const rest = BigInt.asUintN(64, BigInt(value));
  return rest > 127 ? [Number(rest & 127n) + 128, ...number(rest >> 7n)] : [Number(rest)];
}

/** Writes the bytes of a request as a list. */
export const writeWire = {
  message: (fields, form: Readonly<Record<string, unknown>>): number[] =>
    fields.flatMap(([no, , prop, , , kind]) =>
      [form[prop] ?? []].flat().flatMap((item) => {
        let value = kind(item, writeWire);
        if (typeof value === 'string') value = new TextEncoder().encode(value);
        return typeof value === 'object'
          ? [...number(no * 8 + 2), ...number((value as number[]).length), ...(value as number[])]
          : [...number(no * 8), ...number(value as bigint)];
      }),
    ),
  exact: (raw, value) => raw == value,
} as Walk;
