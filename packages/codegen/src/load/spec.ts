import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { packageSchema } from './package-schema.js';
import { emptySpec, noNaming } from './spec-defaults.js';
import type { Spec } from './spec-types.js';
import { checkYaml, parseYaml, type YamlFile } from './yaml-file.js';

export type SpecMember = keyof Spec;

/** Files of the interface spec, and the member of `Spec` for each. The naming profile is located separately. */
export const specFiles = {
  availability: 'availability.yaml',
  any: 'any.yaml',
  enums: 'enums.yaml',
  names: 'names.yaml',
  events: 'events.yaml',
  rpc: 'rpc.yaml',
  errors: 'errors.yaml',
  lists: 'lists.yaml',
  options: 'options.yaml',
  docs: 'docs.yaml',
} as const satisfies Record<Exclude<SpecMember, 'naming'>, string>;

/** The spec, and the files that it was read from. */
export interface ReadSpec {
  readonly spec: Spec;
  readonly files: Readonly<Partial<Record<SpecMember, YamlFile>>>;
}

/** Text of a file; `undefined` if the file does not exist. */
async function readText(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CodegenError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Reads one file of a spec and validates it against the adjacent JSON Schema, `schema/MEMBER.json`, else against that
 * of this package.
 *
 * @throws CodegenError with file and line
 */
export async function readSpecFile(
  { folder, spec = '.' }: Pick<Project, 'folder' | 'spec'>,
  member: string,
  path: string,
): Promise<YamlFile | undefined> {
  const schemaPath = `${spec}/schema/${member}.json`;
  const [text, ownSchema] = await Promise.all([readText(folder, path), readText(folder, schemaPath)]);
  if (text === undefined) {
    if (ownSchema === undefined) return undefined;
    throw new CodegenError(`${path} cannot be read: ${schemaPath} is there, so the file must be too; restore it`);
  }
  const file = parseYaml(path, text);
  checkYaml(file, ownSchema === undefined ? packageSchema(`spec/${member}`) : parseSchema(schemaPath, ownSchema));
  return file;
}

function parseSchema(path: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw new CodegenError(`${path}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Reads the spec of a project, or of the project in a folder. A missing file counts as empty.
 *
 * @throws CodegenError with file and line
 */
export async function readSpec(where: string | Project): Promise<Spec> {
  return (await readSpecFiles(typeof where === 'string' ? readProject(where) : where)).spec;
}

/** Reads the spec with its files, so that later errors can be reported with their line. */
export async function readSpecFiles(project: Project): Promise<ReadSpec> {
  const { spec: folder, naming } = project;
  const paths: [SpecMember, string][] = folder === undefined ? [] : membersOf(folder);
  if (naming !== undefined) paths.push(['naming', naming]);
  const entries = await Promise.all(
    paths.map(async ([member, path]) => [member, await readSpecFile(project, member, path)] as const),
  );
  const files = Object.fromEntries(entries.filter(([, file]) => file !== undefined)) as ReadSpec['files'];
  if (folder !== undefined && entries.every(([member, file]) => member === 'naming' || file === undefined)) {
    throw new CodegenError(
      `${folder}: there is no file of a spec; it holds ${Object.values(specFiles).join(', ')}, each optional. Without a spec, leave the key out.`,
    );
  }
  if (naming !== undefined && files.naming === undefined) {
    throw new CodegenError(`${naming}: there is no such naming profile; give another or leave the key out`);
  }
  const values = Object.fromEntries(Object.entries(files).map(([member, file]) => [member, file.value]));
  return { spec: complete(values), files };
}

function membersOf(folder: string): [SpecMember, string][] {
  return (Object.entries(specFiles) as [SpecMember, string][]).map(([member, file]) => [member, `${folder}/${file}`]);
}

/** Omitted members get their defaults: the schema allows more omissions than the type. */
function withDefaults<T>(defaults: Partial<T>, read: T): T {
  return { ...defaults, ...read };
}

/** Adds the defaults of omitted members. */
function complete(read: Partial<Spec>): Spec {
  const filled = { ...emptySpec, ...read };
  return {
    ...filled,
    availability: withDefaults({ unserved: {}, services: {}, legacy_routes: {} }, filled.availability),
    any: withDefaults({ interfaces: {}, fields: {} }, filled.any),
    names: withDefaults(emptySpec.names, filled.names),
    rpc: withDefaults({ shapes: {} }, filled.rpc),
    lists: withDefaults({ defects: {}, methods: {} }, filled.lists),
    docs: withDefaults(emptySpec.docs, filled.docs),
    naming: read.naming
      ? {
          ...noNaming,
          ...read.naming,
          segments: { ...noNaming.segments, ...read.naming.segments },
          type_names: { ...noNaming.type_names, ...read.naming.type_names },
        }
      : noNaming,
  };
}
