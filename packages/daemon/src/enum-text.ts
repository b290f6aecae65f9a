import { enumText } from '@hubwatch/types/runtime/enum';
import type { EnumTable } from '@hubwatch/types/runtime/table';

/** Short text of an enum value (`active`), its full name if it has none, and the raw value if it is unknown. */
export const shortText = (table: EnumTable, value: number | string): string =>
  typeof value === 'string' ? value : (enumText(table, value) ?? String(value));

/** Short texts of every known value. */
export const shortTexts = (table: EnumTable): readonly string[] =>
  Object.values(table.values).map((value) => shortText(table, value));
