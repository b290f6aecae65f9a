import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the JSON Schemas in this package. */
export const schemaFolder = join(import.meta.dirname, '../../schema');

/**
 * A JSON Schema of the package, by its path in `schema/` without extension; `true`, which accepts everything, for
 * another name.
 */
export function packageSchema(name: string): object | true {
  let schema = schemas.get(name);
  if (schema === undefined) {
    const file = join(schemaFolder, `${name}.json`);
    schema = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : true;
    schemas.set(name, schema);
  }
  return schema;
}

/** Returns the same object each time, because the validator caches compiled schemas by identity. */
const schemas = new Map<string, object | true>();
