/** The part of JSON Schema 2020-12 that the documents use. */
export type JsonSchema = Readonly<{
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  const?: unknown;
  enum?: readonly unknown[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  not?: JsonSchema;
  minimum?: number;
  maximum?: number;
  'x-numbers'?: Readonly<Record<string, number>>;
}>;

/** `null` allowed beside what a schema says. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && schema.enum === undefined) return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}
