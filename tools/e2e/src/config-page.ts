import { configJsonSchema, type JsonSchema } from '@hubwatch/daemon/declarations';
import { page, table } from './markdown.js';

/** Generates the page with every key of the configuration file from its JSON Schema. */
export function configPage(note: string): string {
  const sections = propertiesOf(configJsonSchema()).map(([name, schema]) => section(name, schema));
  return page('Configuration', `${note} ${intro}`, sections);
}

const intro = [
  'The file is YAML. `hubwatch check-config FILE` checks it and names the line of each problem.',
  'Editors check it with the JSON Schema in the package: `@hubwatch/daemon/schema/config.json`.',
  'A complete example is deploy/hubwatch.example.yml.\n\nAn unknown key is an error. A duration is a whole number and `ms`, `s`, `m`, `h` or `d`, such as `90s`.',
  '`[]` after a key means a list; every value marked "or a list" may be written without one.',
].join(' ');

function section(name: string, schema: JsonSchema): string {
  const rows = [...keysOf(name, schema)];
  const about = schema.description === undefined ? '' : `\n\n${schema.description}`;
  const needed = name === 'endpoints' ? ' (required)' : '';
  return `## ${name}${needed}${about}\n\n${table(['Key', 'Value', 'Default', 'Meaning'], rows)}`;
}

/** A row for each key below `path`; a mapping has its own row, followed by its keys. */
function* keysOf(path: string, schema: JsonSchema): Iterable<readonly string[]> {
  const { items, additionalProperties: others } = schema;
  if (schema.type === 'array' && isBlock(items)) yield* keysOf(`${path}[]`, items);
  for (const [key, value] of propertiesOf(schema)) {
    const below = `${path}.${key}`;
    yield [`\`${below}\``, valueText(value), defaultText(value, schema.required?.includes(key) === true), about(value)];
    yield* keysOf(below, value);
  }
  if (isBlock(others)) yield* keysOf(`${path}.NAME`, others);
}

const isBlock = (schema: unknown): schema is JsonSchema =>
  typeof schema === 'object' &&
  schema !== null &&
  !Array.isArray(schema) &&
  'type' in schema &&
  schema.type !== 'string';

const propertiesOf = ({ properties = {} }: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(properties).flatMap(([key, value]) => (typeof value === 'object' ? [[key, value] as const] : []));

const about = ({ description = '' }: JsonSchema): string => description;

/** Allowed values: the name of the format, the choices, or the type, with the range. */
function valueText(schema: JsonSchema): string {
  const { title, type, anyOf, items, minimum, maximum, propertyNames, $comment: range } = schema;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (title !== undefined) return range === undefined ? title : `${title}, ${range}`;
  const [single] = anyOf ?? [];
  if (typeof single === 'object') return `${valueText(single)}, or a list`;
  if (type === 'array') return typeof items === 'object' && !Array.isArray(items) ? listText(items) : 'list';
  if (type === 'object')
    return propertyNames === undefined ? 'block' : `block of ${valueText(propertyNames as JsonSchema)}s`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'string') return 'text';
  const name = type === 'integer' ? 'whole number' : 'number';
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER)
    return minimum === undefined ? name : `${name} from ${minimum}`;
  return `${name}, ${minimum ?? '…'} to ${maximum}`;
}

const listText = (items: JsonSchema): string =>
  items.type === 'object' ? 'list of blocks' : `list: ${valueText(items)}`;

function defaultText({ default: value, type }: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  if (value === undefined || type === 'object') return '';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => `\`${String(one)}\``).join(', ');
  return `\`${JSON.stringify(value).replaceAll('"', '')}\``;
}
