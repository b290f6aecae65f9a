import type { AnyTable, EnumTable, MessageTable } from '../src/runtime/table.js';

/** Tables for tests of the codecs. `Sample` has every kind of field. */
export const Colour: EnumTable = {
  name: 'test.Colour',
  values: { COLOUR_UNSPECIFIED: 0, COLOUR_RED: 1, COLOUR_BLUE: 2 },
  texts: { unspecified: 'COLOUR_UNSPECIFIED', red: 'COLOUR_RED', blue: 'COLOUR_BLUE' },
};

export interface Leaf {
  readonly id: bigint;
  readonly label: string;
}

export const Leaf: MessageTable<Leaf> = {
  name: 'test.Leaf',
  fields: [
    { no: 1, name: 'id', prop: 'id', kind: 'uint64' },
    { no: 2, name: 'label', prop: 'label', kind: 'string' },
  ],
};

const anyLeaf: AnyTable = { 'hub.test.v1.Leaf': () => Leaf };

export const Sample: MessageTable<Record<string, unknown>> = {
  name: 'test.Sample',
  fields: [
    { no: 1, name: 'flag', prop: 'flag', kind: 'bool' },
    { no: 2, name: 'small', prop: 'small', kind: 'int32' },
    { no: 3, name: 'small_unsigned', prop: 'smallUnsigned', kind: 'uint32' },
    { no: 4, name: 'small_zigzag', prop: 'smallZigzag', kind: 'sint32' },
    { no: 5, name: 'big', prop: 'big', kind: 'int64' },
    { no: 6, name: 'big_unsigned', prop: 'bigUnsigned', kind: 'uint64' },
    { no: 7, name: 'big_zigzag', prop: 'bigZigzag', kind: 'sint64' },
    { no: 8, name: 'four', prop: 'four', kind: 'fixed32' },
    { no: 9, name: 'four_signed', prop: 'fourSigned', kind: 'sfixed32' },
    { no: 10, name: 'eight', prop: 'eight', kind: 'fixed64' },
    { no: 11, name: 'eight_signed', prop: 'eightSigned', kind: 'sfixed64' },
    { no: 12, name: 'ratio', prop: 'ratio', kind: 'double' },
    { no: 13, name: 'text', prop: 'text', kind: 'string' },
    { no: 14, name: 'raw_bytes', prop: 'rawBytes', kind: 'bytes' },
    { no: 15, name: 'hash', prop: 'hash', kind: 'hex' },
    { no: 16, name: 'amount', prop: 'amount', kind: 'int', always: true },
    { no: 17, name: 'share', prop: 'share', kind: 'dec', always: true },
    { no: 18, name: 'share_bytes', prop: 'shareBytes', kind: 'decBytes', always: true },
    { no: 19, name: 'colour', prop: 'colour', kind: 'enum', enum: () => Colour },
    { no: 20, name: 'leaf', prop: 'leaf', kind: 'message', message: () => Leaf },
    { no: 21, name: 'leaf_always', prop: 'leafAlways', kind: 'message', message: () => Leaf, always: true },
    { no: 22, name: 'at', prop: 'at', kind: 'timestamp' },
    { no: 23, name: 'at_always', prop: 'atAlways', kind: 'timestamp', always: true },
    { no: 24, name: 'span', prop: 'span', kind: 'duration' },
    { no: 25, name: 'span_always', prop: 'spanAlways', kind: 'duration', always: true },
    { no: 26, name: 'anything', prop: 'anything', kind: 'any', any: () => anyLeaf },
    { no: 27, name: 'numbers', prop: 'numbers', kind: 'uint64', repeated: true },
    { no: 28, name: 'texts', prop: 'texts', kind: 'string', repeated: true },
    { no: 29, name: 'leaves', prop: 'leaves', kind: 'message', message: () => Leaf, repeated: true },
    { no: 30, name: 'by_name', prop: 'byName', kind: 'map', key: 'string', value: { kind: 'int64' } },
    { no: 31, name: 'either_text', prop: 'eitherText', kind: 'string', oneof: 'either' },
    { no: 32, name: 'either_leaf', prop: 'eitherLeaf', kind: 'message', message: () => Leaf, oneof: 'either' },
    { no: 33, name: 'contract', prop: 'contract', kind: 'rawJson' },
    { no: 34, name: 'plain_dec', prop: 'plainDec', kind: 'decText' },
  ],
};

/** A recursive message. */
export const Nest: MessageTable = {
  name: 'test.Nest',
  fields: [{ no: 1, name: 'inner', prop: 'inner', kind: 'message', message: () => Nest }],
};
