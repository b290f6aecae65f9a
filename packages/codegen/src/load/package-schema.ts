import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the JSON Schemas that the package ships. */
export const schemaFolder = join(import.meta.dirname, '../../schema');

/** A JSON Schema of the package, by its path below `schema/` without ending; `true`, which fits all, for another name. */
export function packageSchema(name: string): object | true {
  let schema = schemas.get(name);
  if (schema === undefined) {
    const file = join(schemaFolder, `${name}.json`);
    schema = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : true;
    schemas.set(name, schema);
  }
  return schema;
}

/** The same object each time, by which the validator knows what it has compiled. */
const schemas = new Map<string, object | true>();
