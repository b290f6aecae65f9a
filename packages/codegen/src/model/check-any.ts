import type { DescField, DescMessage } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';
import { interfacesOf } from './build-interfaces.js';
import { ownValue } from '../own-value.js';

/**
 * Every Any field of the protos must have an entry, and every entry a field. Declarations of interfaces in the protos
 * must match the spec.
 */
export function checkAny(linked: Linked, spec: Spec): void {
  const declared = new Set<string>();
  const visit = (message: DescMessage): void => {
    checkImplementations(message, linked, spec);
    for (const field of message.fields.filter(isAny)) {
      checkField(field, linked, spec);
      declared.add(nameOf(field));
    }
    message.nestedMessages.forEach(visit);
  };
  for (const { messages } of linked.files.values()) messages.forEach(visit);

  const extra = Object.keys(spec.any.fields).find((name) => !declared.has(name));
  if (extra) throw new SpecError('any', ['fields', extra], `${extra} is no Any field of the proto files`);
}

function isAny(field: DescField): boolean {
  return field.message?.typeName === 'google.protobuf.Any';
}

function nameOf(field: DescField): string {
  return `${field.parent.typeName}.${field.name}`;
}

function checkField(field: DescField, linked: Linked, spec: Spec): void {
  const name = nameOf(field);
  const line = ownValue(spec.any.fields, name);
  if (line === undefined) {
    if (spec.any.partial) return;
    throw new SpecError(
      'any',
      ['fields'],
      `the Any field ${name} has no line under fields; give its interface, or null if unknown`,
    );
  }
  const at = ['fields', name];
  const accepted = line === null ? [] : interfacesOf(line);
  const unknown = accepted.find((type) => ownValue(spec.any.interfaces, type) === undefined);
  if (unknown !== undefined) {
    throw new SpecError('any', at, `${name} accepts ${unknown}, which has no entry under interfaces`);
  }
  const doubled = accepted.find((type, index) => accepted.indexOf(type) !== index);
  if (doubled !== undefined) throw new SpecError('any', at, `${name} names ${doubled} twice`);
  const { accepts_interface: accepts } = spec.options;
  const option =
    accepts === undefined ? undefined : (linked.option(field.proto.options, accepts) as string | undefined);
  if (option !== undefined && option !== accepted[0]) {
    throw new SpecError('any', at, `${name} accepts ${accepted[0] ?? 'null'}, its proto file says ${option}`);
  }
}

function checkImplementations(message: DescMessage, linked: Linked, spec: Spec): void {
  const { implements_interface: by } = spec.options;
  const option = by === undefined ? undefined : (linked.option(message.proto.options, by) as string[] | undefined);
  for (const name of option ?? []) {
    const { implementations = [], declared_only: declaredOnly = [] } = ownValue(spec.any.interfaces, name) ?? {};
    if (implementations.includes(message.typeName) || declaredOnly.includes(message.typeName)) continue;
    throw new SpecError(
      'any',
      ['interfaces', name],
      `interface ${name} has no line for ${message.typeName}, which its proto file declares as implementation`,
    );
  }
}
