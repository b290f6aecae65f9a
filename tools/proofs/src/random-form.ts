import { decFromScaled } from '@hubwatch/types/runtime/dec';
import { defaultForm, defaultValue } from '@hubwatch/types/runtime/default-form';
import { memberOf } from '@hubwatch/types/runtime/form-member';
import type { Field, FieldOf, MessageTable } from '@hubwatch/types/runtime/table';
import { timestampOf, zeroTimeSeconds } from '@hubwatch/types/runtime/time';
import type { Duration } from '@hubwatch/types/runtime/values';
import { isPlainEncoded } from '@hubwatch/types/runtime/write-plain-json';
import type { RandomSource } from './random-source.js';

export type Form = Readonly<Record<string, unknown>>;

/** Representation of a message of unknown type: its bytes, its JSON members, or none because it does not occur. */
export type UnknownAny = 'bytes' | 'members' | 'none';

const int64Edges = [
  0n,
  1n,
  -1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 53n) - 1n,
];
const uint64Edges = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
const int32Edges = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
const uint32Edges = [0, 1, 127, 128, 2 ** 31, 2 ** 32 - 1];
const enumEdges = [9, 1000, -1, 2 ** 31 - 1, -(2 ** 31)];
const doubleEdges = [0, 1.5, -2.25, 1e21, 5e-324, Number.MAX_VALUE, Infinity, -Infinity, NaN];
const texts = [
  '',
  'hub',
  '<script>alert("&")</script>',
  'a\\b"c/d',
  '\u0000\u0001\u001f\u007f\t\r\n',
  '\u2028\u2029',
  'größer ≤ 中文 Ωmega',
  '\u{1F310}\u{10FFFF}',
  '\uFEFFmark first',
  'e\u0301 not é',
  '__proto__',
  'null',
  '9007199254740993',
  '0001-01-01T00:00:00Z',
];
const ints = ['0', '1', '-1', '9007199254740993', '18446744073709551616', '-170141183460469231731687303715884105729'];
const scaled = ['0', '1', '-1', '2500000000000000', '1000000000000000000', '-999999999999999999', `1${'0'.repeat(45)}`];
const timeEdges: readonly (readonly [bigint, number])[] = [
  [0n, 0],
  [-1n, 999_999_999],
  [zeroTimeSeconds, 0],
  [zeroTimeSeconds, 1],
  [253_402_300_799n, 999_999_999],
  [1_700_000_000n, 652_743_928],
  [1_700_000_000n, 600_000_000],
  [1_700_000_000n, 731_312_280],
];
const durationEdges: readonly Duration[] = [
  { seconds: 0n, nanos: 0 },
  { seconds: 0n, nanos: -1 },
  { seconds: 0n, nanos: -100_626_394 },
  { seconds: -1n, nanos: -500_000_000 },
  { seconds: 7200n, nanos: 500_000_000 },
  { seconds: 315_576_000_000n, nanos: 0 },
  { seconds: -315_576_000_000n, nanos: 0 },
];
const contracts = [
  '{}',
  '[]',
  '"a"',
  'true',
  '0',
  '{"a":[1,2.5,null],"b":{"c":"<\\u0000>"}}',
  '{"amount":"340282366920938463463"}',
];
const urls = ['/other.Thing', '/hub.session.v9.Session', '/constructor', '/', '', 'https://example.org/x.Y'];

/** Generates random forms of any table that frequently contain the edge cases of every kind of value. */
export class RandomForms {
  private readonly random: RandomSource;
  private readonly unknownAny: UnknownAny;
  /** Remaining number of values to generate. */
  private left = 0;
  /** Inside the two responses that the gateway prints with unquoted numbers: values beyond 2^53 cannot be read from there. */
  private isBare = false;

  constructor(random: RandomSource, unknownAny: UnknownAny) {
    this.random = random;
    this.unknownAny = unknownAny;
  }

  /** Generates a form with at most `size` values, nested at most `depth` messages deep. */
  form(table: MessageTable, size = 60, depth = 24): Form {
    this.left = size;
    return this.message(table, depth);
  }

  private message(table: MessageTable, depth: number): Form {
    const isOuter = !this.isBare;
    this.isBare ||= isPlainEncoded(table);
    const form = this.members(table, depth);
    if (isOuter) this.isBare = false;
    return form;
  }

