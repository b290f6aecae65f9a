import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';

/**
 * Every text that the spec marks must be a text field of the proto files, and every event message must have the form of
 * one.
 */
export function checkNames(linked: Linked, { names }: Spec): void {
  const texts = new Set<string>();
  const messages = new Map<string, DescMessage>();
  const visit = (message: DescMessage): void => {
    messages.set(message.typeName, message);
    for (const field of message.fields.filter(isText)) texts.add(`${message.typeName}.${field.name}`);
    message.nestedMessages.forEach(visit);
  };
  for (const file of linked.files.values()) file.messages.forEach(visit);
  const extra = Object.keys(names.fields).find((name) => !texts.has(name));
  if (extra !== undefined) {
    throw new SpecError('names', ['fields', extra], `${extra} is not a string field of the proto files`);
  }
  const strange = names.events.find((name) => {
    const fields = messages.get(name)?.fields ?? [];
    return !['type', 'attributes'].every((member) => fields.some((field) => field.name === member));
  });
  if (strange !== undefined) {
    const at = names.events.indexOf(strange);
    throw new SpecError('names', ['events', at], `${strange} is not a message with the fields type and attributes`);
  }
}

function isText(field: DescField): boolean {
  if (field.fieldKind === 'list') return field.listKind === 'scalar' && field.scalar === ScalarType.STRING;
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING;
}
