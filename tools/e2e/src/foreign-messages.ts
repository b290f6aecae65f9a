import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const bytes = fc.uint8Array({ maxLength: 8 });

const scalars: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  // JavaScript's JSON has no negative zero.
  [ScalarType.DOUBLE]: fc.double({ noNaN: true }).map((number) => number + 0),
  [ScalarType.FLOAT]: fc.float({ noNaN: true }).map((number) => number + 0),
  [ScalarType.INT64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.INT32]: int32,
  [ScalarType.FIXED64]: uint64,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.STRING]: fc.string({ unit: 'grapheme', maxLength: 6 }),
  [ScalarType.BYTES]: bytes,
  [ScalarType.UINT32]: uint32,
  [ScalarType.SFIXED32]: int32,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.SINT32]: int32,
  [ScalarType.SINT64]: int64,
};

/** Arbitrary content of a message, except zeros of fields without presence, which are never on the wire. */
export function messageArbitrary(desc: DescMessage, depth = 2): fc.Arbitrary<Message> {
  if (desc.typeName === 'google.protobuf.Timestamp' || desc.typeName === 'google.protobuf.Duration') {
    const span = fc.record({
      seconds: fc.bigInt({ min: 0n, max: 200_000_000_000n }),
      nanos: fc.integer({ min: 0, max: 999_999_999 }),
    });
    return span.map((init) => create(desc, init as never));
  }
  if (desc.typeName === 'google.protobuf.Any') {
    return fc.constant(create(desc, { typeUrl: '/weather.v1.Hail', value: Uint8Array.of(8, 7) }));
  }
  const fields = desc.fields.map((field) =>
    isRequired(field) ? valueArbitrary(field, depth) : fc.option(valueArbitrary(field, depth), { nil: undefined }),
  );
  return fc.tuple(...fields).map((values) => {
    const message = create(desc);
    const reflected = reflect(desc, message);
    desc.fields.forEach((field, index) => set(reflected, field, values[index]));
    return message;
  });
}

const isRequired = ({ presence }: DescField): boolean => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;

type Reflected = ReturnType<typeof reflect>;

function set(reflected: Reflected, field: DescField, value: unknown): void {
  if (value === undefined) return;
  if (field.fieldKind === 'list') {
    const list = reflected.get(field);
    for (const item of value as unknown[]) list.add(item);
  } else if (field.fieldKind === 'map') {
    const map = reflected.get(field);
    for (const [key, item] of value as [never, never][]) map.set(key, item);
  } else reflected.set(field, value);
}

function valueArbitrary(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const one = (): fc.Arbitrary<unknown> => {
    if (field.message) return submessage(field.message, depth);
    if (field.enum) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
    return scalars[field.scalar];
  };
  if (field.fieldKind === 'list') return depth === 0 ? fc.constant([]) : fc.array(one(), { maxLength: 3 });
  if (field.fieldKind === 'map') {
    const key =
      field.mapKey === ScalarType.STRING
        ? fc.string({ maxLength: 4 }).filter((text) => text !== '__proto__')
        : scalars[field.mapKey];
    return depth === 0 ? fc.constant([]) : fc.array(fc.tuple(key, one()), { maxLength: 2 });
  }
  return one();
}

function submessage(desc: DescMessage, depth: number): fc.Arbitrary<unknown> {
  // The depth limit ends in empty messages.
  const message = depth === 0 ? fc.constant(create(desc)) : messageArbitrary(desc, depth - 1);
  return message.map((held) => reflect(desc, held));
}
