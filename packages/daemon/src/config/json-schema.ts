import { z } from 'zod';
import type { $ZodType, $ZodTypeDef, JSONSchema } from 'zod/v4/core';
import { configSchema } from './schema.js';

export type JsonSchema = JSONSchema.BaseSchema;

/** JSON Schema (draft 2020-12) of the configuration file, for editors and for the docs page of its keys. */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any', override: simplify });
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const simplify: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.title === 'duration') {
    // The schema accepts numbers only to reject them with a message that contains the expected form.
    delete jsonSchema.anyOf;
    jsonSchema.type = 'string';
  }
  // One value or a list: the schema after the preprocessing function describes the list.
  const { type, items, minItems } = jsonSchema;
  if (type === 'array' && isPreprocessed(zodSchema._zod.def) && typeof items === 'object' && !Array.isArray(items)) {
    delete jsonSchema.type;
    delete jsonSchema.items;
    delete jsonSchema.minItems;
    jsonSchema.anyOf = [items, { type, items, minItems: minItems ?? 0 }];
  }
};

/** Whether the schema applies a preprocessing function to the input. */
function isPreprocessed(def: $ZodTypeDef): boolean {
  const { in: input } = def as $ZodTypeDef & { readonly in?: $ZodType };
  return input?._zod.def.type === 'transform';
}
