import type { Field } from './table.js';

/** Member of the form for a field: that of its oneof, or its own. */
export function memberOf(field: Field): string {
  return field.oneof === undefined ? field.prop : lowerCamelCase(field.oneof);
}

/**
 * Value of a field in a form. A property of every object, such as `constructor`, counts only if it is an own property.
 */
export function heldIn(form: Readonly<Record<string, unknown>>, field: Field): unknown {
  const member = memberOf(field);
  const held = form[member];
  return typeof held === 'function' && !Object.hasOwn(form, member) ? undefined : held;
}

/** Member of the form for a name in a proto file. */
export function lowerCamelCase(name: string): string {
  return name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Sets a member whose name came from a network: `__proto__` is treated like any other name. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
