import { type AnySchema, Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument, type Range } from 'yaml';

import { CodegenError } from '../codegen-error.js';
import { suggestion } from '../nearest.js';

type Keys = readonly (string | number)[];

/** A YAML or JSON file whose faults are reported with their line. */
export interface YamlFile {
  /** Path for messages. */
  readonly path: string;
  readonly value: unknown;
  /** `path:line` of a member, or of the nearest existing parent. */
  place(keys: Keys): string;
}

/**
 * Parses YAML 1.2, which includes JSON.
 *
 * @throws CodegenError with file and line
 */
export function parseYaml(path: string, text: string): YamlFile {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): string => `${path}:${lineCounter.linePos(offset).line}`;
  // `uniqueKeys` rejects duplicate keys, `stringKeys` rejects lists as keys.
  const document = parseDocument(text, { uniqueKeys: true, stringKeys: true, lineCounter, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) throw new CodegenError(`${lineAt(fault.pos[0])}: ${fault.message}`, { cause: fault });
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw new CodegenError(`${path}: ${(cause as Error).message}`, { cause });
  }
  return { path, value, place: (keys) => lineAt(rangeOf(document, keys)[0]) };
}

function rangeOf(document: Document.Parsed, keys: Keys): Range {
  let found: Range = [0, 0, 0];
  let node: unknown = document.contents;
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && String(item.key) === String(key));
      if (!pair) break;
      if (isNode(pair.key) && pair.key.range) found = pair.key.range;
      node = pair.value;
    } else {
      const item: unknown = isNode(node) && 'get' in node ? node.get(key, true) : undefined;
      if (!isNode(item)) break;
      if (item.range) found = item.range;
      node = item;
    }
  }
  return found;
}

/**
 * Shared by all files: creating it takes as long as compiling a schema. The schemas are our own, so they are not
 * validated.
 */
const validator = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
  validateSchema: false,
  // Each is used once or twice: optimising its code takes longer than running it.
  code: { optimize: false },
});

/**
 * Validates a file against a JSON Schema.
 *
 * @throws CodegenError with file, line, the fault and the allowed values
 */
export function checkYaml(file: YamlFile, schema: object | true): void {
  const validate = validator.compile(schema as AnySchema);
  if (validate(file.value)) return;
  const faults = (validate.errors ?? []).map((fault) => describe(file, fault));
  const shown = [...new Set(faults)].slice(0, 5);
  throw new CodegenError(shown.join('\n'));
}

function describe(file: YamlFile, fault: ErrorObject): string {
  const keys = fault.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = fault.params as Readonly<Record<string, unknown>>;
  const where = keys.length === 0 ? '' : `${keys.join('.')}: `;
  if (typeof params['additionalProperty'] === 'string') {
    const name = params['additionalProperty'];
    const known = Object.keys((fault.parentSchema?.['properties'] ?? {}) as object);
    const allowed = known.length === 0 ? '' : ` Keys are ${known.join(', ')}.`;
    return `${file.place([...keys, name])}: ${where}"${name}" is no key${suggestion(name, known) || '.'}${allowed}`;
  }
  const place = file.place(keys);
  if (Array.isArray(params['allowedValues'])) {
    const values = params['allowedValues'].map(String);
    const given = typeof fault.data === 'string' ? fault.data : JSON.stringify(fault.data);
    return `${place}: ${where}${given} is not one of ${values.join(', ')}${suggestion(given, values)}`;
  }
  if (typeof params['missingProperty'] === 'string') {
    return `${place}: ${where}the key "${params['missingProperty']}" is missing`;
  }
  const extra = typeof params['propertyName'] === 'string' ? ` (${params['propertyName']})` : '';
  return `${place}: ${where}${fault.message ?? 'is not valid'}${extra}`;
}
