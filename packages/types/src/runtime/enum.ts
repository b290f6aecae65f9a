import { CodecError } from './codec-error.js';
import type { EnumTable } from './table.js';

interface Names {
  readonly fullByNumber: ReadonlyMap<number, string>;
  readonly shortByFull: ReadonlyMap<string, string>;
}

const names = new WeakMap<EnumTable, Names>();

function namesOf(table: EnumTable): Names {
  let known = names.get(table);
  if (known === undefined) {
    const fullByNumber = new Map<number, string>();
    // If two names have the same number, the first declared one is printed.
    for (const [name, number] of Object.entries(table.values)) {
      if (!fullByNumber.has(number)) fullByNumber.set(number, name);
    }
    known = {
      fullByNumber,
      shortByFull: new Map(Object.entries(table.texts ?? {}).map(([text, full]) => [full, text])),
    };
    names.set(table, known);
  }
  return known;
}

/** Number of an enum text: full name, short text of the gateway or digits; any other text is returned unchanged. */
export function readEnum(table: EnumTable | undefined, text: string): number | string {
  if (table !== undefined) {
    if (Object.hasOwn(table.values, text)) return table.values[text] as number;
    const full = table.texts !== undefined && Object.hasOwn(table.texts, text) ? table.texts[text] : undefined;
    if (full !== undefined) return table.values[full] ?? text;
  }
  return /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}

/**
 * Number of an enum value for the wire.
 *
 * @throws CodecError for a text that the enum does not know
 */
export function enumNumber(table: EnumTable | undefined, value: number | string): number {
  const number = typeof value === 'string' ? readEnum(table, value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number === (number | 0)) return number;
  const allowed = table === undefined ? 'a number' : `one of ${Object.keys(table.values).join(', ')}`;
  throw new CodecError(`${JSON.stringify(value)} is not ${allowed}`);
}

/** Text that the gateway prints for a number: the short text if the enum has one, else the full name. */
export function enumText(table: EnumTable | undefined, number: number): string | undefined {
  if (table === undefined) return undefined;
  const { fullByNumber, shortByFull } = namesOf(table);
  const full = fullByNumber.get(number);
  return full === undefined ? undefined : (shortByFull.get(full) ?? full);
}

/** Display text of an enum value: the gateway's text, or `unknown(9)` for a number that the enum does not know. */
export function enumLabel(table: EnumTable, value: number | string): string {
  const known = typeof value === 'string' ? readEnum(table, value) : value;
  if (typeof known === 'string') return `unknown(${known})`;
  return enumText(table, known) ?? `unknown(${known})`;
}
