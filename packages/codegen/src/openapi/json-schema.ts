/** The part of JSON Schema 2020-12 that the documents use. */
export type OpenApiSchema = Readonly<{
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  const?: unknown;
  enum?: readonly unknown[];
  items?: OpenApiSchema;
  properties?: Readonly<Record<string, OpenApiSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | OpenApiSchema;
  anyOf?: readonly OpenApiSchema[];
  allOf?: readonly OpenApiSchema[];
  not?: OpenApiSchema;
  minimum?: number;
  maximum?: number;
  'x-numbers'?: Readonly<Record<string, number>>;
}>;

/** Allows `null` in addition to a schema. */
export function nullable(schema: OpenApiSchema): OpenApiSchema {
  if (typeof schema.type === 'string' && schema.enum === undefined) return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}
