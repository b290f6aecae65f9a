/**
 * The small codec, for bundles that a browser loads. A message is a function that knows its fields and lets a walk read or
 * write them; a kind is a function that takes a value as JSON, the wire or a caller gives it, and answers it as the form
 * holds it, or throws. So a bundle holds the kinds that its messages name and the walks that its transports use, no more.
 */
import type { Duration } from '../values.js';

/**
 * One value: what the form holds for `raw`. `undefined` and `null` are absent; `always` is set where that means the default
 * value even of a message.
 */
export type SmallKind<T = unknown> = (raw: unknown, walk: Walk, always?: unknown) => T;

/** Reads messages from JSON or bytes, or writes their forms. */
export interface Walk {
  message(fields: readonly SmallField[], raw: unknown): unknown;
  /** Seconds and nanoseconds of a time (`Z`) or a duration (`s`). */
  span(raw: unknown, unit: 'Z' | 's'): Duration;
  /** Text with 18 digits of a decimal. */
  decimal(text: string): string;
  /** Whether `value`, of the bits of an integer, is all of `raw`. */
  exact(raw: unknown, value: bigint): boolean;
}

/** A tuple, whose members cost nothing in a bundle. */
export type SmallField = readonly [
  no: number,
  /** Name in the proto file and in JSON. */
  name: string,
  /** Member of the form. */
  prop: string,
  /** Set for a list. */
  many: string | undefined,
  /** Set for a field that the node holds by value. */
  always: string | undefined,
  kind: SmallKind,
];

export const misfit = (raw: unknown): Error => Error(`${raw as string} does not fit`);

const utf8 = /* @__PURE__ */ new TextDecoder();

/** Text, and decimals that are text on the wire too: the kind of a field that names none. */
export const string: SmallKind<string> = (raw) =>
  typeof raw === 'string' ? raw : utf8.decode((raw ?? undefined) as Uint8Array);

/**
 * Fields of a notation: `[no:]name[*][!]` with commas between. A number that is one more than the last is left out.
 *
 * @param kinds by field; a hole is `string`
 */
export function fieldsOf(notation: string, kinds: readonly (SmallKind | undefined)[] = []): SmallField[] {
  let last = 0;
  return Array.from(notation.matchAll(/(?:(\d+):)?(\w+)(\*)?(!)?/g), ([, no, name, many, always], index) => [
    (last = no ? +no : last + 1),
    name as string,
    (name as string).replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase()),
    many,
    always,
    kinds[index] ?? string,
  ]);
}

/** A message. Its kinds are asked for at the first use, when the modules that hold them are loaded. */
export function table<T>(notation = '', kinds?: () => readonly (SmallKind | undefined)[]): SmallKind<T> {
  let fields: readonly SmallField[] | undefined;
  return (raw, walk, always) =>
    (raw == null && !always ? undefined : walk.message((fields ??= fieldsOf(notation, kinds?.())), raw)) as T;
}

/**
 * The form of a message.
 *
 * @param pick what JSON or the wire has for a field
 * @throws Error with the path of the field that does not fit
 */
export function assemble(
  fields: readonly SmallField[],
  walk: Walk,
  pick: (field: SmallField) => unknown,
): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const field of fields) {
    const [, name, prop, many, always, kind] = field;
    try {
      const raw = pick(field);
      form[prop] = many ? ((raw ?? []) as unknown[]).flatMap((item) => kind(item, walk, 1)) : kind(raw, walk, always);
    } catch (error) {
      throw Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return form;
}
