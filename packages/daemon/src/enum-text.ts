import type { EnumTable } from '@hubwatch/types/runtime/table';

/** Short text of an enum value (`active`), its full name where it has none, and what came for an unknown one. */
export const enumText = (table: EnumTable, value: number | string): string => {
  if (typeof value === 'string') return value;
  const name = Object.keys(table.values).find((key) => table.values[key] === value);
  if (name === undefined) return String(value);
  const { texts = {} } = table;
  return Object.keys(texts).find((text) => texts[text] === name) ?? name;
};

/** Short texts of every known value. */
export const enumTexts = (table: EnumTable): readonly string[] =>
  Object.values(table.values).map((value) => enumText(table, value));
