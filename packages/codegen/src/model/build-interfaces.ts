import type { Spec } from '../load/spec-types.js';
import { toKebabCase } from '../naming/case.js';
import type { InterfaceModel } from './model.js';

/** The closed sets of messages that Any fields may hold. */
export function buildInterfaces(spec: Spec): InterfaceModel[] {
  return Object.keys(spec.any.interfaces)
    .sort()
    .map((name) => {
      const segments = name.split('.');
      const simple = segments.pop() ?? name;
      return {
        name,
        path: [...segments, toKebabCase(simple)].join('/'),
        typeName: `Any${simple}`,
        tableName: `any${simple}`,
        implementations: [...(spec.any.interfaces[name]?.implementations ?? [])].sort(),
      };
    });
}
