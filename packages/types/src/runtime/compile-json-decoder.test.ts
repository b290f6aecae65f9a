import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageByName, messageNames } from '../gen/registry.js';
import { publicProfile } from '../gen/naming/public.js';
import { fullForm } from '../../test/full-form.js';
import { sampleForms } from '../../test/sample-forms.js';
import { Nest, Sample } from '../../test/sample-tables.js';
import { fromJsonFast } from './compile-json-decoder.js';
import { defineTable } from './define-table.js';
import { fromJson, toGatewayJson } from './json.js';
import type { Naming } from './naming.js';
import { createNaming, identityNaming } from './naming-profile.js';
import type { MessageTable } from './table.js';

type Read = (table: MessageTable, json: unknown, naming: Naming) => unknown;

function outcome(read: Read, table: MessageTable, json: unknown, naming = identityNaming): unknown {
  try {
    return read(table, json, naming);
  } catch (error) {
    return (error as Error).message;
  }
}

const tables = messageNames.map((name) => messageByName(name) as MessageTable);
const publicNaming = createNaming(publicProfile);

describe('fromJsonFast', () => {
  it.each([identityNaming, publicNaming])(
    'a full form of every message, naming %#: the same result as the table walk',
    (naming) => {
      for (const table of tables) {
        const json: unknown = JSON.parse(toGatewayJson(table, fullForm(table), naming));
        // If the node prints 64-bit numbers bare, both decoders refuse a number as large as that of the full form.
        expect(outcome(fromJsonFast, table, json, naming), table.name).toStrictEqual(
          outcome(fromJson, table, json, naming),
        );
      }
    },
  );

  it('no members, and null in every one: the default form of every message', () => {
    for (const table of tables) {
      const nulls = Object.fromEntries(table.fields.map(({ name }) => [name, null]));
      for (const json of [{}, nulls]) {
        expect(fromJsonFast(table, json), table.name).toStrictEqual(fromJson(table, json));
      }
    }
  });

  it('any form of every kind of field: the same result as the table walk', () => {
    fc.assert(
      fc.property(sampleForms, (form) => {
        const json: unknown = JSON.parse(toGatewayJson(Sample, form));
        expect(fromJsonFast(Sample, json)).toStrictEqual(fromJson(Sample, json));
      }),
    );
  });

  it('any JSON in any member, alone and in a list: the form or the error of the table walk', () => {
    const member = fc.constantFrom(...Sample.fields.flatMap(({ name, prop }) => [name, prop]));
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('-0', '00', '7', '-7', '1e3', '999999999999999', '9223372036854775808', '-9223372036854775808'),
      fc.constantFrom('0.5', '.5', '01.000000000000000000', '-0.000000000000000000', '12.000000000000000001', ''),
      fc.constantFrom(0, -0, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 0.5),
      fc.constantFrom('red', 'COLOUR_RED', 'constructor', '__proto__', '2', 'mauve'),
      fc.constantFrom('7200s', 's', '-1s', '1.5s', '2h0m0s', '9999999999999999s'),
      fc.constantFrom({ '@type': '/hub.test.v1.Leaf', id: 'x' }, { '@type': 5 }, { '@type': '/a.B', x: 1 }, {}),
    );
    fc.assert(
      fc.property(member, odd, fc.boolean(), (name, value, isListed) => {
        const json = { [name]: isListed ? [value, value] : value };
        expect(outcome(fromJsonFast, Sample, json)).toStrictEqual(outcome(fromJson, Sample, json));
      }),
      { numRuns: 3000 },
    );
  });

  it('any time: the same result as the table walk, to the nanosecond', () => {
    const digits = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
    const part = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
    const text = fc
      .tuple(
        fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1, 1600, 1900, 2000, 2024, 2100)),
        fc.oneof(part(13), fc.constant('02')),
        fc.oneof(part(32), fc.constantFrom('28', '29', '30', '31')),
        fc.oneof(part(24), digits),
        fc.oneof(part(60), digits),
        fc.oneof(part(60), digits),
        fc.stringMatching(/^(\.\d{0,10})?$/),
        fc.constantFrom('Z', 'z', '', '+02:00', '-11:30'),
        fc.constantFrom('T', 't', ' '),
      )
      .map(
        ([year, month, day, hour, minute, second, fraction, zone, between]) =>
          `${String(year).padStart(4, '0')}-${month}-${day}${between}${hour}:${minute}:${second}${fraction}${zone}`,
      );
    const spoilt = fc
      .tuple(text, fc.nat(30), fc.constantFrom('x', '', '-', '٣'))
      .map(([whole, at, by]) => whole.slice(0, at) + by + whole.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(text, spoilt), (at) => {
        expect(outcome(fromJsonFast, Sample, { at })).toStrictEqual(outcome(fromJson, Sample, { at }));
      }),
      { numRuns: 5000 },
    );
  });

  it('both spellings of a member and that of the network: the same choice as the table walk', () => {
    const table = defineTable('hub.test.v1.Names', 'an_amount,label');
    const naming = createNaming({
      profile: 'test',
      segments: { package: {}, route: {}, event_type: {} },
      headers: {},
      json_members: { label: 'tag', an_amount: 'sum' },
    });
    const names = ['an_amount', 'anAmount', 'sum', 'label', 'tag'];
    for (let set = 0; set < 2 ** names.length; set++) {
      const json = Object.fromEntries(names.filter((_, i) => set & (1 << i)).map((name) => [name, `as ${name}`]));
      expect(fromJsonFast(table, json, naming)).toStrictEqual(fromJson(table, json, naming));
      expect(fromJsonFast(table, json)).toStrictEqual(fromJson(table, json));
    }
  });

  it('fields named like properties of every object: not found if they are absent', () => {
    const table = defineTable('hub.test.v1.Object', 'constructor,value_of');
    expect(fromJsonFast(table, {})).toStrictEqual(fromJson(table, {}));
  });

  it.each([100, 101])('messages nested %i deep: the form or the error of the table walk', (depth) => {
    let json: unknown = {};
    for (let i = 0; i < depth; i++) json = { inner: json };
    expect(outcome(fromJsonFast, Nest, json)).toStrictEqual(outcome(fromJson, Nest, json));
  });

  it.each([null, undefined, [], 'text', 5])('%j instead of a message: the error of the table walk', (json) => {
    expect(outcome(fromJsonFast, Sample, json)).toBe(outcome(fromJson, Sample, json));
    expect(outcome(fromJsonFast, Sample, { leaf: json })).toStrictEqual(outcome(fromJson, Sample, { leaf: json }));
  });

  it('a process that forbids generating code from text: the table walk is used', () => {
    const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const script = `
      import { fromJsonFast } from ${here('./compile-json-decoder.ts')};
      import { Node } from ${here('../gen/forms/hub/node/v3/node.ts')};
      let refused = false;
      try { new Function(''); } catch { refused = true; }
      const node = fromJsonFast(Node, { status: 'active', inactive_at: '1970-01-01T00:00:07.000000001Z' });
      console.log(refused, node.status, node.inactiveAt.seconds, node.inactiveAt.nanos);`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module', '-e', script],
      { cwd: import.meta.dirname, encoding: 'utf8' },
    );
    expect(stdout, stderr).toBe('true 1 7n 1\n');
  });
});
