import { expect, it } from 'vitest';
import { defineTable } from './define-table.js';

const status = { name: 'hub.test.v1.Status', values: { STATUS_UNSPECIFIED: 0 } };
const price = defineTable('hub.test.v1.Price', 'denom');

it('defineTable: numbers are consecutive, kinds default to string, marks and references are assigned to their fields', () => {
  const { fields } = defineTable(
    'hub.test.v1.Node',
    'address,prices message*,5:inactive_at timestamp!,status enum@state,by_name map.string.message,count int32?',
    () => [price, status, price],
  );
  expect(
    fields.map((field) =>
      JSON.parse(JSON.stringify(field, (_, member) => (typeof member === 'function' ? member().name : member))),
    ),
  ).toEqual([
    { no: 1, name: 'address', prop: 'address', kind: 'string' },
    { no: 2, name: 'prices', prop: 'prices', kind: 'message', repeated: true, message: 'hub.test.v1.Price' },
    { no: 5, name: 'inactive_at', prop: 'inactiveAt', kind: 'timestamp', always: true },
    { no: 6, name: 'status', prop: 'status', kind: 'enum', oneof: 'state', enum: 'hub.test.v1.Status' },
    {
      no: 7,
      name: 'by_name',
      prop: 'byName',
      kind: 'map',
      key: 'string',
      value: { kind: 'message', message: 'hub.test.v1.Price' },
    },
    { no: 8, name: 'count', prop: 'count', kind: 'int32', optional: true },
  ]);
});

it('defineTable: references are read on first use of a field, once the modules that contain them are loaded', () => {
  let loaded = false;
  const table = defineTable('hub.test.v1.Holder', 'price message', () => {
    if (!loaded) throw new Error('read too early');
    return [price];
  });
  expect(table.fields).toHaveLength(1);
  loaded = true;
  const [field] = table.fields;
  expect(field?.kind === 'message' && field.message()).toBe(price);
});

it('defineTable: a message without fields', () => {
  expect(defineTable('hub.test.v1.Empty').fields).toEqual([]);
});
