import fc from 'fast-check';

const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Uint8Array.from(array));
// `binary` generates no lone surrogates, which UTF-8 cannot encode.
const text = fc.string({ unit: 'binary', maxLength: 200 });
const plain = { noNullPrototype: true } as const;
const leaf = fc.record({ id: uint64, label: text }, plain);
const dec = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map((scaled) => {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(19, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
});
/** Years 1 to 9999 without the zero time, which is absent in the form. */
const time = fc.record(
  {
    seconds: fc.bigInt({ min: -62135596799n, max: 253402300799n }),
    nanos: fc.integer({ min: 0, max: 999_999_999 }),
  },
  plain,
);
const span = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((nanos) => ({
  seconds: nanos / 1_000_000_000n,
  nanos: Number(nanos % 1_000_000_000n),
}));
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

/** Random forms of `Sample`. */
export const sampleForms = fc.record(
  {
    flag: fc.boolean(),
    small: int32,
    smallUnsigned: uint32,
    smallZigzag: int32,
    big: int64,
    bigUnsigned: uint64,
    bigZigzag: int64,
    four: uint32,
    fourSigned: int32,
    eight: uint64,
    eightSigned: int64,
    ratio: fc.double({ noNaN: true }).map((value) => value + 0),
    text,
    rawBytes: bytes,
    hash: bytes,
    amount: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
    share: dec,
    shareBytes: dec,
    colour: fc.integer({ min: 0, max: 5 }),
    leaf: optional(leaf),
    leafAlways: leaf,
    at: optional(time),
    atAlways: optional(time),
    span: optional(span),
    spanAlways: span,
    anything: optional(leaf.map((value) => ({ typeUrl: '/hub.test.v1.Leaf', value }))),
    numbers: fc.array(uint64, { maxLength: 40 }),
    texts: fc.array(text, { maxLength: 5 }),
    leaves: fc.array(leaf, { maxLength: 5 }),
    byName: fc.dictionary(text, int64, { maxKeys: 5, noNullPrototype: true }),
    either: optional(
      fc.oneof(
        text.map((value) => ({ $case: 'eitherText', value })),
        leaf.map((value) => ({ $case: 'eitherLeaf', value })),
      ),
    ),
    contract: fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => value !== null)
      .map((value) => new TextEncoder().encode(JSON.stringify(value))),
    plainDec: fc.constantFrom('', '0.5', '1.000000000000000000'),
  },
  plain,
);
