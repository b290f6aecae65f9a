import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { CodegenError } from './codegen-error.js';
import { any } from './emit/any.js';
import { burntNaming } from './emit/burnt-naming.js';
import { emitAll } from './emit/emit-all.js';
import type { EmittedFile, Emitter } from './emit/emitter.js';
import { entries } from './emit/entries.js';
import { errorCodes } from './emit/error-codes.js';
import { events } from './emit/events.js';
import { forms } from './emit/forms.js';
import { grpc } from './emit/grpc.js';
import { methods } from './emit/methods.js';
import { msgs } from './emit/msgs.js';
import { packageFiles } from './emit/package-files.js';
import { registry } from './emit/registry.js';
import { restRoutes } from './emit/rest-routes.js';
import { rpcMethods } from './emit/rpc-methods.js';
import { services } from './emit/services.js';
import { generatedHeader } from './emit/source-file.js';
import { overlay } from './generate.js';
import { listFiles } from './list-files.js';
import { link } from './load/link.js';
import { load } from './load/load.js';
import { renameModel } from './naming/rename-model.js';
import { printOpenApi } from './openapi/document.js';
import { openApi } from './openapi/open-api.js';
import { readProject } from './project/find-project.js';
import type { Project } from './project/project.js';
import { readSeeds } from './pull/seeds.js';
import { shippedProject } from './shipped-interface.js';

/** All but the wire types of ts-proto and the profile, which only a package with neutral names needs. */
const emitters: readonly Emitter[] = [
  forms,
  any,
  methods,
  services,
  grpc,
  msgs,
  entries,
  restRoutes,
  rpcMethods,
  events,
  errorCodes,
  registry,
  burntNaming,
];

export interface PackageOptions {
  /** A project, or the folder of one. */
  readonly root: string | Project;
  /** Name of a naming profile whose names are built in: of the project or of the interface that this package ships. */
  readonly profile: string;
  /** Folder of the package. It may be missing, empty or contain an earlier output. */
  readonly out: string;
}

export interface PackageReport {
  /** Name of the package, `@hubwatch/types-public`. */
  readonly name: string;
  readonly version: string;
  readonly files: number;
}

/**
 * Writes the sources of a package with the names of one network, from type URLs to routes, so that users need no naming
 * profile. It builds itself when it is packed.
 *
 * @throws CodegenError when the profile is unknown, an input is wrong, or the folder contains a foreign file
 */
export async function generatePackage({ root, profile, out }: PackageOptions): Promise<PackageReport> {
  const project = await projectOf(profile, root);
  const { set, ...read } = await load(project);
  const { spec } = read;
  const linked = link(set);
  const model = renameModel(overlay(linked, read).model, spec.naming);
  const generated = await emitAll(emitters, { model, linked, spec });
  const version = await ownVersion();
  const name = `@hubwatch/types-${profile}`;
  const document = printOpenApi(await openApi({ root: project, profile }));
  const files = [
    ...generated.map(({ path, text }) => ({ path: `src/gen/${path}`, text: onSharedRuntime(text) })),
    { path: 'openapi.json', text: document },
    ...packageFiles({
      name,
      version,
      license: await own('LICENSE'),
      naming: spec.naming,
      generated: generated.map(({ path }) => path),
    }),
  ];
  await clear(out, name);
  await writeFiles(out, files);
  return { name, version, files: files.length };
}

/** The project whose spec contains the profile: the given one, else the interface that this package ships. */
async function projectOf(profile: string, root: string | Project): Promise<Project> {
  const given = typeof root === 'string' ? readProject(root) : root;
  const held = new Set<string>();
  for (const project of [given, shippedProject()]) {
    const { naming } = await readSeeds(project, 'names');
    if (naming?.profile === profile) return project;
    if (naming !== undefined) held.add(naming.profile);
  }
  throw new CodegenError(`--profile ${profile}: proto/spec holds the naming profile ${[...held].join(', ')}, no other`);
}

/** The codec is imported from @hubwatch/types, so that an app that uses both packages loads it once. */
function onSharedRuntime(text: string): string {
  return text.replace(/(?<= from )'(?:\.\.\/)+runtime\/([\w/-]+)\.js'/g, "'@hubwatch/types/runtime/$1'");
}

/** Packages of one release share version and licence. */
async function ownVersion(): Promise<string> {
  return (JSON.parse(await own('package.json')) as { version: string }).version;
}

function own(file: string): Promise<string> {
  return readFile(join(dirname(fileURLToPath(import.meta.url)), '..', file), 'utf8');
}

/** Removes an earlier output, and nothing else. */
async function clear(out: string, name: string): Promise<void> {
  const found = await readFile(join(out, 'package.json'), 'utf8').catch(() => undefined);
  if (found !== undefined && (JSON.parse(found) as { name?: unknown }).name !== name) {
    throw new CodegenError(`${out} holds another package than ${name}; give --out a folder of its own`);
  }
  for (const path of await listFiles(join(out, 'src'))) {
    const text = await readFile(join(out, 'src', path), 'utf8');
    if (found === undefined || !text.startsWith(generatedHeader)) {
      throw new CodegenError(`${join(out, 'src', path)} was not generated; give --out a folder of its own`);
    }
  }
  await rm(join(out, 'src'), { recursive: true, force: true });
  await rm(join(out, 'dist'), { recursive: true, force: true });
}

async function writeFiles(out: string, files: readonly EmittedFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
}
