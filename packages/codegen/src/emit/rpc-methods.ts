import type { RpcParamType } from '../load/spec-types.js';
import type { Model, RpcMethodModel } from '../model/model.js';
import type { Emitter } from './emitter.js';
import { docComment, identifier, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';
import { ownValue } from '../own-value.js';

/** Map of the consensus RPC: parameters and results of every method, in their JSON form. */
export const rpcMethods: Emitter = {
  name: 'rpc',
  emit({ model }) {
    if (model.rpcMethods.length + model.rpcShapes.length === 0) return [];
    const source = new SourceFile('rpc/methods.ts');
    emitShapes(model, source);
    emitParams(model, source);
    emitResults(model, source);
    emitFacts(model, source);
    return [{ path: source.path, text: source.render() }];
  },
};

/** Text types of the wire, named so that a reader of a shape knows the content of a string. */
const texts = {
  integer: ['IntegerText', 'Number as base-10 text.'],
  hex: ['HexText', 'Upper-case hexadecimal text, possibly empty.'],
  base64: ['Base64Text', 'Standard base64 with padding.'],
  time: ['TimeText', 'RFC 3339 in UTC with up to 9 fraction digits. The zero time is `0001-01-01T00:00:00Z`.'],
} as const;

const plain: Readonly<Record<string, string>> = { text: 'string', number: 'number', bool: 'boolean', any: 'unknown' };

function shapeType(type: string): string {
  if (type.endsWith('?')) return `${shapeType(type.slice(0, -1))} | null`;
  if (type.endsWith('[]')) return `readonly ${shapeType(type.slice(0, -2))}[]`;
  if (Object.hasOwn(texts, type)) return texts[type as keyof typeof texts][0];
  return ownValue(plain, type) ?? identifier(`Rpc${type}`);
}

function emitShapes(model: Model, source: SourceFile): void {
  for (const [name, means] of Object.values(texts)) source.line(`/** ${means} */`, `export type ${name} = string;`, '');
  for (const { name, members } of model.rpcShapes) {
    if (members.length === 0) {
      source.line(`export type ${identifier(`Rpc${name}`)} = Readonly<Record<string, never>>;`, '');
      continue;
    }
    source.line(`export interface ${identifier(`Rpc${name}`)} {`);
    for (const { name: member, type, optional } of members) {
      source.line(`  readonly ${memberName(member)}${optional ? '?' : ''}: ${shapeType(type)};`);
    }
    source.line('}', '');
  }
}

const paramTypes: Readonly<Record<RpcParamType, string>> = {
  string: 'string',
  int: 'bigint',
  bool: 'boolean',
  bytes: 'Uint8Array',
  hex: 'Uint8Array',
  strings: 'readonly string[]',
  json: 'unknown',
};

function emitParams(model: Model, source: SourceFile): void {
  source.line('/** Parameters by method. */', 'export interface RpcParams {');
  for (const { name, does, params } of model.rpcMethods) {
    const members = params.map(({ name: param, type, required }) =>
      required
        ? `readonly ${memberName(param)}: ${paramTypes[type]}`
        : `readonly ${memberName(param)}?: ${paramTypes[type]} | undefined`,
    );
    source.line(
      `  ${docComment(does)}`,
      `  readonly ${memberName(name)}: ${members.length === 0 ? '{}' : `{ ${members.join('; ')} }`};`,
    );
  }
  source.line('}', '');
}

function emitResults(model: Model, source: SourceFile): void {
  source.line('/** Results by method, as they stand in JSON. */', 'export interface RpcResults {');
  for (const { name, result } of model.rpcMethods) {
    source.line(`  readonly ${memberName(name)}: ${result === undefined ? 'unknown' : identifier(`Rpc${result}`)};`);
  }
  source.line('}', '');
}

/** Groups of methods by the transports on which a client may offer them. */
const groups: readonly { name: string; means: string; has: (method: RpcMethodModel) => boolean }[] = [
  {
    name: 'RpcHttpMethod',
    means: 'Methods over URI and POST.',
    has: ({ over, unsafe }) => over.includes('post') && !unsafe,
  },
  {
    name: 'RpcWebsocketMethod',
    means: 'Methods that only the websocket reaches.',
    has: ({ over }) => over.length === 1 && over[0] === 'websocket',
  },
  {
    name: 'RpcUnsafeMethod',
    means: 'Methods that change the node. Only nodes in unsafe mode have them.',
    has: ({ unsafe }) => unsafe === true,
  },
];

function emitFacts(model: Model, source: SourceFile): void {
  for (const { name, means, has } of groups) {
    const members = model.rpcMethods.filter(has).map((method) => `\n  | ${quote(method.name)}`);
    source.line(`/** ${means} */`, `export type ${name} =${members.join('')};`, '');
  }
  source.line(
    '/**',
    ' * How a parameter is written in JSON: 64-bit numbers as text, `bytes` as base64, `hex` without `0x`; `event-query` and',
    ' * `method-path` are texts that carry names.',
    ' */',
    `export type RpcParamKind = ${[...Object.keys(paramTypes), 'event-query', 'method-path'].map(quote).join(' | ')};`,
    '',
    '/** Parameters of every method in positional order. */',
    'export const rpcParamKinds = {',
  );
  for (const { name, params } of model.rpcMethods) {
    const members = params.map(({ name: param, type, carries }) => `${memberName(param)}: ${quote(carries ?? type)}`);
    source.line(`  ${memberName(name)}: {${members.length === 0 ? '' : ` ${members.join(', ')} `}},`);
  }
  source.line(
    '} as const satisfies {',
    '  readonly [M in keyof RpcParams]: { readonly [P in keyof RpcParams[M]]-?: RpcParamKind };',
    '};',
  );
}
