import { SpecError } from '../load/spec-error.js';
import type { DocsSpec, Spec } from '../load/spec-types.js';
import { ownValue } from '../own-value.js';
import type { MessageModel, MethodModel, Model } from './model.js';

/** Documentation of a message. */
export function docOfMessage({ docs }: Spec, message: string): string | undefined {
  return ownValue(docs.messages, message);
}

/** Documentation of a method, `<service>/<method>`. */
export function docOfMethod({ docs }: Spec, method: string): string | undefined {
  return ownValue(docs.methods, method);
}

/**
 * Documentation of a field: its own entry, or the entry with the longest matching prefix, such as `hub.lease.v1.*.hours`
 * before `hub.*.hours`.
 */
export function docOfField({ docs }: Spec, message: string, field: string): string | undefined {
  const key = keysOfField(message, field).find((one) => ownValue(docs.fields, one) !== undefined);
  return key === undefined ? undefined : ownValue(docs.fields, key);
}

function keysOfField(message: string, field: string): string[] {
  const parts = message.split('.');
  const wide = parts.slice(1).map((_, at) => `${parts.slice(0, parts.length - 1 - at).join('.')}.*.${field}`);
  return [`${message}.${field}`, ...wide];
}

/**
 * Checks the entries of docs.yaml against the declarations.
 *
 * @throws SpecError for an entry without a declaration, a text that only repeats the name, and a missing text in a package
 * listed under `complete`
 */
export function checkDocs({ files, services }: Pick<Model, 'files' | 'services'>, { docs }: Spec): void {
  const messages = files.flatMap((file) => file.messages);
  const methods = services.flatMap((service) => service.methods);
  const methodKey = ({ service, name }: MethodModel): string => `${service}/${name}`;
  checkNames('messages', docs.messages, new Set(messages.map(({ name }) => name)));
  checkNames('methods', docs.methods, new Set(methods.map(methodKey)));
  const fields = messages.flatMap((message) => message.fields.flatMap(({ name }) => keysOfField(message.name, name)));
  checkNames('fields', docs.fields, new Set(fields));
  for (const [at, name] of docs.complete.entries()) {
    const missing =
      messages.filter((message) => message.name.startsWith(`${name}.`)).flatMap(undocumented)[0] ??
      methods.filter((method) => method.service.startsWith(`${name}.`) && method.doc === undefined).map(methodKey)[0];
    if (missing !== undefined) throw new SpecError('docs', ['complete', at], `${missing} has no text`);
  }
}

function undocumented({ name, doc, fields }: MessageModel): string[] {
  const open = fields.filter((field) => field.doc === undefined).map((field) => `${name}.${field.name}`);
  return doc === undefined ? [name, ...open] : open;
}

function checkNames(part: keyof DocsSpec, texts: Readonly<Record<string, string>>, known: ReadonlySet<string>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (!known.has(name)) throw new SpecError('docs', [part, name], `${name} is not declared`);
    if (repeats(name, text))
      throw new SpecError('docs', [part, name], `the text of ${name} says no more than its name`);
  }
}

/** Words that carry no information. */
const empty = new Set('a an and are at by for from in is it its of on or that the this to which with'.split(' '));

/** Whether every word of a text also occurs in the name, in singular or plural. */
function repeats(name: string, text: string): boolean {
  const stem = (word: string): string => word.toLowerCase().replace(/(?:es|s|d|ed)$/, '');
  const own = new Set(name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map(stem));
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && !empty.has(word.toLowerCase()))
    .every((word) => own.has(stem(word)));
}
