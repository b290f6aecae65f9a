import { describe, expect, it } from 'vitest';
import { choice, optional } from './choice.js';
import {
  anyOf,
  bool,
  bytes,
  dec,
  duration,
  enumOf,
  hex,
  int,
  int32,
  int64,
  packed,
  rawJson,
  timestamp,
  uint32,
  uint64,
} from './kinds.js';
import { readJson } from './read-json.js';
import { readWire } from './read-wire.js';
import { type SmallKind, string, table } from './table.js';
import { writeWire } from './write-wire.js';

const status = enumOf('0:unspecified,active,inactive', 'STATUS_');

/** What a message of one field holds for a value of JSON. */
const fromJson = (kind: SmallKind, json: unknown, mark = ''): unknown =>
  (table(`held${mark}`, () => [kind])({ held: json }, readJson) as { held: unknown }).held;
/** … and for the bytes of the wire, in hex. */
const fromWire = (kind: SmallKind, text: string, mark = ''): unknown =>
  (table(`held${mark}`, () => [kind])(Buffer.from(text, 'hex'), readWire) as { held: unknown }).held;

describe('small codec, JSON', () => {
  it.each<[string, SmallKind, unknown, unknown]>([
    ['text', string, 'a', 'a'],
    ['true', bool, true, true],
    ['unsigned, the largest', uint64, '18446744073709551615', 18446744073709551615n],
    ['signed, the least', int64, '-9223372036854775808', -9223372036854775808n],
    ['64 bits printed bare', int64, 7, 7n],
    ['32 bits', int32, -5, -5],
    ['32 bits as text', uint32, '4294967295', 4294967295],
    ['amount', int, '-38885', '-38885'],
    ['amount, empty', int, '', '0'],
    ['decimal', dec, '0.050000000000000000', '0.050000000000000000'],
    ['decimal, short', dec, '-5.1', '-5.100000000000000000'],
    ['decimal, empty', dec, '', '0.000000000000000000'],
    ['enum, short text', status, 'active', 1],
    ['enum, full name', status, 'STATUS_INACTIVE', 2],
    ['enum, number', status, 2, 2],
    ['enum, unknown number', status, 77, 77],
    ['enum, unknown text', status, 'constructor', 'constructor'],
    ['bytes', bytes, '+/8=', Uint8Array.of(0xfb, 0xff)],
    ['hex', hex, 'fbFF', Uint8Array.of(0xfb, 0xff)],
    ['JSON inline', rawJson, { a: [null] }, new TextEncoder().encode('{"a":[null]}')],
    ['nanoseconds', timestamp, '2026-11-28T11:36:03.24257684Z', { seconds: 1795865763n, nanos: 242576840 }],
    ['before 1970', timestamp, '1969-12-31T23:59:59.5Z', { seconds: -1n, nanos: 500000000 }],
    ['zero time', timestamp, '0001-01-01T00:00:00Z', undefined],
    ['duration', duration, '7200s', { seconds: 7200n, nanos: 0 }],
    ['negative duration', duration, '-0.5s', { seconds: 0n, nanos: -500000000 }],
  ])('%s', (_, kind, json, held) => {
    expect(fromJson(kind, json)).toEqual(held);
  });

  it.each<[SmallKind, unknown]>([
    [string, undefined],
    [bool, undefined],
    [uint64, undefined],
    [int, undefined],
    [dec, undefined],
    [status, undefined],
    [bytes, undefined],
    [rawJson, undefined],
    [timestamp, undefined],
    [duration, undefined],
    [table('a'), undefined],
    [anyOf(), undefined],
  ])('absent and null: the same default, %#', (kind) => {
    const wire = fromWire(kind, '');
    expect(fromJson(kind, undefined)).toEqual(wire);
    expect(fromJson(kind, null)).toEqual(wire);
  });

  it('held by value: a message and a duration are never absent', () => {
    expect(
      fromJson(
        table('a,b', () => [string, uint64]),
        null,
        '!',
      ),
    ).toEqual({ a: '', b: 0n });
    expect(fromWire(duration, '', '!')).toEqual({ seconds: 0n, nanos: 0 });
  });

  it('lists: null is none, and empty bytes print as null in one', () => {
    expect(fromJson(string, null, '*')).toEqual([]);
    expect(fromJson(bytes, [null, 'AQ=='], '*')).toEqual([new Uint8Array(), Uint8Array.of(1)]);
    expect(fromJson(table('a'), [null], '*')).toEqual([{ a: '' }]);
  });

  it.each<[string, SmallKind, unknown]>([
    ['a number for text', string, 5],
    ['text for bool', bool, 'true'],
    ['a number for bool', bool, 1],
    ['2^64', uint64, '18446744073709551616'],
    ['-1 without a sign', uint64, '-1'],
    ['a fraction', uint64, '1.5'],
    ['an empty number', uint64, ''],
    ['hex for a number', int64, '0x5'],
    ['a list for a number', int64, ['5']],
    ['a number that JSON has rounded', int64, 2 ** 53],
    ['bool for a number', int32, true],
    ['2^31', int32, 2147483648],
    ['text for an amount', int, '1e5'],
    ['a bare amount', int, {}],
    ['19 digits', dec, '0.0000000000000000001'],
    ['text for a decimal', dec, 'NaN'],
    ['a fraction for an enum', status, 1.5],
    ['an object for an enum', status, {}],
    ['no base64', bytes, '*'],
    ['a list for bytes', bytes, [1]],
    ['half a byte', hex, 'abc'],
    ['a day that is none', timestamp, '2026-13-01T00:00:00Z'],
    ['a time without a zone', timestamp, '2026-11-28T11:36:03'],
    ['a duration for a time', timestamp, '7200s'],
    ['a time for a duration', duration, '2026-11-28T11:36:03Z'],
    ['a number for a time', timestamp, 5],
    ['a list for a message', table('a'), []],
    ['text for a message', table('a'), ''],
    ['a bare Any', anyOf(), 'x'],
  ])('refused: %s', (_, kind, json) => {
    expect(() => fromJson(kind, json)).toThrow(/^held: /);
  });

  it('a value that does not fit: named by its way from the outermost message', () => {
    const node = table('status', () => [status]);
    const nodes = table('node,others*', () => [node, node]);
    expect(() => nodes({ node: {}, others: [{ status: {} }] }, readJson)).toThrow('others: status: ');
    expect(() => nodes({ others: {} }, readJson)).toThrow('others: ');
  });

  it('members that the table does not know, and lowerCamelCase names: passed over, and read', () => {
    expect(table('max_hours', () => [int64])({ maxHours: '5', more: 1 }, readJson)).toEqual({ maxHours: 5n });
  });
});

