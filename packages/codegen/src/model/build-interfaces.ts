import type { AnyFieldSpec, Spec } from '../load/spec-types.js';
import { toModulePath } from '../naming/case.js';
import { NamesInScope } from '../naming/reserved.js';
import type { InterfaceModel } from './model.js';
import { ownValue } from '../own-value.js';

/** The closed sets of messages that Any fields may contain. */
export function buildInterfaces(spec: Spec): InterfaceModel[] {
  // `HTTPServer` and `HttpServer` would get the same file.
  const paths = new NamesInScope();
  return Object.keys(spec.any.interfaces)
    .sort()
    .map((name) => {
      const simple = name.slice(name.lastIndexOf('.') + 1);
      return {
        name,
        path: paths.take(toModulePath(name)),
        typeName: `Any${simple}`,
        tableName: `any${simple}`,
        implementations: [...(ownValue(spec.any.interfaces, name)?.implementations ?? [])].sort(),
      };
    });
}

/** Every interface of an Any field; the one from its proto file is first. */
export function interfacesOf(line: string | AnyFieldSpec): readonly string[] {
  return typeof line === 'string' ? [line] : [line.documented, ...line.observed.map((seen) => seen.interface)];
}
