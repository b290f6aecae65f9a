import type { Model, MsgModel, MsgServiceModel } from '../model/model.js';
import { type EmittedFile, type Emitter, runtime } from './emitter.js';
import { declaredPlaceOf } from './place-of.js';
import { docComment, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** One constant per transaction message, for signers. */
export const msgs: Emitter = {
  name: 'msgs',
  emit: ({ model }) =>
    model.msgServices.length === 0
      ? []
      : [...model.msgServices.map((service) => emitService(service, model)), emitList(model)],
};

function emitService(service: MsgServiceModel, model: Model): EmittedFile {
  const source = new SourceFile(
    `msgs/${service.path}.ts`,
    service.msgs.map(({ constant }) => constant),
  );
  for (const msg of service.msgs) emitMsg(msg, model, source);
  return { path: source.path, text: source.render() };
}

function emitMsg(msg: MsgModel, model: Model, source: SourceFile): void {
  const [request, response] = [msg.request, msg.response].map((name) => {
    const place = declaredPlaceOf(name, model, source.path);
    return source.value(place.local, `forms/${place.file}`);
  });
  const signedBy = msg.signers.length === 0 ? '' : `, signed by \`${msg.signers.join('`, `')}\``;
  source.line(
    docComment(`${msg.request}${signedBy}`),
    `export const ${msg.constant}: ${source.type('Msg', runtime.msg)}<${request}, ${response}> = {`,
    `  typeUrl: ${quote(`/${msg.request}`)},`,
    `  request: ${request},`,
    `  response: ${response},`,
    `  signers: [${msg.signers.map(quote).join(', ')}],`,
    '};',
    '',
  );
}

function emitList(model: Model): EmittedFile {
  const source = new SourceFile('msgs/all.ts', ['allMsgs']);
  const entries = model.msgServices.flatMap((service) =>
    service.msgs.map(({ constant }) => `  ${source.value(constant, `msgs/${service.path}`)},`),
  );
  source.line(
    '/** Every message of transactions, for a registry of all of them. An app that signs few imports those alone. */',
    `export const allMsgs: readonly ${source.type('AnyMsg', runtime.msg)}[] = [`,
    ...entries,
    '];',
    '',
  );
  return { path: source.path, text: source.render() };
}
