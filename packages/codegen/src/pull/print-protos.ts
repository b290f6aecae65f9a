import type { DescEnum, DescExtension, DescMessage } from '@bufbuild/protobuf';
import type { Linked } from '../load/link.js';
import { printProto } from './print-proto.js';

/** Source text of every file of a descriptor set, by path. */
export function printProtos(linked: Linked): Map<string, string> {
  const names = new Set<string>();
  const extensions = new Map<string, DescExtension>();
  const addEnum = ({ typeName, values }: DescEnum): void => {
    names.add(typeName);
    // The language declares the values of an enum in the scope around it.
    for (const { name } of values) names.add(typeName.slice(0, typeName.lastIndexOf('.') + 1) + name);
  };
  const addMessage = (message: DescMessage): void => {
    const { typeName, fields, oneofs, nestedEnums, nestedExtensions } = message;
    names.add(typeName);
    for (const { name } of [...fields, ...oneofs]) names.add(`${typeName}.${name}`);
    for (const extension of nestedExtensions) names.add(extension.typeName);
    nestedEnums.forEach(addEnum);
    message.nestedMessages.forEach(addMessage);
  };
  for (const file of linked.registry.files) {
    // A package that only contains other packages is also found by a lookup.
    for (let name = file.proto.package; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      names.add(name);
    }
    file.messages.forEach(addMessage);
    file.enums.forEach(addEnum);
    for (const extension of file.extensions) names.add(extension.typeName);
    for (const { typeName, methods } of file.services) {
      names.add(typeName);
      for (const { name } of methods) names.add(`${typeName}.${name}`);
    }
  }
  for (const type of linked.registry) {
    if (type.kind === 'extension') extensions.set(`${type.extendee.typeName} ${type.number}`, type);
  }
  const find = (extendee: string, no: number): DescExtension | undefined => extensions.get(`${extendee} ${no}`);
  return new Map([...linked.files].map(([path, file]) => [path, printProto(file, names, find)]));
}
