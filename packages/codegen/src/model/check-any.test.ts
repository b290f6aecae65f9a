import { beforeAll, describe, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import type { Linked } from '../load/link.js';
import type { AnySpec, Spec } from '../load/spec-types.js';
import { checkAny } from './check-any.js';

describe('any.yaml against the protos', () => {
  let linked: Linked;
  let spec: Spec;

  beforeAll(async () => {
    ({ linked, spec } = await sharedInput());
  });

  const content = 'stack.gov.v1beta1.Proposal.content';
  const documented = 'stack.gov.v1beta1.Content';
  const seen = (type: string) => ({ interface: type, recording: 'reads x' });
  const cases: [what: string, line: AnySpec['fields'][string] | undefined, fault: string][] = [
    ['no line', undefined, 'has no line under fields; give its interface, or null if unknown'],
    ['null where the proto file names one', null, `accepts null, its proto file says ${documented}`],
    [
      'another interface',
      'stack.base.v1beta1.Msg',
      `accepts stack.base.v1beta1.Msg, its proto file says ${documented}`,
    ],
    ['an unknown interface', 'stack.gov.v1beta1.Nope', 'accepts stack.gov.v1beta1.Nope, which has no entry'],
    [
      'an unknown interface among those observed',
      { documented, observed: [seen('stack.gov.v1beta1.Nope')] },
      'accepts stack.gov.v1beta1.Nope, which has no entry under interfaces',
    ],
    ['an interface twice', { documented, observed: [seen(documented)] }, `names ${documented} twice`],
    [
      'another documented one',
      { documented: 'stack.base.v1beta1.Msg', observed: [seen(documented)] },
      `accepts stack.base.v1beta1.Msg, its proto file says ${documented}`,
    ],
  ];
  test.each(cases)('any.yaml: %s is refused by name', (_, line, fault) => {
    const others = Object.entries(spec.any.fields).filter(([name]) => name !== content);
    const fields = Object.fromEntries(line === undefined ? others : [...others, [content, line]]);
    const check = () => checkAny(linked, { ...spec, any: { ...spec.any, fields } });
    expect(check).toThrow('any: ');
    expect(check).toThrow(content);
    expect(check).toThrow(fault);
  });

  test('any.yaml: an entry for a missing field is refused by name', () => {
    const fields = { ...spec.any.fields, 'hub.node.v3.Node.addr': null };
    expect(() => checkAny(linked, { ...spec, any: { ...spec.any, fields } })).toThrow(
      'any: hub.node.v3.Node.addr is no Any field of the proto files',
    );
  });
});
