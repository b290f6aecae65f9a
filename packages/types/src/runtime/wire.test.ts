import { BinaryReader as PeerReader, BinaryWriter as PeerWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { BinaryReader, BinaryWriter } from './wire.js';

const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });

/** Kinds of the interface that the generated codecs call, each with values. */
const kinds = {
  uint32,
  int32,
  sint32: int32,
  fixed32: uint32,
  sfixed32: int32,
  uint64,
  int64,
  sint64: int64,
  fixed64: uint64,
  sfixed64: int64,
  bool: fc.boolean(),
  double: fc.double({ noNaN: true }),
  string: fc.string({ unit: 'binary', maxLength: 300 }),
  bytes: fc.uint8Array({ maxLength: 300 }),
} as const satisfies Partial<Record<keyof BinaryWriter, fc.Arbitrary<unknown>>>;

type Kind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as Kind[];

// Each method takes the value of its own kind; the table above pairs them.
type AnyCodec = Record<Kind, (value: unknown) => unknown>;

test.each(kindNames)('wire: %s is written and read as the reference does', (kind) => {
  fc.assert(
    fc.property(fc.array(kinds[kind] as fc.Arbitrary<unknown>, { maxLength: 20 }), (values) => {
      const ours = new BinaryWriter();
      const peer = new PeerWriter();
      for (const value of values) {
        (ours as unknown as AnyCodec)[kind](value);
        (peer as unknown as AnyCodec)[kind](value);
      }
      const bytes = ours.finish();
      expect(bytes).toEqual(peer.finish());
      const reader = new BinaryReader(bytes) as unknown as AnyCodec & { pos: number };
      for (const value of values) expect(reader[kind](undefined)).toEqual(value);
      expect(reader.pos).toBe(bytes.length);
    }),
  );
});

test('wire: nested blocks of any length are written as the reference does', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 }), (blocks) => {
      const write = (writer: Pick<PeerWriter, 'fork' | 'join' | 'bytes' | 'uint32' | 'finish'>): Uint8Array => {
        for (const block of blocks) writer.uint32(10).fork().uint32(18).bytes(block);
        blocks.forEach(() => writer.join());
        return writer.finish();
      };
      expect(write(new BinaryWriter() as unknown as PeerWriter)).toEqual(write(new PeerWriter()));
    }),
  );
});

test('wire: bytes at random never hang and fail as errors, with the position', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const reader = new BinaryReader(bytes);
      try {
        while (reader.pos < reader.len) reader.skip(reader.uint32() & 7, undefined);
      } catch (error) {
        expect((error as Error).message).toMatch(/byte \d+/);
      }
    }),
  );
});

test('wire: a peer skips over unknown fields to the same place', () => {
  const bytes = new BinaryWriter().tag(1, 3).tag(2, 0).uint32(7).tag(1, 4).tag(3, 2).string('x').finish();
  const ours = new BinaryReader(bytes);
  const peer = new PeerReader(bytes);
  ours.skip(ours.uint32() & 7, 1);
  peer.uint32();
  peer.skip(WireType.StartGroup, 1);
  expect(ours.pos).toBe(peer.pos);
});

test('wire: numbers out of range are refused', () => {
  expect(() => new BinaryWriter().uint32(-1)).toThrow('-1 is no uint32: allowed are integers from 0 to 4294967295');
  expect(() => new BinaryWriter().int32(1.5)).toThrow('1.5 is no int32');
});
