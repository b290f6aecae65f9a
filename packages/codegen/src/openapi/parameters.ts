import type { FieldModel } from '../model/model.js';
import type { RouteParam } from '../emit/rest-route.js';
import type { OpenApiSchema } from './json-schema.js';
import { scalarSchemas } from './scalar-schema.js';
import type { Schemas } from './schemas.js';

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description?: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: OpenApiSchema;
}

/** Describes a value in the path: one segment without a slash. A list is one segment, separated by commas. */
export function pathParameter({ name, field }: RouteParam, isRest: boolean, schemas: Schemas): ParameterObject {
  const schema = urlSchema(field, schemas);
  const note = isRest ? 'all that is left of the path, slashes too' : undefined;
  return {
    name,
    in: 'path',
    required: true,
    ...(note !== undefined && { description: note }),
    ...(field.repeated
      ? { style: 'simple', explode: false, schema: { type: 'array', items: schema } }
      : {
          schema:
            schema.type === 'string' && schema.pattern === undefined
              ? { ...schema, pattern: isRest ? '.' : '^[^/]+$' }
              : schema,
        }),
  };
}

/** Describes a value in the query. A list repeats the parameter. */
export function queryParameter({ name, field }: RouteParam, schemas: Schemas): ParameterObject {
  const schema = urlSchema(field, schemas);
  const description = field.kind === 'enum' ? numbersOf(field.enum, schemas) : undefined;
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(field.repeated ? { style: 'form', explode: true, schema: { type: 'array', items: schema } } : { schema }),
  };
}

/** Schema of a value in a URL. Enums are sent by number, because the gateway refuses the names of the hub's enums. */
function urlSchema(field: FieldModel, schemas: Schemas): OpenApiSchema {
  // The gateway also accepts numbers that are not in the enum.
  if (field.kind === 'enum')
    return { type: 'integer', format: 'int32', 'x-numbers': numbersByText(field.enum, schemas) };
  if (['bytes', 'hex', 'rawJson'].includes(field.kind)) return { type: 'string', contentEncoding: 'base64' };
  return scalarSchemas[field.kind] ?? { type: 'string' };
}

function numbersByText(name: string, schemas: Schemas): Record<string, number> {
  return Object.fromEntries(
    schemas.enumOf(name).values.map(({ name: value, text, number }) => [text ?? value, number]),
  );
}

function numbersOf(name: string, schemas: Schemas): string {
  return schemas
    .enumOf(name)
    .values.map(({ name: value, text, number }) => `${number} ${text ?? value}`)
    .join(', ');
}
