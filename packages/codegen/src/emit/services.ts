import { CodegenError } from '../codegen-error.js';
import { transportKinds } from '../load/spec-types.js';
import type { MethodModel, ServiceModel } from '../model/model.js';
import { packageOf, serviceObjectName } from '../naming/service-object.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { docComment, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** One object per service over its method constants, for `createClient`. */
export const services: Emitter = {
  name: 'services',
  emit: ({ model }) => {
    checkNames(model.services);
    return [...model.services.map(emitService), emitList(model.services)];
  },
};

/**
 * An entry exports all services of its package by name.
 *
 * @throws CodegenError that names both services if two of one package have the same name
 */
function checkNames(all: readonly ServiceModel[]): void {
  const known = new Map<string, string>();
  for (const { name } of all) {
    const object = serviceObjectName(name);
    const key = `${packageOf(name)}.${object}`;
    const other = known.get(key);
    if (other !== undefined) {
      throw new CodegenError(
        `the services ${other} and ${name} would both be the object ${object}; rename one of them, or list the emitters without services and entries`,
      );
    }
    known.set(key, name);
  }
}

function emitService({ name, path, methods }: ServiceModel): EmittedFile {
  const object = serviceObjectName(name);
  const source = new SourceFile(`services/${path}.ts`, [object, `${object}Methods`]);
  const members = methods.map((method) => ({ method, local: source.value(method.constant, `methods/${path}`) }));
  source.line(
    docComment(`Methods of ${name} by name.`),
    `export interface ${object}Methods {`,
    ...members.flatMap(({ method, local }) => [
      `  ${docComment(sentences(method).join(' '))}`,
      `  readonly ${memberName(method.constant)}: typeof ${local};`,
    ]),
    '}',
    '',
    docComment(name),
    `export const ${object}: ${source.type('Service', runtime.method)}<${object}Methods> = {`,
    `  name: ${quote(name)},`,
    '  methods: {',
    ...members.map(({ method: { constant }, local }) =>
      constant === local ? `    ${constant},` : `    ${memberName(constant)}: ${local},`,
    ),
    '  },',
    '};',
    '',
  );
  return { path: source.path, text: source.render() };
}

function emitList(all: readonly ServiceModel[]): EmittedFile {
  const source = new SourceFile('services/all.ts', ['allServices']);
  const entries = all.map(({ name, path }) => `  ${source.value(serviceObjectName(name), `services/${path}`)},`);
  source.line(
    '/** Every served service: for tests and simulators, not for browsers. */',
    `export const allServices: readonly ${source.type('Service', runtime.method)}[] = [`,
    ...entries,
    '];',
    '',
  );
  return { path: source.path, text: source.render() };
}

/** Name of a method, and the reason if it is not served. */
function sentences({ service, name, doc, availability }: MethodModel): string[] {
  const reasons = transportKinds.flatMap((kind) => {
    const { [kind]: entry } = availability;
    return entry.served ? [] : [entry.sentence];
  });
  return [...(doc === undefined ? [] : [doc]), `${service}/${name}.`, ...new Set(reasons)];
}
