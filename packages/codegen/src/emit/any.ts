import type { InterfaceModel, Model } from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { declaredPlaceOf } from './place-of.js';
import { docComment, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/**
 * Closed unions of the messages that an Any of an interface may contain, with the tables to decode them. Always open to
 * unknown types.
 */
export const any: Emitter = {
  name: 'any',
  emit: ({ model }) => model.interfaces.map((type) => emitInterface(type, model)),
};

function emitInterface(type: InterfaceModel, model: Model): EmittedFile {
  const source = new SourceFile(`any/${type.path}.ts`, [type.typeName, type.tableName]);
  const known = type.implementations.map((name) => {
    const place = declaredPlaceOf(name, model, type.name);
    return { name, local: source.value(place.local, `forms/${place.file}`) };
  });
  const unknown = source.type('AnyUnknown', runtime.values);
  source.line(docComment(type.name));
  if (known.length === 0) source.line(`export type ${type.typeName} = ${unknown};`, '');
  else {
    const anyKnown = source.type('AnyKnown', runtime.values);
    const members = known.map(({ name, local }) => `  | ${anyKnown}<${quote(name)}, ${local}>`);
    source.line(`export type ${type.typeName} =`, ...members, `  | ${unknown};`, '');
  }
  const entries = known.map(({ name, local }) => `  ${memberName(name)}: () => ${local},`);
  source.line(`export const ${type.tableName}: ${source.type('AnyTable', runtime.table)} = {`, ...entries, '};');
  return { path: source.path, text: source.render() };
}