describe('small codec, wire', () => {
  it.each<[string, SmallKind, string, unknown]>([
    ['text', string, '0a01c3', '\ufffd'],
    ['bool', bool, '0801', true],
    ['the largest number', uint64, '08ffffffffffffffffff01', 18446744073709551615n],
    ['-1 of 64 bits', int64, '08ffffffffffffffffff01', -1n],
    ['-1 of 32 bits', int32, '08ffffffffffffffffff01', -1],
    ['32 bits without a sign', uint32, '08ffffffff0f', 4294967295],
    ['amount', int, '0a032d3132', '-12'],
    ['scaled decimal', dec, '0a03313030', '0.000000000000000100'],
    ['scaled decimal below zero', dec, '0a142d31303030303030303030303030303030303030', '-1.000000000000000000'],
    ['enum', status, '0802', 2],
    ['bytes', bytes, '0a02fbff', Uint8Array.of(0xfb, 0xff)],
    ['time', timestamp, '0a0808e3cfb8d8061001', { seconds: 1796089827n, nanos: 1 }],
    ['zero time', timestamp, '0a0b088092b8c398feffffff01', undefined],
    ['the last of several', string, '0a01610a0162', 'b'],
  ])('%s', (_, kind, hexText, held) => {
    expect(fromWire(kind, hexText)).toEqual(held);
  });

  it('numbers packed and not: one list', () => {
    expect(fromWire(packed(uint64), '0a0301ac02', '*')).toEqual([1n, 300n]);
    expect(fromWire(packed(uint64), '0801' + '0802', '*')).toEqual([1n, 2n]);
  });

  it('fields that the table does not know: passed over, whatever their wire type', () => {
    expect(fromWire(string, '1001' + '190102030405060708' + '2203616263' + '2d01020304' + '0a0161')).toBe('a');
  });

  it.each<[string, SmallKind, string]>([
    ['text for a decimal', dec, '0a013a'],
    ['cut number', uint64, '08ff'],
    ['cut text', string, '0a0561'],
    ['cut fixed number', string, '1901'],
    ['a group', string, '0b0c'],
    ['field number 0', string, '0001'],
    ['more than 64 bits', uint64, '08ffffffffffffffffff03'],
    ['a number for text', string, '0801'],
    ['text for a number', uint64, '0a0161'],
    ['a fixed number for text', string, '090102030405060708'],
    ['a number for a message', table('a'), '0801'],
  ])('refused: %s', (_, kind, hexText) => {
    expect(() => fromWire(kind, hexText)).toThrow();
  });
});

