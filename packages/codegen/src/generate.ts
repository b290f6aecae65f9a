import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { CodegenError } from './codegen-error.js';
import { emitAll } from './emit/emit-all.js';
import type { Emitter } from './emit/emitter.js';
import { emitters as everyEmitter } from './emit/index.js';
import { link } from './load/link.js';
import { load } from './load/load.js';
import { digestInputs, findLockFault, writeLock } from './load/lock.js';
import { buildModel } from './model/build-model.js';
import { proveNaming } from './naming/prove-naming.js';
import { compareOutput, type Difference, readOutput, showDifferences, writeOutput } from './output.js';
import { digestOutput, digestRun, readStamp, writeStamp } from './stamp.js';

export interface GenerateOptions {
  /** Folder that holds `proto/` and `packages/types`. */
  readonly root: string;
  /** Compare only and write nothing. */
  readonly check?: boolean;
  /** Accept the inputs as they are and lock them. */
  readonly lock?: boolean;
  /** Default: all, in the order of their list. */
  readonly emitters?: readonly Emitter[];
  /** Default: compiled from the proto files of `root`. */
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
 * Makes the generated files of the types package from protos and spec.
 *
 * @throws CodegenError when an input is wrong or not the locked one, or when a foreign file stands in the output folder.
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const { root, check = false, lock = false, emitters = everyEmitter, descriptors } = options;
  // The stamp speaks of all emitters over the proto files of the root, of nothing else.
  const isFullRun = emitters === everyEmitter && descriptors === undefined;
  const [digests, found, stamp] = await Promise.all([digestInputs(root), readOutput(root), readStamp(root)]);
  const [inputs, lockFault] = await Promise.all([digestRun(digests), lock ? undefined : findLockFault(root, digests)]);
  const isLocked = !lock && lockFault === undefined;
  if (isFullRun && isLocked && stamp?.inputs === inputs && stamp.outputs === digestOutput(found)) {
    return { ...stamp.report, differences: [] };
  }

  const { set, spec } = await load(root, descriptors);
  const linked = link(set);
  const { names } = proveNaming(linked, spec);
  const model = buildModel(linked, spec);
  const files = await emitAll(emitters, { model, linked, spec });
  const differences = compareOutput(found, files);
  if (lockFault !== undefined) {
    // The lock names the file; what it would change in the output names the line.
    const effects = check ? showDifferences(differences) : [];
    throw new CodegenError([lockFault, ...effects].join('\n'));
  }
  if (lock) await writeLock(root, digests);
  const report = {
    protos: model.files.length,
    services: model.services.length,
    methods: model.services.reduce((sum, service) => sum + service.methods.length, 0),
    names,
    files: files.length,
  };
  if (!check) await writeOutput(root, files, differences);
  if (isFullRun && (!check || differences.length === 0)) {
    const outputs = digestOutput(new Map(files.map(({ path, text }) => [path, text])));
    await writeStamp(root, { inputs, outputs, report });
  }
  return { ...report, differences };
}
