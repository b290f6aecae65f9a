import { defaultForm, defaultValue } from './default-form.js';
import { type FastJsonDecoder, FastJsonReader, jsonMembers, numbersOf } from './fast-json-reader.js';
import { unusual } from './fast-reader.js';
import { memberOf } from './form-member.js';
import { maxDepth } from './limits.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import { fromJson, nullItem } from './read-json.js';
import { isLittleEndian } from './scratch-words.js';
import type { Field, Kind, MessageTable } from './table.js';

/** By naming, which determines the member names; each reader caches its decoders. */
const readers = new WeakMap<Naming, FastJsonReader>();

/**
 * {@link fromJson} for Node: the same form and the same errors, by code that is compiled from the table on first use.
 * Unusual spellings and every fault are read by the table walk.
 *
 * @param json result of `JSON.parse`
 * @param naming names on the wire; `@type` and member names are returned neutral
 * @throws CodecError with the path of the member that does not fit
 */
export function fromJsonFast<T>(table: MessageTable<T>, json: unknown, naming: Naming = identityNaming): T {
  try {
    const reader = readerOf(naming);
    return reader.decoderOf(table)(reader, json, 0) as T;
  } catch {
    return fromJson(table, json, naming);
  }
}

function readerOf(naming: Naming): FastJsonReader {
  let reader = readers.get(naming);
  if (reader === undefined) {
    // `undefined` if the process forbids generating code from text.
    const known = new WeakMap<MessageTable, FastJsonDecoder | undefined>();
    reader = new FastJsonReader(naming, (table) => {
      if (!known.has(table)) known.set(table, compile(table, naming));
      const decoder = known.get(table);
      if (decoder === undefined) throw unusual;
      return decoder;
    });
    readers.set(naming, reader);
  }
  return reader;
}

function compile(table: MessageTable, naming: Naming): FastJsonDecoder | undefined {
  if (!isLittleEndian || table.fields.some((field) => namesOf(field, naming).some((name) => name in {})))
    return undefined;
  try {
    // Its parts are numbers, literals of this file and names through JSON.stringify; nothing else gets into the text.
    // oxlint-disable-next-line typescript/no-implied-eval
    const make = new Function('fields', 'given', 'carries', source(table, naming)) as (
      ...parts: unknown[]
    ) => FastJsonDecoder;
    const given = { defaultForm, defaultValue, membersOf: jsonMembers, nullItem, numbersOf, unusual };
    return make(table.fields, given, table.carries);
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

/** Spellings of a member, in order of precedence. */
function namesOf({ name, prop }: Field, naming: Naming): string[] {
  return [...new Set([naming.memberToWire(name), name, naming.memberToWire(prop), prop])];
}

/** Function body that returns the decoder of a table. */
function source({ fields, carries }: MessageTable, naming: Naming): string {
  const locals = new Map<string, string>();
  for (const field of fields) {
    const member = memberOf(field);
    if (!locals.has(member)) locals.set(member, `v${locals.size}`);
  }
  const constants = fields.map(
    ({ kind }, i) =>
      `const f${i} = fields[${i}];${kind === 'enum' ? ` let e${i};` : kind === 'message' ? ` let d${i};` : ''}`,
  );
  const form = `{ ${[...locals].map(([member, local]) => `${JSON.stringify(member)}: ${local}`).join(', ')} }`;
  return `'use strict';
const { defaultForm, defaultValue, membersOf, nullItem, numbersOf, unusual } = given;
${constants.join('\n')}
return (r, json, depth) => {
  if (depth > ${maxDepth}) throw unusual;
  const m = membersOf(json);
  let ${['j', ...locals.values()].join(', ')};
${fields.map((field, i) => statements(field, i, naming, locals.get(memberOf(field)) ?? '')).join('\n')}
  return ${carries === undefined ? form : `carries.fromWire(${form}, r.naming)`};
};`;
}

function statements(field: Field, i: number, naming: Naming, local: string): string {
  const [first, ...others] = namesOf(field, naming).map((name) => `m[${JSON.stringify(name)}]`);
  const find = [`j = ${first};`, ...others.map((other) => `if (j === undefined) j = ${other};`)].join(' ');
  const isThere = 'j !== undefined && j !== null';
  if (field.oneof !== undefined) {
    return `  ${find}
  if (${isThere}) ${local} = { $case: ${JSON.stringify(field.prop)}, value: ${value(field, i, 'j')} };`;
  }
  if (field.kind === 'map') {
    return `  ${find}
  ${local} = ${isThere} ? r.field(f${i}, j, depth) : {};`;
  }
  if (field.repeated) {
    return `  ${find}
  ${local} = [];
  if (${isThere}) {
    if (!Array.isArray(j)) throw unusual;
    for (let i = 0; i < j.length; i++) {
      const item = j[i];
      ${local}.push(item === null ? nullItem(f${i}) : ${value(field, i, 'item')});
    }
  }`;
  }
  return `  ${find}
  ${local} = ${isThere} ? ${value(field, i, 'j')} : defaultValue(f${i});`;
}

/** Expression that reads one value of the variable `json`. */
function value({ kind, carries }: Field, i: number, json: string): string {
  const others = `r.value(f${i}, ${json}, depth)`;
  if (carries !== undefined) return others;
  switch (kind) {
    case 'message':
      return `(d${i} ??= r.decoderOf(f${i}.message()))(r, ${json}, depth + 1)`;
    case 'enum':
      return `(e${i} ??= numbersOf(f${i})).get(${json}) ?? ${others}`;
    case 'bool':
      return `typeof ${json} === 'boolean' ? ${json} : ${others}`;
    case 'string':
    case 'decText':
      return `typeof ${json} === 'string' ? ${json} : ${others}`;
    case 'int32':
    case 'sint32':
    case 'sfixed32':
      return `typeof ${json} === 'number' && ${json} === (${json} | 0) ? ${json} : ${others}`;
    case 'uint32':
    case 'fixed32':
      return `typeof ${json} === 'number' && ${json} === ${json} >>> 0 ? ${json} : ${others}`;
    default: {
      const method = methods[kind];
      return method === undefined ? others : `r.${method}(f${i}, ${json}, depth)`;
    }
  }
}

const methods: Readonly<Partial<Record<Kind, keyof FastJsonReader>>> = {
  int64: 'int64',
  uint64: 'int64',
  sint64: 'int64',
  fixed64: 'int64',
  sfixed64: 'int64',
  int: 'int',
  dec: 'dec',
  decBytes: 'dec',
  timestamp: 'timestamp',
  duration: 'duration',
  any: 'any',
};
