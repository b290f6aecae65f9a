import { beforeAll, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import { emitAll } from '../emit/emit-all.js';
import { forms } from '../emit/forms.js';
import { methods } from '../emit/methods.js';
import { services } from '../emit/services.js';
import type { Linked } from '../load/link.js';
import type { DocsSpec, Spec } from '../load/spec-types.js';
import { buildModel } from './build-model.js';
import { checkDocs } from './docs.js';

let linked: Linked;
let spec: Spec;
beforeAll(async () => {
  ({ linked, spec } = await sharedInput());
});

const nothing: DocsSpec = { messages: {}, fields: {}, methods: {}, complete: [] };
const modelWith = (docs: Partial<DocsSpec>) => {
  const changed = { ...spec, docs: { ...nothing, ...docs } };
  const model = buildModel(linked, changed);
  checkDocs(model, changed);
  return model;
};
const node = 'hub.node.v3.Node';

test.each<[string, Partial<DocsSpec>, string]>([
  [
    'of a message that is not there',
    { messages: { 'hub.node.v3.Nope': 'A thing.' } },
    'hub.node.v3.Nope is not declared',
  ],
  ['of a field that is not there', { fields: { [`${node}.nope`]: 'A thing.' } }, `${node}.nope is not declared`],
  [
    'of a prefix without such a field',
    { fields: { 'hub.swap.*.hours': 'A time.' } },
    'hub.swap.*.hours is not declared',
  ],
  [
    'of a method that is not there',
    { methods: { 'hub.node.v3.QueryService/Nope': 'A thing.' } },
    'Nope is not declared',
  ],
  [
    'that repeats a field',
    { fields: { [`${node}.remote_addrs`]: 'The remote addrs of the node.' } },
    'says no more than its name',
  ],
  ['that repeats a message', { messages: { [node]: 'Node of the hub.' } }, 'says no more than its name'],
  [
    'that repeats a method',
    { methods: { 'hub.node.v3.QueryService/QueryNodes': 'Query the nodes.' } },
    'says no more than its name',
  ],
  ['that a complete package lacks for a message', { complete: ['hub.swap'] }, 'hub.swap.v1.EventSwap has no text'],
])('docs.yaml: a text %s is refused by name', (_, docs, fault) => {
  expect(() => modelWith(docs)).toThrow(fault);
});

test('docs.yaml: everything has a text, fields included, and a package that is not listed is noticed', () => {
  const model = buildModel(linked, spec);
  const messages = model.files.flatMap((file) => file.messages);
  const methods = model.services.flatMap((service) => service.methods);
  expect(messages.length).toBeGreaterThan(1300);
  for (const { name, doc, fields } of messages) {
    expect([name, doc]).not.toEqual([name, undefined]);
    for (const field of fields) expect([name, field.name, field.doc]).not.toEqual([name, field.name, undefined]);
  }
  for (const { service, name, doc } of methods) expect([service, name, doc]).not.toEqual([service, name, undefined]);
  const fewer = Object.fromEntries(Object.entries(spec.docs.fields).filter(([name]) => name !== 'hub.*.hours'));
  expect(() => modelWith({ ...spec.docs, fields: fewer })).toThrow(/\.hours has no text/);
});

test('docs.yaml: the text of the longest prefix counts, and stands with the generated code, inert', async () => {
  const docs = {
    messages: { [node]: 'A machine */ export const x = 1; /*.' },
    fields: {
      'hub.*.address': 'Somewhere.',
      'hub.node.*.address': 'Where it is.',
      'hub.node.v3.Node.status': 'How it is.',
    },
    methods: { 'hub.node.v3.QueryService/QueryNode': 'One machine.' },
  };
  const model = modelWith(docs);
  const of = (message: string, field: string) =>
    model.messages.get(message)?.fields.find(({ name }) => name === field)?.doc;
  expect(of(node, 'address')).toBe('Where it is.');
  expect(of('hub.provider.v2.Provider', 'address')).toBe('Somewhere.');
  expect([of(node, 'status'), of(node, 'status_at')]).toEqual(['How it is.', undefined]);
  const files = await emitAll([forms, methods, services], { model, spec, linked });
  const text = (path: string) => files.find((file) => file.path === path)?.text ?? '';
  expect(text('forms/hub/node/v3/node.ts')).toContain(
    '/** hub.node.v3.Node: A machine *\\/ export const x = 1; /*. */\n',
  );
  expect(text('forms/hub/node/v3/node.ts')).toContain('  /** Where it is. */\n  readonly address: string;\n');
  expect(text('methods/hub/node/v3/query-service.ts')).toContain(
    '/** hub.node.v3.QueryService/QueryNode: One machine. */\n',
  );
  expect(text('services/hub/node/v3/query-service.ts')).toContain(
    '/** One machine. hub.node.v3.QueryService/QueryNode. */',
  );
});
