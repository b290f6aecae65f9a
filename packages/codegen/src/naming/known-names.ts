import type { DescMessage } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';
import { isTypedEvent } from '../model/reach.js';
import { toCamelCase } from './case.js';
import type { NameKind } from './rename.js';

/** Every neutral name in protos and spec, by the kind of mapping that applies to it. */
export function knownNames(linked: Linked, spec: Spec): Record<NameKind, ReadonlySet<string>> {
  const names: Record<NameKind, Set<string>> = {
    type: new Set(),
    file: new Set(),
    route: new Set(),
    event: new Set(),
    header: new Set([...Object.keys(spec.naming.headers), 'content-type', 'grpc-status', 'grpc-message']),
    member: new Set(),
    amino: new Set(),
    tag: new Set(spec.rpc.tags),
  };
  const addMessage = (message: DescMessage): void => {
    names.type.add(message.typeName).add(`/${message.typeName}`);
    if (isTypedEvent(message, spec)) {
      names.event.add(message.typeName);
      for (const field of message.fields) names.event.add(`${message.typeName}.${field.name}`);
    }
    for (const field of message.fields) names.member.add(field.name).add(toCamelCase(field.name));
    const option = spec.options.amino_name;
    const amino = option === undefined ? undefined : linked.option(message.proto.options, option);
    if (typeof amino === 'string') names.amino.add(amino);
    message.nestedMessages.forEach(addMessage);
    for (const type of message.nestedEnums) names.type.add(type.typeName);
  };
  for (const [path, file] of linked.files) {
    names.file.add(path);
    names.type.add(file.proto.package);
    file.messages.forEach(addMessage);
    for (const type of [...file.enums, ...file.extensions]) names.type.add(type.typeName);
    for (const service of file.services) {
      names.type.add(service.typeName);
      for (const method of service.methods) {
        names.type.add(`/${service.typeName}/${method.name}`);
        const rule = linked.option(method.proto.options, 'google.api.http') as
          | { pattern: { value?: unknown } }
          | undefined;
        if (typeof rule?.pattern.value === 'string') names.route.add(rule.pattern.value);
      }
    }
  }
  for (const name of Object.keys(spec.any.interfaces)) names.type.add(name);
  return names;
}
