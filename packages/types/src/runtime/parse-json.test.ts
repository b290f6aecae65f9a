import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Leaf, Sample } from '../../test/sample-tables.js';
import * as browser from './decode.browser.js';
import * as node from './decode.js';
import { CodecError } from './codec-error.js';
import { fromJson, parseJson, toGatewayJson } from './json.js';
import { printJson } from './parse-json.js';

const whole = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
/** As returned by the parser: a number if that is exact. */
const held = whole.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const key = fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__');
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    held,
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, true, false, 0.5, 1e21, -1.25e-7, '12345678901234567890', '": 12345678901234567890, "', '\\'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('parseJson', () => {
  it('any JSON with integers of any size: is restored by printing and parsing', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseJson(printJson(value))).toStrictEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('any JSON without long numbers, compact or formatted: the same result as JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => !/\d{16}/.test(JSON.stringify(value))),
        (value) => {
          for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 2)])
            expect(parseJson(text)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['[ 18446744073709551615 ]', [18446744073709551615n]],
    ['{"a":\n18446744073709551615}', { a: 18446744073709551615n }],
    ['[1234567890123456789.5]', [Number('1234567890123456789.5')]],
    ['[1234567890123456789e2]', [Number('1234567890123456789e2')]],
    ['[0.1234567890123456789]', [Number('0.1234567890123456789')]],
    ['[1e-1234567890123456789]', [0]],
    ['["\\": 18446744073709551615",18446744073709551615]', ['": 18446744073709551615', 18446744073709551615n]],
    ['{"18446744073709551615": 18446744073709551615}', { '18446744073709551615': 18446744073709551615n }],
  ])('%s: exact for an integer, else as JSON.parse', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value);
  });

  it.each(['[00018446744073709551615]', '[18446744073709551615n]', '18446744073709551615 1', '[18446744073709551615'])(
    '%s: refused, as by JSON.parse',
    (text) => {
      expect(() => parseJson(text)).toThrow(CodecError);
    },
  );
});

describe('parseJson with malicious texts', () => {
  const long = 'x'.repeat(2 ** 22);
  it.each([
    ['a text that does not end', `[18446744073709551615,"${long}`],
    ['a text of escaped quotes that does not end', `[18446744073709551615,"${'\\"'.repeat(2 ** 21)}`],
    ['a text of backslashes', `[18446744073709551615,"${'\\'.repeat(2 ** 21 + 1)}"]`],
  ])('%s, of megabytes: refused, in linear time (otherwise the test times out)', (_, text) => {
    expect(() => parseJson(text)).toThrow(CodecError);
  });

  it('a number of a million digits: refused by the decoder, not rounded', () => {
    const contract = `{"contract":{"a":${'9'.repeat(2 ** 20)}}}`;
    expect(() => fromJson(Sample, parseJson(contract))).toThrow('test.Sample.contract: a number beyond 10^308');
  });

  it('megabytes of text next to a long number: read', () => {
    const texts = [long, '\\"'.repeat(2 ** 20)];
    const numbers = `18446744073709551615,`.repeat(2 ** 16);
    expect(parseJson(`[${numbers}${JSON.stringify(texts)}]`)).toHaveLength(2 ** 16 + 1);
  });
});

describe('integers above 2^53 over REST', () => {
  const text =
    '{"contract":{"a":9007199254740993,"b":[-18446744073709551616]},"big":9007199254740993,"amount":9007199254740993}';

  it.each([
    ['in Node', node],
    ['in a browser', browser],
  ])('bare numbers of contracts and messages, %s: no digit is lost', (_, { fromJsonText }) => {
    const form = fromJsonText(Sample, text);
    expect(form).toMatchObject({ big: 9007199254740993n, amount: '9007199254740993' });
    expect(Buffer.from(form['contract'] as Uint8Array).toString()).toBe(
      '{"a":9007199254740993,"b":[-18446744073709551616]}',
    );
    expect(toGatewayJson(Sample, form)).toContain('"contract":{"a":9007199254740993,"b":[-18446744073709551616]}');
  });

  it.each([
    ['in Node', node],
    ['in a browser', browser],
  ])('bare number of a message without free JSON, %s: exact', (_, { fromJsonText }) => {
    expect(fromJsonText(Leaf, '{"id":9007199254740993,"label":"x"}')).toEqual({ id: 9007199254740993n, label: 'x' });
    expect(() => fromJsonText(Leaf, '{"id":92233720368547758080}')).toThrow('test.Leaf.id: an integer from 0');
    expect(() => fromJsonText(Leaf, '{"id":')).toThrow(CodecError);
  });

  it('members of an unknown type: kept and printed exactly', () => {
    const any = '{"@type":"/a.B","id":9007199254740993}';
    const form = fromJson(Sample, parseJson(`{"anything":${any}}`));
    expect(form['anything']).toEqual({ typeUrl: '/a.B', raw: { id: 9007199254740993n } });
    expect(toGatewayJson(Sample, form)).toContain(`"anything":${any}`);
  });

  it.each([
    ['{"big":9223372036854775808}', 'not 9223372036854775808'],
    ['{"small":9007199254740993}', 'not 9007199254740993'],
    ['{"text":9007199254740993}', 'a text is expected, not a number'],
  ])('number %s out of range: refused with its text', (json, message) => {
    expect(() => fromJson(Sample, parseJson(json))).toThrow(message);
  });
});
