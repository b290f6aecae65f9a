import type { configSchema } from '@hubwatch/daemon/parts';

/** Part of a schema as described by zod. */
interface Schema {
  safeParse(value: unknown): { readonly success: boolean };
  readonly _zod: { readonly def: Def };
}

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly entries?: Readonly<Record<string, string>>;
}

/** Values for a generated configuration where the schema alone does not determine them. */
export interface KeyChoices {
  /** Selects values of enums and booleans, and one of several mutually exclusive keys; 0 or more. */
  readonly variant: number;
  /** Values by key path, without indices of list items. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Values by suffix of the key. */
  readonly endings: Readonly<Record<string, unknown>>;
}

/** A configuration with every key that one file can contain, generated from the schema. */
export interface EveryKey {
  readonly value: unknown;
  /** Paths of its keys, without indices of list items. */
  readonly keys: ReadonlySet<string>;
}

/** Candidates, in order, for a value about which the schema only reveals whether it is valid. */
const candidates: readonly unknown[] = [
  '127.0.0.1',
  '10s',
  '10m',
  '127.0.0.1:0',
  'http://127.0.0.1:9',
  1,
  0.9,
  901_801,
  '7d',
  1_000,
  'UTC',
  '30 3 * * *',
  '02:00',
  'ops@example.org',
  '@channel',
  'sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy',
  'sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk',
  'sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj',
  'HubEndpointDown',
  'udvpn',
];

/** Mutually exclusive keys of one mapping; the variant selects the first one. */
const exclusive: readonly (readonly string[])[] = [
  ['url', 'url_file', 'url_env'],
  ['password_file', 'password_env'],
  ['token_file', 'token_env'],
  ['key_file', 'key_env'],
  ['every', 'cron'],
];

/** @throws Error that names a key for which no candidate is valid */
export function everyKey(schema: typeof configSchema, choices: KeyChoices): EveryKey {
  const keys = new Set<string>();
  return { value: valueOf(schema as unknown as Schema, [], choices, keys), keys };
}

/** Paths of every key of the schema. */
export function allKeys(schema: typeof configSchema): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (part: Schema, path: readonly string[]): void => {
    const { shape, element, valueType } = structureOf(part)._zod.def;
    for (const [name, member] of Object.entries(shape ?? {})) {
      keys.add([...path, name].join('.'));
      walk(member, [...path, name]);
    }
    if (element !== undefined) walk(element, path);
    if (valueType !== undefined) walk(valueType, path);
  };
  walk(schema as unknown as Schema, []);
  return keys;
}

function valueOf(part: Schema, path: readonly string[], choices: KeyChoices, keys: Set<string>): unknown {
  const at = path.join('.');
  if (at in choices.given) return choices.given[at];
  const ending = Object.entries(choices.endings).find(([end]) => path.at(-1)?.endsWith(end) === true);
  if (ending !== undefined) return ending[1];
  const structure = structureOf(part);
  const { shape, element, keyType, valueType, entries, type } = structure._zod.def;
  if (shape !== undefined) {
    const names = chosen(Object.keys(shape), choices.variant);
    return Object.fromEntries(
      names.map((name) => {
        const below = [...path, name];
        keys.add(below.join('.'));
        return [name, valueOf(shape[name] as Schema, below, choices, keys)];
      }),
    );
  }
  if (element !== undefined) return [valueOf(element, path, choices, keys)];
  if (valueType !== undefined) {
    const name = ['HubEndpointDown', 'udvpn'].find((one) => keyType?.safeParse(one).success) ?? 'x';
    return { [name]: valueOf(valueType, path, choices, keys) };
  }
  if (type === 'boolean') return choices.variant % 2 === 0;
  if (entries !== undefined) return Object.values(entries)[choices.variant % Object.keys(entries).length];
  const found = candidates.find((one) => part.safeParse(one).success);
  if (found === undefined) throw new Error(`${at}: no candidate is a value of this key; add one`);
  return found;
}

function chosen(names: readonly string[], variant: number): readonly string[] {
  const left = new Set(names);
  for (const group of exclusive) {
    const present = group.filter((name) => left.has(name));
    // `every` is the only such key in most mappings.
    if (present.length < 2) continue;
    for (const name of present) if (name !== present[variant % present.length]) left.delete(name);
  }
  return names.filter((name) => left.has(name));
}

/** The schema below defaults, optionals and conversions; a conversion of a single value is kept. */
function structureOf(part: Schema): Schema {
  const { innerType, in: input, out } = part._zod.def;
  if (innerType !== undefined) return structureOf(innerType);
  for (const side of [input, out]) {
    if (side === undefined) continue;
    const below = structureOf(side);
    const { shape, element, valueType } = below._zod.def;
    if (shape !== undefined || element !== undefined || valueType !== undefined) return below;
  }
  return part;
}
