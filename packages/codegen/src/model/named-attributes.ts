import type { Spec } from '../load/spec-types.js';
import type { FileModel } from './model.js';

/** Attributes whose values are type URLs: those that the spec lists, and the marked fields of typed events. */
export function namedAttributes(files: readonly FileModel[], { names }: Spec): Record<string, readonly string[]> {
  const listed = Object.keys(names.attributes).map((name) => {
    const dot = name.lastIndexOf('.');
    return [name.slice(0, dot), name.slice(dot + 1)] as const;
  });
  const typed = files
    .flatMap(({ messages }) => messages.filter(({ isEvent }) => isEvent))
    .flatMap(({ name, fields }) =>
      fields.filter(({ carries }) => carries !== undefined).map((field) => [name, field.name] as const),
    );
  const byType = new Map<string, string[]>();
  for (const [type, attribute] of [...listed, ...typed]) byType.set(type, [...(byType.get(type) ?? []), attribute]);
  return Object.fromEntries(
    [...byType].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, attributes]) => [type, attributes.sort()]),
  );
}
