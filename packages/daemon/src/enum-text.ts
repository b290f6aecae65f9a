import type { EnumTable } from '@hubwatch/types/runtime/table';

/** Short text of an enum value (`active`), its full name where it has none, and what came for an unknown one. */
export const enumText = (table: EnumTable, value: number | string): string => {
  if (typeof value === 'string') return value;
  return (known.get(table) ?? textsOf(table)).get(value) ?? String(value);
};

/** Whole lists ask for millions of them. */
const known = new WeakMap<EnumTable, ReadonlyMap<number, string>>();

const textsOf = (table: EnumTable): ReadonlyMap<number, string> => {
  const texts = new Map(Object.values(table.values).map((value) => [value, textOf(table, value)]));
  known.set(table, texts);
  return texts;
};

const textOf = (table: EnumTable, value: number): string => {
  const name = Object.keys(table.values).find((key) => table.values[key] === value);
  if (name === undefined) return String(value);
  const { texts = {} } = table;
  return Object.keys(texts).find((text) => texts[text] === name) ?? name;
};

/** Short texts of every known value. */
export const enumTexts = (table: EnumTable): readonly string[] =>
  Object.values(table.values).map((value) => enumText(table, value));
