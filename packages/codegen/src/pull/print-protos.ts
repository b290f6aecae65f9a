import type { DescExtension, DescMessage } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import { printProto } from './print-proto.js';

/** Source text of every file of a descriptor set, by path. */
export function printProtos(linked: Linked): Map<string, string> {
  const types = new Set<string>();
  const extensions = new Map<string, DescExtension>();
  const addMessage = (message: DescMessage): void => {
    types.add(message.typeName);
    for (const type of message.nestedEnums) types.add(type.typeName);
    message.nestedMessages.forEach(addMessage);
  };
  for (const file of linked.registry.files) {
    // A package that only holds other packages is found by a look-up too.
    for (let name = file.proto.package; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      types.add(name);
    }
    file.messages.forEach(addMessage);
    for (const type of file.enums) types.add(type.typeName);
  }
  for (const type of linked.registry) {
    if (type.kind === 'extension') extensions.set(`${type.extendee.typeName} ${type.number}`, type);
  }
  const find = (extendee: string, no: number): DescExtension | undefined => extensions.get(`${extendee} ${no}`);
  return new Map([...linked.files].map(([path, file]) => [path, printProto(file, types, find)]));
}
