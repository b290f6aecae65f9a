import { expect, test } from 'vitest';

import { decodeBinary } from './decode-binary.js';
import { decodeBinaryFast } from './compile-decoder.js';
import { fromJsonFast } from './compile-json-decoder.js';
import { defineTable } from './define-table.js';
import { encodeBinary } from './encode-binary.js';
import { fromEvent } from './event.js';
import { toProtoJson } from './proto-json.js';
import { fromJson } from './read-json.js';
import { toGatewayJson } from './write-json.js';

/** Field names that a proto file may use and that are also properties of every object. */
const table = defineTable<Record<string, unknown>>(
  'test.Members',
  'constructor,3:to_string,has_own_property int64*,__proto__,valueOf int32@isPrototypeOf,propertyIsEnumerable@isPrototypeOf',
);

const form = {
  constructor: 'a',
  toString: 'b',
  hasOwnProperty: [1n, 2n],
  Proto_: 'c',
  isPrototypeOf: { $case: 'valueOf', value: 7 },
};

test('properties of every object: a form survives protobuf and JSON in every codec', () => {
  const bytes = encodeBinary(table, form);
  expect(decodeBinary(table, bytes)).toEqual(form);
  expect(decodeBinaryFast(table, bytes)).toEqual(form);
  const json = toGatewayJson(table, form);
  expect(Object.keys(JSON.parse(json) as object)).toEqual([
    'constructor',
    'to_string',
    'has_own_property',
    '__proto__',
    'valueOf',
  ]);
  expect(fromJson(table, JSON.parse(json))).toEqual(form);
  expect(fromJsonFast(table, JSON.parse(json))).toEqual(form);
  expect(fromJson(table, JSON.parse(toProtoJson(table, form)))).toEqual(form);
});

test('properties of every object: an empty form contains none of them', () => {
  expect(encodeBinary(table, {})).toHaveLength(0);
  const empty = decodeBinary(table, new Uint8Array());
  expect(empty).toEqual({ constructor: '', toString: '', hasOwnProperty: [], Proto_: '', isPrototypeOf: undefined });
  expect(fromJson(table, {})).toEqual(empty);
  expect(fromJsonFast(table, {})).toEqual(empty);
  expect(Object.keys(fromJson(table, {}))).toEqual(Object.keys(empty));
  expect(toGatewayJson(table, {})).toBe('{"constructor":"","to_string":"","has_own_property":[],"__proto__":""}');
  expect(toProtoJson(table, {})).toBe('{}');
});

test('properties of every object: an attribute of an event named __proto__ is one like any other', () => {
  const read = fromEvent(table, [
    { key: '__proto__', value: '"x"' },
    { key: 'constructor', value: '"y"' },
  ]);
  expect(read).toMatchObject({ Proto_: 'x', constructor: 'y' });
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});
