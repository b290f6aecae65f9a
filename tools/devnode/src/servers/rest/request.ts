import { defaultForm } from '@hubwatch/types/runtime/default-form';
import type { Field, MessageTable } from '@hubwatch/types/runtime/table';
import { parseValue } from './parse-value.js';

type Form = Record<string, unknown>;

function fieldOf(table: MessageTable, name: string): Field | undefined {
  return table.fields.find((field) => field.name === name || field.prop === name);
}

/** Go type of a message as in the error text: the last package segment that is not a version, and the simple name. */
function goMessage(table: MessageTable): string {
  const parts = table.name.split('.');
  const packages = parts.slice(0, -1).filter((part) => !/^v\d/.test(part));
  return `*${packages.at(-1)}.${parts.at(-1)}`;
}

function put(form: Form, field: Field, value: unknown): void {
  form[field.prop] = value;
}

/** `at` is the depth: the number of path segments above the table. */
function setPath(table: MessageTable, form: Form, path: readonly string[], values: readonly string[], at = 0): void {
  const name = path[at] ?? '';
  const rest = path.slice(at + 1);
  const field = fieldOf(table, name);
  // Unknown names are ignored.
  if (field === undefined) return;
  if (field.kind === 'message') {
    const inner = field.message();
    if (field.repeated === true) throw new Error(`unsupported field type ${goMessage(inner)}`);
    if (rest.length === 0) throw new Error(`field type ${goMessage(inner)} is not supported in query parameters`);
    const child = (form[field.prop] ?? { ...(defaultForm(inner) as Form) }) as Form;
    put(form, field, child);
    return setPath(inner, child, path, values, at + 1);
  }
  if (rest.length > 0) throw new Error(`unexpected nested field ${rest[0]} in ${path.slice(0, at + 1).join('.')}`);
  if (field.repeated === true)
    return put(
      form,
      field,
      values.map((value) => parseValue(field, value)),
    );
  put(form, field, parseValue(field, values[0] as string));
}

/** Builds a request from path and query. @throws Error with the gateway's text. */
export function requestForm(
  table: MessageTable,
  params: ReadonlyMap<string, string>,
  query: ReadonlyMap<string, readonly string[]>,
): unknown {
  const form = { ...(defaultForm(table) as Form) };
  for (const [name, text] of params) {
    const field = fieldOf(table, name);
    if (field === undefined) continue;
    try {
      const many = field.repeated === true;
      put(form, field, many ? text.split(',').map((each) => parseValue(field, each)) : parseValue(field, text));
    } catch (error) {
      throw new Error(`type mismatch, parameter: ${name}, error: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const [name, values] of query) {
    if (params.has(name)) continue;
    const brackets = /^(.*)\[(.*)\]$/.exec(name);
    setPath(table, form, (brackets?.[1] ?? name).split('.'), values);
  }
  return form;
}
