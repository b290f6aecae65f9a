import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleForms } from '../../test/sample-forms.js';
import { Leaf, Nest, Sample } from '../../test/sample-tables.js';
import { CodecError, decodeBinary, encodeBinary } from './binary.js';
import { defaultForm } from './default-form.js';
import { createNaming } from './naming-profile.js';
import type { MessageTable } from './table.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('binary codec', () => {
  it('any form: is restored by writing and reading', () => {
    fc.assert(
      fc.property(sampleForms, (form) => {
        expect(decodeBinary(Sample, encodeBinary(Sample, form))).toStrictEqual(form);
      }),
    );
  });

  it('any bytes: result in a form or a CodecError, nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeBinary(Sample, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('a truncated message: results in a form or a CodecError, and never in a read past the end', () => {
    fc.assert(
      fc.property(sampleForms, fc.nat(), (form, cut) => {
        const bytes = encodeBinary(Sample, form);
        const part = bytes.subarray(0, cut % (bytes.length + 1));
        try {
          decodeBinary(Sample, part);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
          expect((error as CodecError).offset).toBeLessThanOrEqual(part.length);
        }
      }),
    );
  });

  it('an empty message: the default form', () => {
    expect(decodeBinary(Sample, new Uint8Array(0))).toStrictEqual(defaultForm(Sample));
  });

  it('omitted members: encoded as the defaults, including values of fields that the node stores by value', () => {
    // Int and Dec "0" (16, 17, 18), an empty leaf (21), the zero time (23), an empty span (25).
    const always = '820101308a0101309201' + '0130' + 'aa0100' + 'ba010b088092b8c398feffffff01' + 'ca0100';
    expect(hex(encodeBinary(Sample, {}))).toBe(always);
    expect(hex(encodeBinary(Sample, defaultForm(Sample)))).toBe(always);
  });

  it('scalars of another writer: decoded equally', () => {
    fc.assert(
      fc.property(sampleForms, (form) => {
        const writer = new BinaryWriter();
        writer.tag(2, WireType.Varint).int32(form.small).tag(3, WireType.Varint).uint32(form.smallUnsigned);
        writer.tag(4, WireType.Varint).sint32(form.smallZigzag).tag(5, WireType.Varint).int64(form.big);
        writer.tag(6, WireType.Varint).uint64(form.bigUnsigned).tag(7, WireType.Varint).sint64(form.bigZigzag);
        writer.tag(8, WireType.Bit32).fixed32(form.four).tag(9, WireType.Bit32).sfixed32(form.fourSigned);
        writer.tag(10, WireType.Bit64).fixed64(form.eight).tag(11, WireType.Bit64).sfixed64(form.eightSigned);
        writer.tag(12, WireType.Bit64).double(form.ratio).tag(13, WireType.LengthDelimited).string(form.text);
        const { small, smallUnsigned, smallZigzag, big, bigUnsigned, bigZigzag } = form;
        const { four, fourSigned, eight, eightSigned, ratio, text } = form;
        expect(decodeBinary(Sample, writer.finish())).toMatchObject({
          ...{ small, smallUnsigned, smallZigzag, big, bigUnsigned, bigZigzag },
          ...{ four, fourSigned, eight, eightSigned, ratio, text },
        });
      }),
    );
  });

  it('our scalars: decoded equally by another reader', () => {
    fc.assert(
      fc.property(sampleForms, (form) => {
        const reader = new BinaryReader(encodeBinary(Leaf, { id: form.bigUnsigned, label: form.text }));
        if (form.bigUnsigned !== 0n) {
          expect(reader.tag()).toEqual([1, WireType.Varint]);
          expect(reader.uint64()).toBe(form.bigUnsigned);
        }
        if (form.text !== '') {
          expect(reader.tag()).toEqual([2, WireType.LengthDelimited]);
          expect(reader.string()).toBe(form.text);
        }
        expect(reader.pos).toBe(reader.len);
      }),
    );
  });

  it('a list of numbers: read packed and unpacked, written packed', () => {
    const unpacked = Uint8Array.from([0xd8, 1, 1, 0xd8, 1, 2]);
    const packed = Uint8Array.from([0xda, 1, 2, 1, 2]);
    expect(decodeBinary(Sample, unpacked)['numbers']).toEqual([1n, 2n]);
    expect(decodeBinary(Sample, packed)['numbers']).toEqual([1n, 2n]);
    expect(hex(encodeBinary(Sample, { numbers: [1n, 2n] }))).toContain('da01020102');
  });

  it('unknown fields of every wire type: skipped', () => {
    const writer = new BinaryWriter();
    writer
      .tag(900, WireType.Varint)
      .uint64(5n)
      .tag(901, WireType.Bit64)
      .fixed64(5n)
      .tag(902, WireType.Bit32)
      .fixed32(5);
    writer.tag(903, WireType.LengthDelimited).string('x').tag(904, WireType.StartGroup);
    writer.tag(1, WireType.Varint).uint32(1).tag(904, WireType.EndGroup).tag(1, WireType.Varint).uint64(7n);
    expect(decodeBinary(Leaf, writer.finish())).toEqual({ id: 7n, label: '' });
  });

  it('a repeated message field: its parts are merged', () => {
    const bytes = Uint8Array.from([0xa2, 1, 2, 8, 1, 0xa2, 1, 3, 18, 1, 65]);
    expect(decodeBinary(Sample, bytes)['leaf']).toEqual({ id: 1n, label: 'A' });
  });

  it('zero time: absent in the form, complete on the wire', () => {
    const bytes = encodeBinary(Sample, {});
    expect(decodeBinary(Sample, bytes)['atAlways']).toBeUndefined();
  });

  it('invalid UTF-8: replaced, and a byte order mark is kept', () => {
    expect(decodeBinary(Leaf, Uint8Array.from([18, 2, 0xff, 65])).label).toBe('\ufffdA');
    expect(decodeBinary(Leaf, Uint8Array.from([18, 4, 0xef, 0xbb, 0xbf, 65])).label).toBe('\ufeffA');
  });

  it('a map key that is a property of every object: a member like any other', () => {
    const bytes = encodeBinary(Sample, {
      byName: JSON.parse('{"__proto__":5}', (_, value) => (value === 5 ? 5n : value)),
    });
    const { byName } = decodeBinary(Sample, bytes) as { byName: object };
    expect(Object.entries(byName)).toEqual([['__proto__', 5n]]);
    expect(Object.getPrototypeOf(byName)).toBe(Object.prototype);
  });

  const names = createNaming({
    profile: 'test',
    segments: { package: { hub: 'city' }, route: {}, event_type: {} },
    headers: {},
    json_members: {},
  });

  it('type URLs of Any: wire names on the wire, neutral in the form', () => {
    const form = { anything: { typeUrl: '/hub.test.v1.Leaf', value: { id: 1n, label: '' } } };
    const bytes = encodeBinary(Sample, form, names);
    expect(Buffer.from(bytes).toString('latin1')).toContain('/city.test.v1.Leaf');
    expect(decodeBinary(Sample, bytes, names)).toMatchObject(form);
  });

  it('Any of an unknown type: its bytes are kept and written back', () => {
    for (const typeUrl of ['/other.Thing', '/constructor', 'hub.test.v1.Leaf', '']) {
      const anything = { typeUrl, raw: Uint8Array.from([1, 2, 3]) };
      const bytes = encodeBinary(Sample, { anything });
      expect(decodeBinary(Sample, bytes)['anything']).toEqual(anything);
      expect(hex(encodeBinary(Sample, decodeBinary(Sample, bytes)))).toBe(hex(bytes));
    }
  });

  it.each<[string, MessageTable, number[], string]>([
    ['a number that ends early', Leaf, [8, 0x80], 'test.Leaf.id at byte 1: the bytes end inside a number'],
    ['a number of eleven bytes', Leaf, [8, ...Array<number>(10).fill(0x80), 1], 'test.Leaf.id at byte 1'],
    ['a number over 64 bits', Leaf, [8, ...Array<number>(9).fill(0xff), 2], 'larger than 64 bits'],
    ['a text longer than the message', Leaf, [18, 9, 65], 'test.Leaf.label at byte 1: a block of 9 bytes is announced'],
    ['field number 0', Leaf, [0, 1], 'field number 0'],
    ['an end without its group', Leaf, [0x84, 0x38], 'wire type 4'],
    ['a wire type that does not fit', Leaf, [13, 1, 0, 0, 0], 'test.Leaf.id at byte 1: wire type 5 where uint64 has 0'],
    ['an error inside a list', Sample, [0xea, 1, 0, 0xea, 1, 2, 8, 0x80], 'test.Sample.leaves[1].id at byte 7'],
    ['an amount that is no number', Sample, [0x82, 1, 1, 65], 'test.Sample.amount at byte 2: "A" is not an integer'],
  ])('%s: the error has the field and the offset', (_, table, bytes, message) => {
    expect(() => decodeBinary(table, Uint8Array.from(bytes))).toThrow(message);
  });

  it('nesting beyond the limit: refused instead of a stack overflow', () => {
    let bytes = new Uint8Array(0);
    for (let i = 0; i < 150; i++) bytes = Uint8Array.from(encodeBinary(Sample, {}).length > 0 ? wrap(bytes) : []);
    expect(() => decodeBinary(Nest, bytes)).toThrow('nested deeper than 100');
  });

  function wrap(inner: Uint8Array): number[] {
    const writer = new BinaryWriter();
    return [...writer.tag(1, WireType.LengthDelimited).bytes(inner).finish()];
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['a number for 64 bits', { big: 5 }, 'test.Sample.big: a bigint is expected, not number 5'],
    ['a number out of range', { small: 2 ** 31 }, 'test.Sample.small: an integer from'],
    ['2^64', { bigUnsigned: 1n << 64n }, 'does not fit into 64 bits'],
    ['an unknown enum text', { colour: 'green' }, '"green" is not one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE'],
    ['a wrong type in a list', { leaves: [{}, { id: 'x' }] }, 'test.Sample.leaves[1].id: a bigint is expected'],
    ['JSON of an unknown Any', { anything: { typeUrl: '/a.B', raw: {} } }, 'cannot be written as bytes'],
  ])('%s: cannot be written, and the error names the member', (_, form, message) => {
    expect(() => encodeBinary(Sample, form)).toThrow(message);
  });
});
