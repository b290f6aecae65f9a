import { expect, it } from 'vitest';
import { allMethods } from './gen/methods/all.js';
import { allSmallMethods } from './gen/small/methods/all.js';
import { type SmallField, type SmallKind, string, type Walk } from './runtime/small/table.js';
import type { Field, MessageTable } from './runtime/table.js';

/** A walk that gives the fields of a message instead of reading one. */
const fields = { message: (all: readonly SmallField[]) => all } as unknown as Walk;

const shape = ({ no, name, prop, repeated }: Field): unknown[] => [no, name, prop, repeated === true];

/** Where a small message differs from the table of the full codec, with all that it leads to. */
function differences(kind: SmallKind, table: MessageTable, seen: Set<string>): string[] {
  if (seen.has(table.name)) return [];
  seen.add(table.name);
  const small = kind({}, fields, 1) as readonly SmallField[];
  const full = [...table.fields].sort((a, b) => a.no - b.no);
  const got = small.map(([no, name, prop, many]) => [no, name, prop, many !== undefined]);
  if (JSON.stringify(got) !== JSON.stringify(full.map(shape))) return [`${table.name}: ${JSON.stringify(got)}`];
  return full.flatMap((field, index) => {
    const [, name, , , always, of] = small[index] as SmallField;
    const place = `${table.name}.${name}`;
    if (field.kind === 'message') {
      return [
        ...(Boolean(always) === Boolean(field.always) || field.repeated ? [] : [`${place}: always`]),
        ...differences(of, (field.message as () => MessageTable)(), seen),
      ];
    }
    if (field.kind === 'any') {
      return Object.entries(field.any?.() ?? {}).flatMap(([type, held]) => {
        const any = of({ '@type': `/${type}` }, fields) as { value?: unknown };
        return any.value === undefined ? [`${place}: ${type}`] : differences(() => any.value, held(), seen);
      });
    }
    if (field.kind === 'enum') {
      const { values = {}, texts = {} } = field.enum?.() ?? {};
      const numbers = {
        ...values,
        ...Object.fromEntries(Object.entries(texts).map(([text, full]) => [text, values[full]])),
      };
      return Object.entries(numbers)
        .filter(([text, number]) => [of(text, fields)].flat()[0] !== number)
        .map(([text]) => `${place}: ${text}`);
    }
    const isText = field.kind === 'string' || field.kind === 'decText';
    return isText === (of === string) || field.oneof !== undefined ? [] : [`${place}: ${field.kind}`];
  });
}

it('small tables: those of the full codec, field by field, with all that an Any may hold', () => {
  const seen = new Set<string>();
  const found = allMethods.flatMap(({ service, name, request, response }) => {
    const small = allSmallMethods.get(`${service}/${name}`);
    if (small === undefined) return [];
    return [...differences(small.request, request, seen), ...differences(small.response, response, seen)];
  });
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(500);
});

it('small methods: a path where abci_query is served, a route where REST is, but for bodies and transactions', () => {
  const left: string[] = [];
  for (const { service, name, availability, rest } of allMethods) {
    const small = allSmallMethods.get(`${service}/${name}`);
    if (availability.abci.served && small?.path !== `/${service}/${name}`) left.push(`${name} abci`);
    if (availability.rest.served && small?.route !== rest?.path) left.push(`${name} rest`);
    if (!availability.abci.served) expect(small?.path).toBeUndefined();
    if (!availability.rest.served) expect(small?.route).toBeUndefined();
  }
  expect(left.sort()).toEqual([
    'BroadcastTx rest',
    'Simulate abci',
    'Simulate rest',
    'TxDecode rest',
    'TxDecodeAmino rest',
    'TxEncode abci',
    'TxEncode rest',
    'TxEncodeAmino rest',
  ]);
});
