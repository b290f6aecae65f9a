import { beforeAll, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import type { Linked } from '../load/link.js';
import type { NamesSpec, Spec } from '../load/spec-types.js';
import { buildModel } from './build-model.js';
import { checkNames } from './check-names.js';

let linked: Linked;
let spec: Spec;
beforeAll(async () => {
  ({ linked, spec } = await sharedInput());
});

const cases: [what: string, change: Partial<NamesSpec>, fault: string][] = [
  [
    'a field that does not exist',
    { fields: { 'stack.authz.v1beta1.Grant.nope': 'type-url' } },
    'Grant.nope is not a string field',
  ],
  [
    'a field that is no text',
    { fields: { 'hub.node.v3.Node.status': 'type-url' } },
    'Node.status is not a string field',
  ],
  [
    'an event without attributes',
    { events: ['hub.node.v3.Node'] },
    'hub.node.v3.Node is not a message with the fields type',
  ],
];

test.each(cases)('names.yaml: %s is refused by name', (_, change, fault) => {
  expect(() => checkNames(linked, { ...spec, names: { ...spec.names, ...change } })).toThrow(fault);
});

test('names.yaml: marked fields of typed events are marked attributes of these events', () => {
  const { namedAttributes } = buildModel(linked, spec);
  expect(namedAttributes).toMatchObject({ message: ['action'], 'stack.authz.v1beta1.EventGrant': ['msg_type_url'] });
});