describe('small codec, oneofs and Any', () => {
  const key = choice<{ sum: unknown }>(
    { ed25519: 'sum', secp256k1: 'sum' },
    table('ed25519,secp256k1', () => [optional(bytes), optional(bytes)]),
  );
  const session = table('id', () => [uint64]);
  const any = anyOf(() => ({ 'hub.test.v1.Session': session }));

  it('a oneof: the member that is set, from JSON and the wire, and none', () => {
    const held = { sum: { $case: 'secp256k1', value: Uint8Array.of(1) } };
    expect(key({ secp256k1: 'AQ==' }, readJson)).toEqual(held);
    expect(key(Uint8Array.of(0x12, 1, 1), readWire)).toEqual(held);
    expect(key(writeAs(key, held), readWire)).toEqual(held);
    expect(key({}, readJson)).toEqual({ sum: undefined });
  });

  it('an Any: known by its type, else raw, and the name of a member of Object is no type', () => {
    const known = { typeUrl: '/hub.test.v1.Session', value: { id: 5n } };
    expect(fromJson(any, { '@type': '/hub.test.v1.Session', id: '5' })).toEqual(known);
    expect(fromJson(any, { '@type': '/constructor', id: '5' })).toEqual({ typeUrl: '/constructor', raw: { id: '5' } });
    const url = Buffer.from('/hub.test.v1.Session').toString('hex');
    expect(fromWire(any, `0a1a0a14${url}12020805`)).toEqual(known);
    expect(fromWire(any, '0a080a022f6112020805')).toEqual({ typeUrl: '/a', raw: Uint8Array.of(8, 5) });
  });

  it('an Any in a request: refused, not sent as something else', () => {
    expect(() =>
      writeAs(
        table('held', () => [any]),
        { held: { typeUrl: '/hub.test.v1.Session', value: {} } },
      ),
    ).toThrow();
  });
});

const writeAs = (kind: SmallKind, form: object): Uint8Array => Uint8Array.from(kind(form, writeWire) as number[]);

describe('small codec, requests', () => {
  const page = table('key,offset,limit,3:count_total', () => [bytes, uint64, uint64, bool]);
  const request = table('status,names*,5:page', () => [status, string, page]);

  it('what is given is written, an enum by any of its names', () => {
    const form = { status: 'active', names: ['a', 'b'], page: { limit: 300n, key: Uint8Array.of(255) } };
    expect(request(writeAs(request, form), readWire)).toMatchObject({
      status: 1,
      names: ['a', 'b'],
      page: { limit: 300n, key: Uint8Array.of(255) },
    });
    expect(writeAs(request, {})).toEqual(new Uint8Array());
  });

  it.each<[string, object]>([
    ['a number that would wrap', { page: { limit: 2n ** 64n + 5n } }],
    ['below zero', { page: { limit: -1n } }],
    ['a number for text', { names: [5] }],
    ['an enum text that is none', { status: {} }],
  ])('refused: %s', (_, form) => {
    expect(() => writeAs(request, form)).toThrow();
  });
});
