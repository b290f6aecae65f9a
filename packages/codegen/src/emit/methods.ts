import { type SpecTransport, transportKinds } from '../load/spec-types.js';
import type { MethodModel, Model, ServiceModel } from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { declaredPlaceOf } from './place-of.js';
import { docComment, nameWithDoc, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** One constant per method, with its availability per transport as a type. */
export const methods: Emitter = {
  name: 'methods',
  emit: ({ model }) => [
    emitAvailability(),
    ...model.services.map((service) => emitService(service, model)),
    emitList(model),
  ],
};

function emitAvailability(): EmittedFile {
  const source = new SourceFile('methods/availability.ts', ['Everywhere', 'everywhere']);
  const served = source.type('Served', runtime.method);
  source.line(
    '/** Served over gRPC, REST and abci_query. */',
    `export type Everywhere = { readonly [K in ${source.type('TransportKind', runtime.method)}]: ${served} };`,
    '',
    'export const everywhere: Everywhere = { grpc: { served: true }, rest: { served: true }, abci: { served: true } };',
    '',
  );
  return { path: source.path, text: source.render() };
}

function emitService(service: ServiceModel, model: Model): EmittedFile {
  const source = new SourceFile(`methods/${service.path}.ts`, [
    ...service.methods.map(({ constant }) => constant),
    ...service.methods.flatMap((method) => reasons(method).map(({ constant }) => constant)),
  ]);
  for (const method of service.methods) emitMethod(method, model, source);
  return { path: source.path, text: source.render() };
}

interface Reason {
  readonly constant: string;
  readonly sentence: string;
  readonly kinds: readonly SpecTransport[];
}

/** The reasons of a method, without duplicates, each with its transports. */
function reasons(method: MethodModel): Reason[] {
  const bySentence = new Map<string, SpecTransport[]>();
  for (const kind of transportKinds) {
    const availability = method.availability[kind];
    if (!availability.served) {
      bySentence.set(availability.sentence, [...(bySentence.get(availability.sentence) ?? []), kind]);
    }
  }
  return [...bySentence].map(([sentence, kinds]) => {
    const where = kinds.length === transportKinds.length ? 'Anywhere' : kinds.map(toPascal).join('');
    return { constant: `${method.constant}Not${where}`, sentence, kinds };
  });
}

function toPascal(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function emitMethod(method: MethodModel, model: Model, source: SourceFile): void {
  const gaps = reasons(method);
  for (const { constant, sentence } of gaps) source.line(`const ${constant} = ${quote(sentence)};`, '');
  const request = formOf(method.request, model, source);
  const response = formOf(method.response, model, source);
  const { type, value } = availability(gaps, source);
  const list = listRule(method, model);
  const isList = list ? ` & ${source.type('List', runtime.method)}<${quote(list.items)}>` : '';
  const stream = method.stream ? ` & { readonly stream: '${method.stream}' }` : '';
  source.line(
    docComment(nameWithDoc(`${method.service}/${method.name}`, method.doc)),
    `export const ${method.constant}: ${source.type('Method', runtime.method)}<${request}, ${response}, ${type}>${isList}${stream} = {`,
    `  service: ${quote(method.service)},`,
    `  name: ${quote(method.name)},`,
    `  request: ${request},`,
    `  response: ${response},`,
    `  rest: ${restRule(method, source)},`,
    `  availability: ${value},`,
    ...(list ? [`  list: ${list.value},`] : []),
    ...(method.stream ? [`  stream: '${method.stream}',`] : []),
    '};',
    '',
  );
}

function formOf(name: string, model: Model, source: SourceFile): string {
  const place = declaredPlaceOf(name, model, source.path);
  return source.value(place.local, `forms/${place.file}`);
}

function listRule({ list, response }: MethodModel, model: Model): { items: string; value: string } | undefined {
  if (!list) return undefined;
  const field = model.messages.get(response)?.fields.find(({ name }) => name === list.items);
  const items = field?.prop ?? list.items;
  const keyFirst = list.keyFirst ? ', keyFirst: true' : '';
  return { items, value: `{ items: ${quote(items)}, paging: '${list.paging}'${keyFirst} }` };
}

function restRule({ rest }: MethodModel, source: SourceFile): string {
  if (!rest) return 'undefined';
  const body =
    rest.body === undefined
      ? ''
      : `, body: ${quote(rest.body)}, writeBody: ${source.value('toGatewayJson', runtime.writeJson)}`;
  return `{ verb: '${rest.verb}', path: ${quote(rest.path)}${body} }`;
}

function availability(gaps: readonly Reason[], source: SourceFile): { type: string; value: string } {
  if (gaps.length === 0) {
    const module = 'methods/availability';
    return { type: source.type('Everywhere', module), value: source.value('everywhere', module) };
  }
  const types: string[] = [];
  const values: string[] = [];
  for (const kind of transportKinds) {
    const gap = gaps.find(({ kinds }) => kinds.includes(kind));
    if (gap) {
      types.push(`  readonly ${kind}: ${source.type('Unserved', runtime.method)}<typeof ${gap.constant}>;`);
      values.push(`    ${kind}: { served: false, reason: ${gap.constant} },`);
    } else {
      types.push(`  readonly ${kind}: ${source.type('Served', runtime.method)};`);
      values.push(`    ${kind}: { served: true },`);
    }
  }
  return { type: `{\n${types.join('\n')}\n}`, value: `{\n${values.join('\n')}\n  }` };
}

function emitList(model: Model): EmittedFile {
  const source = new SourceFile('methods/all.ts', ['allMethods', 'legacyRoutes']);
  const entries = model.services.flatMap((service) =>
    service.methods.map((method) => `  ${source.value(method.constant, `methods/${service.path}`)},`),
  );
  source.line(
    '/** Every method of every served service: for tests and simulators, not for browsers. */',
    `export const allMethods: readonly ${source.type('AnyMethod', runtime.method)}[] = [`,
    ...entries,
    '];',
    '',
    '/** Routes of older versions: mounted, while the service behind them is gone. */',
    'export const legacyRoutes: readonly { readonly service: string; readonly path: string }[] = [',
    ...model.legacyRoutes.map(({ service, path }) => `  { service: ${quote(service)}, path: ${quote(path)} },`),
    '];',
    '',
  );
  return { path: source.path, text: source.render() };
}
