import { toConstantName } from '../naming/case.js';
import type { Model, ServiceModel } from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { comment, docComment, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** One service definition of grpc-js per service, for Node. */
export const grpc: Emitter = {
  name: 'grpc',
  emit: ({ model }: { readonly model: Model }) => model.services.map(emitService),
};

function emitService(service: ServiceModel): EmittedFile {
  const simple = service.name.slice(service.name.lastIndexOf('.') + 1);
  const [constant, fullName] = [`${toConstantName(simple)}Definition`, `${toConstantName(simple)}Name`];
  const source = new SourceFile(`grpc/${service.path}.ts`, [
    constant,
    `${simple}Methods`,
    `${toConstantName(simple)}Name`,
  ]);
  const methods = service.methods.map((method) => ({
    ...method,
    local: source.value(method.constant, `methods/${service.path}`),
  }));
  const members = methods.flatMap(({ constant: name, local, availability }) => [
    ...(availability.grpc.served ? [] : [`  /** @deprecated ${comment(availability.grpc.sentence)} */`]),
    `  readonly ${memberName(name)}: typeof ${local};`,
  ]);
  source.line(
    '/** Full name of the service, as clients show it in errors. */',
    `export const ${fullName} = ${quote(service.name)};`,
    '',
    `export interface ${simple}Methods {`,
    ...members,
    '}',
    '',
    docComment(`${service.name} for the generic clients and the server of grpc-js.`),
    `export const ${constant}: ${source.type('GrpcService', runtime.grpcService)}<${simple}Methods> = /* @__PURE__ */ ${source.value('grpcService', runtime.grpcService)}({`,
    ...methods.map(({ constant: name, local }) => (name === local ? `  ${name},` : `  ${name}: ${local},`)),
    '});',
    '',
  );
  return { path: source.path, text: source.render() };
}
