import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { emitAll } from './emit/emit-all.js';
import type { EmittedFile, Emitter } from './emit/emitter.js';
import { emitters as everyEmitter } from './emit/index.js';
import { placeFiles } from './emit/place-files.js';
import { link, type Linked } from './load/link.js';
import { load } from './load/load.js';
import { digestInputs, findLockFault, writeLock } from './load/lock.js';
import type { ReadSpec } from './load/spec.js';
import { SpecError } from './load/spec-error.js';
import { buildModel } from './model/build-model.js';
import type { Model } from './model/model.js';
import { proveNaming } from './naming/prove-naming.js';
import { compareOutput, type Difference, readOutput, showDifferences, writeOutput } from './output.js';
import { readProject } from './project/find-project.js';
import type { Project } from './project/project.js';
import { StaleError } from './stale-error.js';
import { digestOutput, digestRun, readStamp, writeStamp } from './stamp.js';

export interface GenerateOptions {
  /** Folder of a configuration file, or with the usual places; or a project that is read already. */
  readonly root: string | Project;
  /** Compare only and write nothing. */
  readonly check?: boolean;
  /** Accept the inputs as they are and lock them. */
  readonly lock?: boolean;
  /** Default: those of the project, in the order of their list. */
  readonly emitters?: readonly Emitter[];
  /** Default: what the project names. */
  readonly descriptors?: FileDescriptorSet;
}

export interface GenerateReport {
  /** Proto files that the output is made from. */
  readonly protos: number;
  readonly services: number;
  readonly methods: number;
  /** Names that the naming profile was proved over. */
  readonly names: number;
  readonly files: number;
  /** What was written, or what a check found. */
  readonly differences: readonly Difference[];
}

/**
 * Makes the generated files of a project from its proto files or descriptors and its spec.
 *
 * @throws CodegenError when an input is wrong or not the locked one, or when a foreign file stands in the output folder;
 * then nothing was written.
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const { root, check = false, lock = false, descriptors } = options;
  const project = typeof root === 'string' ? readProject(root) : root;
  // The stamp speaks of the emitters of the project over its proto files, of nothing else.
  const isFullRun = options.emitters === undefined && descriptors === undefined && project.descriptors !== '-';
  const [digests, found, stamp] = await Promise.all([
    digestInputs(project),
    readOutput(project),
    readStamp(project.folder),
  ]);
  const [inputs, lockFault] = await Promise.all([
    digestRun(project, digests),
    lock ? undefined : findLockFault(project, digests),
  ]);
  const isLocked = !lock && lockFault === undefined;
  if (isFullRun && isLocked && stamp?.inputs === inputs && stamp.outputs === digestOutput(found)) {
    return { ...stamp.report, differences: [] };
  }

  const { set, ...read } = await load(project, descriptors);
  const linked = link(set);
  const { names, model } = overlay(linked, read);
  const files = await emit(project, { model, linked, read }, options.emitters);
  const differences = compareOutput(project, found, files);
  if (lockFault !== undefined) {
    // The lock names the file; what it would change in the output names the line.
    const effects = check ? showDifferences(project, differences) : [];
    throw new StaleError([lockFault, ...effects].join('\n'));
  }
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
    await writeStamp(project.folder, { inputs, outputs, report });
  }
  return { ...report, differences };
}

/**
 * Lays the spec over the descriptors.
 *
 * @throws CodegenError with file and line where a fact does not fit
 */
export function overlay(linked: Linked, { spec, files }: ReadSpec): { readonly model: Model; readonly names: number } {
  try {
    const { names } = proveNaming(linked, spec);
    return { names, model: buildModel(linked, spec) };
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
  const emitters = chosen ?? everyEmitter.filter(({ name }) => wanted === undefined || wanted.includes(name));
  return placeFiles(await emitAll(emitters, { model, linked, spec: read.spec }), project);
}
