import { toBase64 } from '@hubwatch/types/runtime/base64';
import { CodecError } from '@hubwatch/types/runtime/codec-error';
import { memberOf } from '@hubwatch/types/runtime/form-member';
import { enumNumber } from '@hubwatch/types/runtime/enum';
import type { AnyMethod, BodyWriter, RestRule } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Field, MessageTable } from '@hubwatch/types/runtime/table';
import { printDuration, printTimestamp } from '@hubwatch/types/runtime/time';
import type { Duration, Timestamp } from '@hubwatch/types/runtime/values';
import { heightHeader } from '../height-header.js';

type Form = Readonly<Record<string, unknown>>;

/** A valid request that cannot be sent over REST: no path or query of the gateway can contain one of its values. */
export class UncarriedError extends CodecError {}

export interface RestRequest {
  readonly verb: RestRule['verb'];
  /** Path and query, percent-encoded, with wire names. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * Path, query and body of a call.
 *
 * @throws CodecError when a member of the request cannot be sent; UncarriedError when it cannot be sent over REST
 * @source proto/spec/node.yaml, rest.requests
 */
export function writeRestRequest(
  method: AnyMethod,
  request: object,
  height: bigint | undefined,
  naming: Naming,
): RestRequest {
  const { rest } = method;
  if (rest === undefined) throw new CodecError('the method has no route');
  const taken = new Set<string>();
  // Only the template is mapped: a value in the path may equal a word of the naming.
  const path = naming.routeToWire(rest.path).replace(/\{([^}=]+)(?:=([^}]*))?\}/g, (_, name: string, pattern = '*') => {
    taken.add(name);
    return pathValue(method.request, request as Form, name, pattern as string, naming);
  });
  const headers: Record<string, string> = {};
  if (height !== undefined) headers[naming.headerToWire(heightHeader)] = String(height);
  if (rest.body === '*') {
    headers['content-type'] = 'application/json';
    return { verb: rest.verb, target: path, headers, body: writerOf(rest)(method.request, request, naming) };
  }
  const query: string[] = [];
  let body: string | undefined;
  if (rest.body !== undefined) {
    const held = method.request.fields.find(({ name }) => name === rest.body);
    if (held === undefined)
      throw new CodecError(`the route names ${rest.body}, which ${method.request.name} does not have`);
    taken.add(held.name);
    headers['content-type'] = 'application/json';
    body = memberJson(writerOf(rest), method.request, held, request as Form, naming);
  }
  addQuery(method.request, request as Form, '', taken, query, naming);
  return {
    verb: rest.verb,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body,
  };
}

function writerOf({ path, writeBody }: RestRule): BodyWriter {
  if (writeBody === undefined) throw new CodecError(`the method of ${path} has no writer for its body`);
  return writeBody;
}

/** Gateway JSON of one member: the output of the JSON writer for a message with only this member. */
function memberJson(write: BodyWriter, table: MessageTable, field: Field, form: Form, naming: Naming): string {
  const alone: MessageTable = { name: table.name, fields: [field] };
  const text = write(alone, form, naming);
  return text === '{}' ? '{}' : text.slice(text.indexOf(':') + 1, -1);
}

function pathValue(table: MessageTable, form: Form, name: string, pattern: string, naming: Naming): string {
  let fields: MessageTable | undefined = table;
  let value: unknown = form;
  let field: Field | undefined;
  for (const part of name.split('.')) {
    field = fields?.fields.find((candidate) => candidate.name === part);
    if (field === undefined) throw new CodecError(`the route names ${name}, which ${table.name} does not have`);
    value = (value as Form | undefined)?.[memberOf(field)];
    fields = field.kind === 'message' ? field.message() : undefined;
  }
  const texts = field?.repeated
    ? ((value ?? []) as unknown[]).map((item) => scalarText(field, item, true, naming))
    : undefined;
  const text = texts?.join(',') ?? scalarText(field as Field, value, true, naming);
  // The gateway removes an empty segment from the path, which selects another route.
  if (text === '') throw new CodecError(`${name} stands in the path and must not be empty`);
  // The gateway returns 501 instead of refusing an address with other characters in the last segment.
  if (addressNames.test(name) && !/^[0-9a-z]+$/i.test(text)) {
    throw new CodecError(`${name} is ${JSON.stringify(text)}: an address has letters and digits only`);
  }
  if (pattern === '*' && text.includes('/')) {
    throw new UncarriedError(
      `${name} is ${JSON.stringify(text)}: no path of the gateway can hold a slash in one value; ask over gRPC or abci_query, or read the list`,
    );
  }
  if (!fitsPattern(text, pattern))
    throw new CodecError(`${name} is ${JSON.stringify(text)}; its route takes ${pattern}`);
  return text.split('/').map(encodeURIComponent).join('/');
}

/** Names of path parameters that are addresses. */
const addressNames = /(?:^|_)(?:addr(?:ess(?:_string)?)?|voter|depositor|granter|grantee|owner|admin|relayer)$/;

/** `*` matches one segment, a `**` at the end matches all remaining ones. */
function fitsPattern(text: string, pattern: string): boolean {
  const wanted = pattern.split('/');
  const given = text.split('/');
  const isOpen = wanted.at(-1) === '**';
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every(
    (segment, index) => segment === '**' || (segment === '*' ? given[index] !== '' : segment === given[index]),
  );
}

function addQuery(
  table: MessageTable,
  form: Form,
  prefix: string,
  taken: ReadonlySet<string>,
  query: string[],
  naming: Naming,
): void {
  for (const field of table.fields) {
    const name = prefix + field.name;
    if (taken.has(name)) continue;
    let value = form[memberOf(field)];
    if (field.oneof !== undefined) {
      const chosen = value as { $case: string; value: unknown } | undefined;
      if (chosen?.$case !== field.prop) continue;
      value = chosen.value;
    }
    if (value === undefined) continue;
    if (field.kind === 'message' && !field.repeated) {
      addQuery(field.message(), value as Form, `${name}.`, taken, query, naming);
    } else if (field.kind === 'map') {
      for (const [key, item] of Object.entries(value as Form)) {
        query.push(`${encodeURIComponent(`${name}[${key}]`)}=${encodeURIComponent(String(item))}`);
      }
    } else {
      const isLeftOut = !field.optional && isDefault(value);
      const items = field.repeated ? (value as readonly unknown[]) : isLeftOut ? [] : [value];
      for (const item of items) query.push(`${name}=${encodeURIComponent(scalarText(field, item, false, naming))}`);
    }
  }
}

function isDefault(value: unknown): boolean {
  return (
    value === '' ||
    value === 0 ||
    value === 0n ||
    value === false ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

function scalarText(field: Field, value: unknown, inPath: boolean, naming: Naming): string {
  if (field.carries !== undefined) return field.carries().toWire((value ?? '') as string, naming);
  switch (field.kind) {
    case 'enum':
      // The gateway refuses hub enums by name and accepts all enums by number.
      return String(enumNumber(field.enum(), (value ?? 0) as number | string));
    case 'bytes':
    case 'hex':
    case 'rawJson': {
      const text = toBase64((value ?? new Uint8Array(0)) as Uint8Array);
      // A slash would split the path.
      return inPath ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
    }
    case 'timestamp':
      return printTimestamp(value as Timestamp);
    case 'duration':
      return printDuration(value as Duration);
    case 'message':
    case 'any':
    case 'map':
    case 'int':
    case 'dec':
    case 'decBytes':
      throw new UncarriedError(`${field.name}: the gateway takes no ${field.kind} in a path or query`);
    default:
      return value === undefined ? '' : (value as string | number | bigint | boolean).toString();
  }
}
