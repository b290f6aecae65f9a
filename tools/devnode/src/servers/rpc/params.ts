// Arguments of the consensus RPC: bare or quoted text in a URI, JSON in a body, with the node's error texts.
import { rawItems, rawMembers, wholeJsonValue } from './go-json.js';

/**
 * `opt` kinds distinguish "absent"; the others read an absent argument as zero. `bytes` is base64 in JSON, `hexbytes`
 * is hex.
 */
export type ParamKind = 'int' | 'optInt' | 'uint' | 'bool' | 'string' | 'bytes' | 'hexbytes' | 'strings' | 'any';

export interface ParamSpec {
  readonly name: string;
  readonly kind: ParamKind;
}

export type Args = Readonly<Record<string, unknown>>;

const goType: Readonly<Record<ParamKind, string>> = {
  int: 'int64',
  optInt: 'int64',
  uint: 'uint',
  bool: 'bool',
  string: 'string',
  bytes: '[]uint8',
  hexbytes: 'bytes.HexBytes',
  strings: '[]string',
  any: 'types.Evidence',
};

function zero(kind: ParamKind): unknown {
  if (kind === 'int') return 0n;
  if (kind === 'optInt') return undefined;
  if (kind === 'uint') return 0n;
  if (kind === 'bool') return false;
  if (kind === 'string') return '';
  if (kind === 'bytes' || kind === 'hexbytes') return Buffer.alloc(0);
  return kind === 'strings' ? [] : undefined;
}

function hex(text: string): Buffer {
  const bad = /[^0-9a-fA-F]/u.exec(text);
  if (bad !== null) {
    const code = (bad[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    throw new Error(`encoding/hex: invalid byte: U+${code} '${bad[0]}'`);
  }
  if (text.length % 2 === 1) throw new Error('encoding/hex: odd length hex string');
  return Buffer.from(text, 'hex');
}

function base64(text: string): Buffer {
  const clean = text.replace(/[\r\n]/g, '');
  const bad = /[^A-Za-z0-9+/]/.exec(clean.replace(/={0,2}$/, ''));
  if (bad !== null) throw new Error(`illegal base64 data at input byte ${bad.index}`);
  if (clean.length % 4 !== 0) throw new Error(`illegal base64 data at input byte ${Math.floor(clean.length / 4) * 4}`);
  return Buffer.from(clean, 'base64');
}

function integer(raw: string, kind: 'int' | 'optInt' | 'uint'): bigint {
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) {
    throw new Error(`invalid 64-bit integer encoding ${JSON.stringify(raw)}, expected string`);
  }
  const { value, raw: digits } = wholeJsonValue(raw.slice(1, -1));
  const refused = (what: string): Error =>
    new Error(`json: cannot unmarshal ${what} into Go value of type ${goType[kind]}`);
  if (typeof value !== 'number') throw refused(typeof value === 'object' ? 'object' : typeof value);
  if (!/^-?\d+$/.test(digits)) throw refused(`number ${digits}`);
  const number = BigInt(digits);
  const fits = kind === 'uint' ? number >= 0n && number < 1n << 64n : number === BigInt.asIntN(64, number);
  if (!fits) throw refused(`number ${digits}`);
  return number;
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Parses one argument from JSON text. */
function fromJsonText(raw: string, kind: ParamKind): unknown {
  if (raw === 'null') return zero(kind);
  if (kind === 'int' || kind === 'optInt' || kind === 'uint') return integer(raw, kind);
  if (kind === 'hexbytes' && !/^".*"$/s.test(raw)) throw new Error(`invalid hex string: ${raw}`);
  const { value } = wholeJsonValue(raw);
  const refused = (): Error =>
    new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType[kind]}`);
  if (kind === 'any') return value;
  if (kind === 'bool') {
    if (typeof value !== 'boolean') throw refused();
    return value;
  }
  if (kind === 'strings') {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) throw refused();
    return value;
  }
  if (typeof value !== 'string') throw refused();
  if (kind === 'bytes') return base64(value);
  return kind === 'hexbytes' ? hex(value) : value;
}

/** Parses one argument from a URI. Empty text means absent. */
function fromUriText(text: string, kind: ParamKind): unknown {
  if (text === '') return zero(kind);
  const isInt = kind === 'int' || kind === 'optInt' || kind === 'uint';
  if (isInt && /^-?[0-9]+$/.test(text)) return fromJsonText(`"${text}"`, kind);
  const isBytes = kind === 'bytes' || kind === 'hexbytes';
  if (/^0x/i.test(text)) {
    if (kind !== 'string' && !isBytes) throw new Error(`got a hex string arg, but expected '${goType[kind]}'`);
    const bytes = hex(text.slice(2));
    return kind === 'string' ? bytes.toString('utf8') : bytes;
  }
  if (isBytes && text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    return Buffer.from(fromJsonText(text, 'string') as string);
  }
  return fromJsonText(text, kind);
}

/** Parses the arguments of a URI call. @throws Error with the node's text. */
export function uriArgs(specs: readonly ParamSpec[], query: URLSearchParams): Args {
  const args: Record<string, unknown> = {};
  for (const { name, kind } of specs) {
    try {
      args[name] = fromUriText(query.get(name) ?? '', kind);
    } catch (error) {
      throw new Error(`error converting http params to arguments: ${(error as Error).message}`, { cause: error });
    }
  }
  return args;
}

function positional(specs: readonly ParamSpec[], raw: string): Args {
  const items = rawItems(raw);
  if (items.length !== specs.length) {
    const names = specs.map(({ name }) => name).join(' ');
    const bytes = items.map((item) => `[${[...Buffer.from(item)].join(' ')}]`).join(' ');
    throw new Error(`expected ${specs.length} parameters ([${names}]), got ${items.length} ([${bytes}])`);
  }
  return Object.fromEntries(specs.map(({ name, kind }, i) => [name, fromJsonText(items[i] as string, kind)]));
}

/** Parses the arguments of a JSON call from the text of `params`. @throws Error with the node's text. */
export function jsonArgs(specs: readonly ParamSpec[], raw: string): Args {
  try {
    if (raw.startsWith('[')) return positional(specs, raw);
    if (raw !== 'null' && !raw.startsWith('{')) {
      const why = `json: cannot unmarshal ${jsonKind(JSON.parse(raw))} into Go value of type []json.RawMessage`;
      throw new Error(`unknown type for JSON params: ${why}. Expected map or array`);
    }
    const members = raw === 'null' ? new Map<string, string>() : rawMembers(raw);
    return Object.fromEntries(
      specs.map(({ name, kind }) => {
        const member = members.get(name);
        return [name, member === undefined ? zero(kind) : fromJsonText(member, kind)];
      }),
    );
  } catch (error) {
    throw new Error(`error converting json params to arguments: ${(error as Error).message}`, { cause: error });
  }
}
