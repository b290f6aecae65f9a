import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { emitAll } from './emit/emit-all.js';
import type { EmittedFile, Emitter } from './emit/emitter.js';
import { emitters as everyEmitter } from './emit/index.js';
import { placeFiles } from './emit/place-files.js';
import { link, type Linked } from './load/link.js';
import { load } from './load/load.js';
import { digestOf, writeLock } from './load/lock.js';
import type { ReadSpec } from './load/spec.js';
import { SpecError } from './load/spec-error.js';
import { buildModel } from './model/build-model.js';
import { checkDocs } from './model/docs.js';
import type { Model } from './model/model.js';
import { proveNaming } from './naming/prove-naming.js';
import type { GenerateReport } from './generate-report.js';
import { compareOutput, showDifferences, writeOutput } from './output.js';
import { readProject } from './project/find-project.js';
import { configName, type Project } from './project/project.js';
import { StaleError } from './stale-error.js';
import { choicesOf, digestOutput, readStamp, type Stamp, writeStamp } from './stamp.js';
import { fits, readState } from './state.js';

export interface GenerateOptions {
  /** Folder of a configuration file or with the default paths; or a project that was read already. */
  readonly root: string | Project;
  /** Only compare; write nothing. */
  readonly check?: boolean;
  /** Accept the current inputs and lock them. */
  readonly lock?: boolean;
  /** Default: those of the project, in the order of their list. */
  readonly emitters?: readonly Emitter[];
  /** Default: the descriptors that the project names. */
  readonly descriptors?: FileDescriptorSet;
}

/**
 * Generates the files of a project from its proto files or descriptors and its spec.
 *
 * @throws CodegenError when an input is wrong or differs from the lock, or when the output folder contains a foreign
 * file; then nothing was written
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const { root, check = false, lock = false, descriptors } = options;
  const project = typeof root === 'string' ? readProject(root) : root;
  // The stamp covers only the project's emitters over its proto files.
  const isFullRun = options.emitters === undefined && descriptors === undefined && project.descriptors !== '-';
  const [state, stamp] = await Promise.all([
    readState(project, { ignoreLock: lock }),
    isFullRun ? readStamp(project.folder) : undefined,
  ]);
  if (!lock && stamp !== undefined && fits(stamp, state)) return { ...stamp.report, differences: [] };
  const { digests, inputs, lockFault, found } = state;

  const { set, ...read } = await load(project, descriptors);
  const linked = link(set);
  const { names, model } = overlay(linked, read);
  const files = await emit(project, { model, linked, read }, options.emitters);
  const differences = compareOutput(project, found, files);
  if (lockFault !== undefined) {
    // The lock identifies the file; the resulting change of the output identifies the line.
    const effects = check ? showDifferences(project, differences) : [];
    throw new StaleError([lockFault, ...effects].join('\n'));
  }
  located(read, () => checkDocs(model, read.spec));
  if (lock) await writeLock(project, digests);
  const report = {
    protos: model.files.length,
    services: model.services.length,
    methods: model.services.reduce((sum, service) => sum + service.methods.length, 0),
    names,
    files: files.length,
  };
  if (!check) await writeOutput(project, files, differences);
  if (isFullRun && (!check || differences.length === 0)) {
    const outputs = digestOutput(new Map(files.map(({ path, text }) => [path, text])));
    await writeStamp(project.folder, { ...ofProject(project), inputs, outputs, report });
  }
  return { ...report, differences };
}

/** Stamp data of a project: its choices, and the digest of the configuration file if no other source makes choices. */
function ofProject(project: Project): Pick<Stamp, 'project' | 'config'> {
  const choices = choicesOf(project);
  const file = join(project.folder, configName);
  const isOfFile = existsSync(file) && isDeepStrictEqual(choices, choicesOf(readProject(project.folder)));
  return { project: choices, ...(isOfFile && { config: digestOf(readFileSync(file)) }) };
}

/**
 * Combines the spec with the descriptors.
 *
 * @throws CodegenError with file and line if a fact does not match
 */
export function overlay(linked: Linked, read: ReadSpec): { readonly model: Model; readonly names: number } {
  return located(read, () => {
    const { names } = proveNaming(linked, read.spec);
    return { names, model: buildModel(linked, read.spec) };
  });
}

/** Adds file and line to errors in the spec. @throws CodegenError */
function located<T>({ files }: ReadSpec, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SpecError ? error.located(files) : error;
  }
}

async function emit(
  project: Project,
  { model, linked, read }: { readonly model: Model; readonly linked: Linked; readonly read: ReadSpec },
  chosen?: readonly Emitter[],
): Promise<EmittedFile[]> {
  const wanted = project.emitters;
  const isWanted = ({ name, isExtra }: Emitter): boolean =>
    wanted === 'all' || (wanted === undefined ? isExtra !== true : wanted.includes(name));
  const emitters = chosen ?? everyEmitter.filter(isWanted);
  return placeFiles(await emitAll(emitters, { model, linked, spec: read.spec }), project);
}