  private members(table: MessageTable, depth: number): Form {
    if (table.name === 'google.protobuf.Duration') return { ...this.random.pick(durationEdges) };
    if (table.name === 'google.protobuf.Timestamp') {
      const [seconds, nanos] = this.random.pick(timeEdges.filter(([held]) => held !== zeroTimeSeconds));
      return { seconds, nanos };
    }
    const form: Record<string, unknown> = { ...(defaultForm(table) as Form) };
    // A table that only nests itself goes deep; one with many nested tables would grow without limit.
    for (const field of shuffled(table.fields, this.random)) {
      if (this.left <= 0 || this.random.chance(0.15)) continue;
      if (field.oneof !== undefined && form[memberOf(field)] !== undefined) continue;
      const held = this.held(field, depth);
      if (field.oneof === undefined) form[memberOf(field)] = held;
      else if (held !== undefined) form[memberOf(field)] = { $case: field.prop, value: held };
    }
    return form;
  }

  private held(field: Field, depth: number): unknown {
    if (field.kind === 'map') throw new Error(`${field.name}: maps do not occur in this interface`);
    if (!field.repeated) return this.value(field, depth);
    const list: unknown[] = [];
    for (let more = this.random.pick([0, 1, 1, 2, 3]); more > 0 && this.left > 0; more--) {
      const item = this.value({ ...field, always: true }, depth);
      // An absent element has no form.
      if (item !== undefined) list.push(item);
    }
    return list;
  }

  private value(field: Field, depth: number): unknown {
    this.left--;
    const { random } = this;
    switch (field.kind) {
      case 'message': {
        const table = field.message();
        if (depth === 0) return field.always ? defaultForm(table) : undefined;
        return this.message(table, depth - 1);
      }
      case 'any':
        return this.any(field, depth);
      case 'timestamp': {
        const [seconds, nanos] = random.chance(0.7) ? random.pick(timeEdges) : [random.unsigned(37), random.below(1e9)];
        // A list cannot contain the zero time, which is absent in the form.
        return timestampOf(seconds, nanos) ?? (field.repeated ? { seconds, nanos: 1 } : undefined);
      }
      case 'duration':
        return random.pick(durationEdges);
      case 'enum': {
        const known = Object.values(field.enum().values);
        return random.chance(0.8) ? random.pick(known) : random.pick(enumEdges);
      }
      default:
        return this.scalar(field);
    }
  }

  private scalar({ kind, name, oneof }: Field): unknown {
    const { random } = this;
    const rather = <T>(edges: readonly T[], other: () => T): T => (random.chance(0.6) ? random.pick(edges) : other());
    switch (kind) {
      case 'bool':
        return random.chance(0.5);
      case 'int32':
      case 'sint32':
      case 'sfixed32':
        return rather(int32Edges, () => random.bits() | 0);
      case 'uint32':
      case 'fixed32':
        return rather(uint32Edges, () => random.bits());
      case 'int64':
      case 'sint64':
      case 'sfixed64':
        if (this.isBare) return BigInt.asIntN(54, random.unsigned(53));
        return rather(int64Edges, () => BigInt.asIntN(64, random.unsigned(64)));
      case 'uint64':
      case 'fixed64':
        if (this.isBare) return random.unsigned(53);
        return rather(uint64Edges, () => random.unsigned(64));
      case 'double':
        return random.pick(doubleEdges);
      case 'string':
      case 'decText':
        return rather(texts, () => `${random.pick(texts)}${random.bits()}`);
      case 'bytes':
      case 'hex':
        // The gateway prints empty bytes as null, which in a oneof means that no member is set.
        return this.bytes(oneof === undefined ? 0 : 1);
      case 'rawJson':
        return new TextEncoder().encode(random.pick(contracts));
      case 'int':
        return rather(ints, () => String(random.unsigned(128)));
      case 'dec':
      case 'decBytes':
        return decFromScaled(rather(scaled, () => String(random.unsigned(100))));
      default:
        throw new Error(`${name}: no random values for ${kind}`);
    }
  }

  private bytes(least = 0): Uint8Array {
    const length = Math.max(least, this.random.pick([0, 0, 1, 2, 3, 32, 200]));
    return Uint8Array.from({ length }, () => this.random.bits() & 255);
  }

  private any(field: FieldOf<'any'>, depth: number): unknown {
    const known = Object.entries(field.any?.() ?? {});
    if (known.length > 0 && depth > 0 && (this.unknownAny === 'none' || this.random.chance(0.6))) {
      const [name, table] = this.random.pick(known);
      return { typeUrl: `/${name}`, value: this.message(table(), depth - 1) };
    }
    const typeUrl = this.random.pick(urls);
    if (this.unknownAny === 'bytes') return { typeUrl, raw: this.bytes() };
    if (this.unknownAny === 'members') return { typeUrl, raw: { colour: 'red<', nested: { list: [1, null, '2'] } } };
    return field.oneof === undefined && !field.repeated ? defaultValue(field) : undefined;
  }
}

function shuffled<T>(list: readonly T[], random: RandomSource): T[] {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}
