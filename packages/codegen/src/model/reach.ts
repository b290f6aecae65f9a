import type { DescFile, DescMessage, DescService } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';

/** The services that are emitted as methods, by name: those that the spec names, and all others if it has defaults. */
export function servedServices(linked: Linked, spec: Spec): DescService[] {
  const { services, defaults } = spec.availability;
  const found = new Map<string, DescService>();
  for (const name of Object.keys(services)) {
    const service = linked.registry.getService(name);
    if (!service) {
      throw new SpecError('availability', ['services', name], `no proto file declares the service ${name}`);
    }
    found.set(name, service);
  }
  if (defaults !== undefined) {
    for (const file of linked.files.values()) {
      for (const service of file.services)
        if (!isTransactionService(service, spec)) found.set(service.typeName, service);
    }
  }
  return [...found.values()].sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
}

/** A service whose requests are transaction messages. The node serves none of them. */
export function isTransactionService({ name }: DescService, spec: Spec): boolean {
  return spec.availability.transaction_services?.includes(name) === true;
}

/**
 * Files required by served services, transaction messages, typed events and Any implementations, by path. If the spec
 * has defaults, all files are included, except for unused files of protobuf itself.
 */
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
  for (const service of servedServices(linked, spec)) yield service.file;
  for (const [name, { implementations }] of Object.entries(spec.any.interfaces)) {
    for (const [index, implementation] of implementations.entries()) {
      const message = linked.registry.getMessage(implementation);
      if (!message) {
        throw new SpecError(
          'any',
          ['interfaces', name, 'implementations', index],
          `interface ${name}: no proto file declares the message ${implementation}`,
        );
      }
      yield message.file;
    }
  }
  for (const file of linked.files.values()) {
    const isOwn = spec.availability.defaults !== undefined && !file.proto.name.startsWith('google/protobuf/');
    if (isOwn || file.messages.some((message) => isTypedEvent(message, spec))) yield file;
    else if (file.services.some((service) => isTransactionService(service, spec))) yield file;
  }
}
