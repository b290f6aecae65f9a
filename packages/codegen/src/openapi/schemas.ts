import { CodegenError } from '../codegen-error.js';
import type { EnumModel, FieldModel, MessageModel, Model, ValueModel } from '../model/model.js';
import { type OpenApiSchema, nullable } from './json-schema.js';
import { scalarSchemas } from './scalar-schema.js';
import { ownValue } from '../own-value.js';

/**
 * Encoding of a message: as the gateway prints it, as the gateway accepts it, or as the language's own encoder prints
 * it.
 */
type Style = 'answer' | 'request' | 'plain';

/** Component name suffixes by style; a message has one component for each used style. */
const suffixes: Readonly<Record<Style, string>> = { answer: '', request: '.request', plain: '.plain' };

/** The schemas of a document, created on demand. */
export class Schemas {
  readonly #model: Model;
  readonly #plain: ReadonlySet<string>;
  readonly #enums: ReadonlyMap<string, EnumModel>;
  readonly #made = new Map<string, OpenApiSchema>();

  /** @param plain messages that the language's own encoder prints, including their members */
  constructor(model: Model, plain: ReadonlySet<string>) {
    this.#model = model;
    this.#plain = plain;
    this.#enums = new Map(model.files.flatMap((file) => file.enums.map((type) => [type.name, type] as const)));
  }

  /** Components, ordered by name. */
  components(): Record<string, OpenApiSchema> {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Schema of a response of the gateway. */
  answer(message: string): OpenApiSchema {
    return this.#message(message, 'answer');
  }

  /** Schema of a request body; any member may be omitted. */
  request(message: string): OpenApiSchema {
    return this.#message(message, 'request');
  }

  /** Schema of a request body that is one field of a message. */
  requestMember(message: string, name: string): OpenApiSchema {
    const field = this.#model.messages.get(message)?.fields.find((candidate) => candidate.name === name);
    if (!field) throw new CodegenError(`${message} has no field ${name}, which its route names`);
    return this.#field(field, 'request');
  }

  enumOf(name: string): EnumModel {
    const found = this.#enums.get(name);
    if (!found) throw new CodegenError(`the enum ${name} is used but not reached`);
    return found;
  }

  #component(name: string, make: () => OpenApiSchema): OpenApiSchema {
    if (!this.#made.has(name)) {
      // Registered before it is created, because a message may contain itself.
      this.#made.set(name, {});
      this.#made.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #message(name: string, asked: Style): OpenApiSchema {
    const style = asked === 'answer' && this.#plain.has(name) ? 'plain' : asked;
    const message = this.#model.messages.get(name);
    if (!message) throw new CodegenError(`the message ${name} is used but not reached`);
    return this.#component(`${name}${suffixes[style]}`, () => this.#object(message, style));
  }

  #object(message: MessageModel, style: Style): OpenApiSchema {
    const properties = Object.fromEntries(message.fields.map((field) => [field.name, this.#field(field, style)]));
    // The gateway prints every member except for absent optional ones; of a oneof, it prints only the member that is
    // set.
    const required =
      style === 'answer' ? message.fields.filter(({ oneof, optional }) => oneof === undefined && !optional) : [];
    return {
      type: 'object',
      // In an Any, the members of the message are next to its type.
      properties: { '@type': { const: `/${message.name}` }, ...properties },
      ...(required.length > 0 && { required: required.map(({ name }) => name) }),
      additionalProperties: false,
    };
  }

  #field(field: FieldModel, style: Style): OpenApiSchema {
    if (field.kind === 'map') return { type: 'object', additionalProperties: this.#value(field.value, false, style) };
    const optional = !field.always && field.oneof === undefined;
    if (!field.repeated) return this.#value(field, optional, style);
    const list: OpenApiSchema = { type: 'array', items: this.#value(field, false, style) };
    return style === 'answer' ? list : nullable(list);
  }

  #value(shape: ValueModel, optional: boolean, style: Style): OpenApiSchema {
    switch (shape.kind) {
      case 'message':
        return optional ? nullable(this.#message(shape.message, style)) : this.#message(shape.message, style);
      case 'enum':
        return this.#component(shape.enum, () => enumSchema(this.enumOf(shape.enum)));
      case 'any':
        return optional ? nullable(this.#any(shape.any, style)) : this.#any(shape.any, style);
      case 'timestamp':
      case 'duration':
        return optional ? nullable(scalarSchemas[shape.kind] ?? {}) : (scalarSchemas[shape.kind] ?? {});
      default:
        return style === 'plain' ? plainScalar(shape.kind) : (scalarSchemas[shape.kind] ?? {});
    }
  }

  #any(accepts: readonly string[] = [], style: Style): OpenApiSchema {
    const open: OpenApiSchema = { type: 'object', properties: { '@type': { type: 'string' } }, required: ['@type'] };
    const known = [
      ...new Set(accepts.flatMap((name) => this.#model.interfacesByName.get(name)?.implementations ?? [])),
    ];
    if (style !== 'answer' || known.length === 0) return open;
    return this.#component(`any.${accepts.join('-')}`, () => {
      const unknown: OpenApiSchema = {
        ...open,
        description: 'a type that this release does not know',
        properties: { '@type': { type: 'string', not: { enum: known.map((name) => `/${name}`) } } },
      };
      return { anyOf: [...known.map((name) => this.#member(name)), unknown] };
    });
  }

  #member(name: string): OpenApiSchema {
    const bare = ownValue(bareValues, name);
    if (bare === undefined) return { allOf: [this.answer(name)], required: ['@type'] };
    return {
      type: 'object',
      properties: { '@type': { const: `/${name}` }, value: bare },
      required: ['@type', 'value'],
      additionalProperties: false,
    };
  }
}

/** Messages whose JSON is not an object; in an Any it is the member `value`. */
const bareValues: Readonly<Record<string, OpenApiSchema | undefined>> = {
  'google.protobuf.Timestamp': scalarSchemas['timestamp'],
  'google.protobuf.Duration': scalarSchemas['duration'],
  'google.protobuf.Empty': { type: 'object' },
};

function enumSchema({ values }: EnumModel): OpenApiSchema {
  return {
    // A number without a text on the node is printed as a number.
    anyOf: [{ type: 'string', enum: [...new Set(values.map(({ name, text }) => text ?? name))] }, { type: 'integer' }],
    'x-numbers': Object.fromEntries(values.map(({ name, text, number }) => [text ?? name, number])),
  };
}

/** Bare numbers, including 64-bit ones. */
function plainScalar(kind: string): OpenApiSchema {
  if (/^(?:u?int|s?fixed|sint)(?:32|64)$/.test(kind)) return { type: 'integer' };
  return scalarSchemas[kind] ?? {};
}
