import { beforeAll, describe, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import type { Linked } from '../load/link.js';
import type { NamingSpec, Spec } from '../load/spec-types.js';
import { proveNaming } from './prove-naming.js';

describe('public naming profile', () => {
  let linked: Linked;
  let spec: Spec;

  beforeAll(async () => {
    ({ linked, spec } = await sharedInput());
  });

  const prove = (change: (naming: NamingSpec) => NamingSpec) => () =>
    proveNaming(linked, { ...spec, naming: change(spec.naming) });

  test('naming: one-to-one over every name of protos and spec, and its inverse restores the name', () => {
    const { names, changed } = proveNaming(linked, spec);
    expect(names).toBeGreaterThan(7000);
    expect(changed).toBeGreaterThan(4000);
  });

  test('naming: two neutral segments with the same wire word are refused by name', () => {
    expect(
      prove((naming) => ({
        ...naming,
        segments: { ...naming.segments, package: { ...naming.segments.package, ibc: 'sentinel' } },
      })),
    ).toThrow(/type name \/?\S+ becomes \/?sentinel\S*, which reads back as|becomes too/);
  });

  test('naming: a wire word that is also used as a neutral one is refused by name', () => {
    expect(
      prove((naming) => ({
        ...naming,
        segments: { ...naming.segments, route: { ...naming.segments.route, hub: 'bank' } },
      })),
    ).toThrow(/route name .*bank/);
  });
});
