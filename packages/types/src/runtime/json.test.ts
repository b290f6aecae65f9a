import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleForms } from '../../test/sample-forms.js';
import { Leaf, Sample } from '../../test/sample-tables.js';
import { defaultForm } from './default-form.js';
import { fromJson, toGatewayJson } from './json.js';
import { createNaming } from './naming-profile.js';
import type { MessageTable } from './table.js';

const read = (member: Record<string, unknown>): unknown => {
  const [name = ''] = Object.keys(member);
  const field = Sample.fields.find((candidate) => candidate.name === name || candidate.prop === name);
  return fromJson(Sample, member)[field?.oneof ?? field?.prop ?? ''];
};

describe('gateway JSON codec', () => {
  it('any form: the printed JSON reads back as the same form', () => {
    fc.assert(
      fc.property(sampleForms, (form) => {
        expect(fromJson(Sample, JSON.parse(toGatewayJson(Sample, form)))).toStrictEqual({
          // `contract` is unchanged too, because `sampleForms` writes it with JSON.stringify.
          ...form,
          ratio: form.ratio === 0 ? 0 : form.ratio,
        });
      }),
    );
  });

  it('absent and null members read as the default form', () => {
    expect(fromJson(Sample, {})).toStrictEqual(defaultForm(Sample));
    const nulls = Object.fromEntries(Sample.fields.map((field) => [field.name, null]));
    expect(fromJson(Sample, nulls)).toStrictEqual(defaultForm(Sample));
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ big: '-5' }, -5n],
    [{ big: 5 }, 5n],
    [{ big_unsigned: '18446744073709551615' }, 18446744073709551615n],
    [{ bigUnsigned: '7' }, 7n],
    [{ small: '12' }, 12],
    [{ colour: 'red' }, 1],
    [{ colour: 'COLOUR_BLUE' }, 2],
    [{ colour: 2 }, 2],
    [{ colour: 9 }, 9],
    [{ colour: 'mauve' }, 'mauve'],
    [{ colour: 'toString' }, 'toString'],
    [{ hash: 'ab01' }, Uint8Array.from([0xab, 1])],
    [{ raw_bytes: '-_8' }, Uint8Array.from([0xfb, 0xff])],
    [{ raw_bytes: '+/8=' }, Uint8Array.from([0xfb, 0xff])],
    [{ share: '0' }, '0.000000000000000000'],
    [{ share: '-1.5' }, '-1.500000000000000000'],
    [{ amount: '' }, '0'],
    [{ at: '0001-01-01T00:00:00Z' }, undefined],
    [{ at: '2026-11-28T11:36:03.2Z' }, { seconds: 1795865763n, nanos: 200_000_000 }],
    [{ span: '7200s' }, { seconds: 7200n, nanos: 0 }],
    [{ span: '2h0m0s' }, { seconds: 7200n, nanos: 0 }],
    [{ span: '-0.500s' }, { seconds: 0n, nanos: -500_000_000 }],
    [{ texts: ['a'] }, ['a']],
    [{ either_text: 'a' }, { $case: 'eitherText', value: 'a' }],
    [{ contract: { a: [1] } }, new TextEncoder().encode('{"a":[1]}')],
    [
      { anything: { '@type': '/hub.test.v1.Leaf', id: '1' } },
      { typeUrl: '/hub.test.v1.Leaf', value: { id: 1n, label: '' } },
    ],
    [{ anything: { '@type': '/a.B', x: '1' } }, { typeUrl: '/a.B', raw: { x: '1' } }],
  ])('dialect %#: reads into the same form', (json, value) => {
    expect(read(json)).toEqual(value);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ big: '9223372036854775808' }, 'test.Sample.big: an integer from'],
    [{ big_unsigned: '18446744073709551616' }, 'test.Sample.big_unsigned'],
    [{ big: 2 ** 53 }, 'test.Sample.big'],
    [{ big: 1.5 }, 'test.Sample.big'],
    [{ text: 5 }, 'test.Sample.text: a text is expected, not a number'],
    [{ flag: 'true' }, 'test.Sample.flag: true or false is expected'],
    [{ leaves: {} }, 'test.Sample.leaves: a list is expected, not an object'],
    [{ leaves: [{}, { id: 'x' }] }, 'test.Sample.leaves[1].id: an integer from'],
    [{ leaf: [] }, 'test.Sample.leaf: an object is expected, not a list'],
    [{ at: '2026-02-30T00:00:00Z' }, 'test.Sample.at: "2026-02-30T00:00:00Z" is no day'],
    [{ share: '0.1234567890123456789' }, 'test.Sample.share'],
    [{ raw_bytes: 'a?' }, 'test.Sample.raw_bytes: character 1'],
  ])('%j: refused with the path of the member', (json, message) => {
    expect(() => fromJson(Sample, json)).toThrow(message);
  });

  it.each([null, [], 'text', 5])('%j instead of a message: refused', (json) => {
    expect(() => fromJson(Leaf, json)).toThrow('test.Leaf: an object is expected');
  });

  it('printed text: members in declaration order, 64-bit numbers quoted, escapes as on the node', () => {
    const form = { id: 5n, label: '<a & "b">\n\u2028\u0001é' };
    expect(toGatewayJson(Leaf, form)).toBe('{"id":"5","label":"\\u003ca \\u0026 \\"b\\"\\u003e\\n\\u2028\\u0001é"}');
  });

  it('printed text of the default form: contains every member, with the zero value that the node prints', () => {
    expect(JSON.parse(toGatewayJson(Sample, {}))).toMatchObject({
      flag: false,
      big: '0',
      raw_bytes: null,
      hash: '',
      amount: '0',
      share: '0.000000000000000000',
      colour: 'unspecified',
      leaf: null,
      leaf_always: { id: '0', label: '' },
      at: null,
      at_always: '0001-01-01T00:00:00Z',
      span: null,
      span_always: '0s',
      anything: null,
      numbers: [],
      by_name: {},
      contract: null,
    });
    expect(toGatewayJson(Sample, {})).not.toContain('either');
  });

  it('contract JSON: printed compact, with numbers unchanged', () => {
    const contract = new TextEncoder().encode('{ "a" : 12345678901234567890.10, "b": "<\\u0041 &>" }');
    expect(toGatewayJson(Sample, { contract })).toContain(
      '"contract":{"a":12345678901234567890.10,"b":"\\u003c\\u0041 \\u0026\\u003e"}',
    );
  });

  it('network names: translated in members and in @type, in both directions', () => {
    const naming = createNaming({
      profile: 'test',
      segments: { package: { hub: 'city' }, route: {}, event_type: {} },
      headers: {},
      json_members: { label: 'tag' },
    });
    const form = { anything: { typeUrl: '/hub.test.v1.Leaf', value: { id: 1n, label: 'x' } } };
    const text = toGatewayJson(Sample, form, naming);
    expect(text).toContain('"anything":{"@type":"/city.test.v1.Leaf","id":"1","tag":"x"}');
    expect(fromJson(Sample, JSON.parse(text), naming)).toMatchObject(form);
  });

  it('a well-known message in Any: printed and read under value', () => {
    const Timestamp: MessageTable = {
      name: 'google.protobuf.Timestamp',
      fields: [
        { no: 1, name: 'seconds', prop: 'seconds', kind: 'int64' },
        { no: 2, name: 'nanos', prop: 'nanos', kind: 'int32' },
      ],
    };
    const Holder: MessageTable<Record<string, unknown>> = {
      name: 'test.Holder',
      fields: [
        {
          no: 1,
          name: 'held',
          prop: 'held',
          kind: 'any',
          any: () => ({ 'google.protobuf.Timestamp': () => Timestamp }),
        },
      ],
    };
    const json = { held: { '@type': '/google.protobuf.Timestamp', value: '1970-01-01T00:00:05Z' } };
    const form = fromJson(Holder, json);
    expect(form).toEqual({ held: { typeUrl: '/google.protobuf.Timestamp', value: { seconds: 5n, nanos: 0 } } });
    expect(JSON.parse(toGatewayJson(Holder, form))).toEqual(json);
  });
});
