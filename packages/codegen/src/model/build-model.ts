import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';
import { checkAny } from './check-any.js';
import { checkNames } from './check-names.js';
import { namedAttributes } from './named-attributes.js';
import { checkGaps } from './availability.js';
import { buildFiles } from './build-files.js';
import { buildInterfaces } from './build-interfaces.js';
import { buildMsgServices } from './build-msgs.js';
import { buildLegacyRoutes, buildServices } from './build-services.js';
import type { MessageModel, Model, DeclaredPlace } from './model.js';

/** Combines the spec with the linked descriptors into plain data for the emitters. */
export function buildModel(linked: Linked, spec: Spec): Model {
  checkAny(linked, spec);
  checkNames(linked, spec);
  checkGaps(spec);
  const files = buildFiles(linked, spec);
  const places = new Map<string, DeclaredPlace>();
  const messages = new Map<string, MessageModel>();
  for (const file of files) {
    for (const type of [...file.messages, ...file.enums]) places.set(type.name, { file: file.path, local: type.local });
    for (const message of file.messages) messages.set(message.name, message);
  }
  const interfaces = buildInterfaces(spec);
  return {
    files,
    services: buildServices(linked, spec),
    msgServices: buildMsgServices(linked, spec),
    interfaces,
    rpcMethods: byName(spec.rpc.methods).map(([name, method]) => ({ name, ...method })),
    rpcShapes: byName(spec.rpc.shapes).map(([name, members]) => ({
      name,
      members: Object.entries(members).map(([member, type]) => ({
        name: member,
        type: type.replace(/~$/, ''),
        optional: type.endsWith('~'),
      })),
    })),
    errorCodes: byName(spec.errors.codes).map(([code, facts]) => ({ code, ...facts })),
    namedAttributes: namedAttributes(files, spec),
    legacyRoutes: buildLegacyRoutes(linked, spec),
    places,
    messages,
    interfacesByName: new Map(interfaces.map((type) => [type.name, type])),
  };
}

function byName<T>(entries: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
}
