import { readFileSync } from 'node:fs';

import { createFileRegistry, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it, test } from 'vitest';

import { fullForm } from '../../test/full-form.js';
import { Sample } from '../../test/sample-tables.js';
import { messageByName, messageNames } from '../gen/registry.js';
import { decodeBinary, encodeBinary } from './binary.js';
import { fromProtoJson, toProtoJson } from './proto-json.js';
import type { MessageTable } from './table.js';

const descriptors = new URL('../../../codegen/fixtures/hub-v12.descriptors.binpb', import.meta.url);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));

/** Their JSON is a bare value, and proto2 has presence that the form does not represent. */
const ownRules = (name: string): boolean => name.startsWith('google.protobuf.');

describe("protobuf's standard JSON", () => {
  const names = messageNames.filter((name) => !ownRules(name));
  const tables = names.map((name) => messageByName(name) as MessageTable);

  it('text of every type: the same as protobuf-es prints for the same bytes', () => {
    expect(tables.length).toBeGreaterThan(1250);
    for (const table of tables) {
      const message = registry.getMessage(table.name);
      if (message === undefined) throw new Error(`${table.name} is not in the descriptors`);
      const form = fullForm(table);
      const printed = toJson(message, fromBinary(message, encodeBinary(table, form)), { registry });
      expect(JSON.parse(toProtoJson(table, form)), table.name).toEqual(printed);
      expect(fromProtoJson(table, printed), table.name).toStrictEqual(form);
    }
  });

  it('bytes of every type: the same as protobuf-es writes for the same JSON and message', () => {
    for (const table of tables) {
      const message = registry.getMessage(table.name);
      if (message === undefined) throw new Error(`${table.name} is not in the descriptors`);
      const form = fullForm(table);
      const bytes = Buffer.from(encodeBinary(table, form)).toString('hex');
      expect(Buffer.from(toBinary(message, fromBinary(message, encodeBinary(table, form)))).toString('hex')).toBe(
        bytes,
      );
      const text = toProtoJson(table, form);
      // It would add its own host before the type.
      if (text.includes('"@type"')) continue;
      const read = fromJson(message, JSON.parse(text) as never, { registry });
      expect(decodeBinary(table, toBinary(message, read)), table.name).toStrictEqual(form);
    }
  });

  it('members of every form: exactly the fields of the descriptors', () => {
    for (const table of tables) {
      const fields = registry.getMessage(table.name)?.fields.map(({ name, number }) => `${number} ${name}`);
      expect(table.fields.map(({ no, name }) => `${no} ${name}`).sort(), table.name).toEqual(fields?.sort());
    }
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    ['an unknown enum number: the bare number', { colour: 9 }, { colour: 9 }],
    ['an enum: its full name, not the text of the gateway', { colour: 1 }, { colour: 'COLOUR_RED' }],
    ['a decimal: scaled', { share: '0.050000000000000000' }, { share: '50000000000000000' }],
    ['contract JSON: bytes', { contract: Uint8Array.from([123, 125]) }, { contract: 'e30=' }],
    ['numbers that JSON has not: their names', { ratio: Number.NaN }, { ratio: 'NaN' }],
  ])('%s', (_, form, members) => {
    expect(JSON.parse(toProtoJson(Sample, form))).toMatchObject(members as object);
    expect(fromProtoJson(Sample, JSON.parse(toProtoJson(Sample, form)))).toMatchObject(form);
  });

  it('an empty message: only values that are always on the wire', () => {
    expect(Object.keys(JSON.parse(toProtoJson(Sample, {})) as object)).toEqual([
      ...['amount', 'share', 'shareBytes', 'leafAlways', 'atAlways', 'spanAlways'],
    ]);
  });

  it('bytes of an unknown Any: refused by name', () => {
    const anything = { typeUrl: '/a.B', raw: Uint8Array.from([1]) };
    expect(() => toProtoJson(Sample, { anything })).toThrow(
      'test.Sample.anything: /a.B is of a type that is not known',
    );
  });
});
