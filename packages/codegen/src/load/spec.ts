import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse, YAMLParseError } from 'yaml';

import { CodegenError } from '../codegen-error.js';
import type { Spec } from './spec-types.js';

/** Files of the interface spec and the member of `Spec` that each becomes. */
export const specFiles = {
  availability: 'availability.yaml',
  any: 'any.yaml',
  enums: 'enums.yaml',
  events: 'events.yaml',
  rpc: 'rpc.yaml',
  errors: 'errors.yaml',
  naming: 'naming-public.json',
} as const satisfies Record<keyof Spec, string>;

async function readText(root: string, path: string): Promise<string> {
  try {
    return await readFile(join(root, path), 'utf8');
  } catch (cause) {
    throw new CodegenError(`${path} cannot be read: ${(cause as Error).message}; restore it`, { cause });
  }
}

function parseSpec(path: string, text: string): unknown {
  try {
    // YAML 1.2 reads JSON too. `uniqueKeys` is what makes a doubled line an error.
    return parse(text, { uniqueKeys: true });
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause;
    throw new CodegenError(`${path}: ${cause.message}`, { cause });
  }
}

/** Reads one file of the spec and checks it against its JSON Schema. */
export async function readSpecFile(root: string, member: string, file: string): Promise<unknown> {
  const path = `proto/spec/${file}`;
  const schemaPath = `proto/spec/schema/${member}.json`;
  const value = parseSpec(path, await readText(root, path));
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  const validate = ajv.compile(JSON.parse(await readText(root, schemaPath)) as object);
  if (validate(value)) return value;
  const faults = (validate.errors ?? []).slice(0, 5).map((fault) => {
    const extra = Object.values(fault.params as Record<string, unknown>).join(', ');
    return `  ${fault.instancePath || '/'} ${fault.message ?? 'is not valid'}${extra ? ` (${extra})` : ''}`;
  });
  throw new CodegenError(`${path} does not fit ${schemaPath}:\n${faults.join('\n')}`);
}

/** Reads the spec of `root` and checks every file against its JSON Schema. */
export async function readSpec(root: string): Promise<Spec> {
  const entries = await Promise.all(
    Object.entries(specFiles).map(async ([member, file]) => [member, await readSpecFile(root, member, file)] as const),
  );
  return Object.fromEntries(entries) as unknown as Spec;
}
