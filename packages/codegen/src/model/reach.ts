import type { DescFile, DescMessage } from '@bufbuild/protobuf';

import { CodegenError } from '../codegen-error.js';
import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';

/** Services whose requests are transaction messages. The node serves none of them. */
const transactionServices: ReadonlySet<string> = new Set(['Msg', 'MsgService']);

/** Files that served services, transaction messages, typed events and Any implementations need, by path. */
export function reachedFiles(linked: Linked, spec: Spec): DescFile[] {
  const reached = new Set<DescFile>();
  const visit = (file: DescFile): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const path of file.proto.dependency) {
      const imported = linked.files.get(path);
      if (imported) visit(imported);
    }
  };
  for (const file of rootFiles(linked, spec)) visit(file);
  return [...linked.files.values()].filter((file) => reached.has(file)).sort(byPath);
}

function byPath(a: DescFile, b: DescFile): number {
  return a.proto.name < b.proto.name ? -1 : 1;
}

/** Whether a message is a typed event of this version. */
export function isTypedEvent(message: DescMessage, spec: Spec): boolean {
  return message.name.startsWith('Event') && spec.events.packages.includes(message.file.proto.package);
}

function* rootFiles(linked: Linked, spec: Spec): Generator<DescFile> {
  for (const name of Object.keys(spec.availability.services)) {
    const service = linked.registry.getService(name);
    if (!service) throw new CodegenError(`proto/spec/availability.yaml: no proto file declares the service ${name}`);
    yield service.file;
  }
  for (const [name, { implementations }] of Object.entries(spec.any.interfaces)) {
    for (const implementation of implementations) {
      const message = linked.registry.getMessage(implementation);
      if (!message) {
        throw new CodegenError(
          `proto/spec/any.yaml: interface ${name}: no proto file declares the message ${implementation}`,
        );
      }
      yield message.file;
    }
  }
  for (const file of linked.registry.files) {
    if (file.messages.some((message) => isTypedEvent(message, spec))) yield file;
    if (file.services.some(({ name }) => transactionServices.has(name))) yield file;
  }
}
