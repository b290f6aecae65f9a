import { type DescField, type DescMessage } from '@bufbuild/protobuf';

import { CodegenError } from '../codegen-error.js';
import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';

const file = 'proto/spec/any.yaml';

/** Every Any field of the protos must have its line, and every line its field. */
export function checkAnyFields(linked: Linked, spec: Spec): void {
  const declared = new Set<string>();
  const visit = (message: DescMessage): void => {
    for (const field of message.fields.filter(isAny)) declared.add(`${message.typeName}.${field.name}`);
    message.nestedMessages.forEach(visit);
  };
  for (const { messages } of linked.files.values()) messages.forEach(visit);

  const missing = [...declared].find((name) => spec.any.fields[name] === undefined);
  if (missing) {
    throw new CodegenError(
      `${file}: the Any field ${missing} has no line under fields; give its interface, or null if unknown`,
    );
  }
  const extra = Object.keys(spec.any.fields).find((name) => !declared.has(name));
  if (extra) throw new CodegenError(`${file}: fields: ${extra} is no Any field of proto/`);
  const accepted = new Set(Object.values(spec.any.fields));
  for (const name of accepted) {
    if (name !== null && !spec.any.interfaces[name]) {
      throw new CodegenError(`${file}: a field accepts ${name}, which has no entry under interfaces`);
    }
  }
}

function isAny(field: DescField): boolean {
  return field.message?.typeName === 'google.protobuf.Any';
}
