import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { CodegenError, generate, pull } from '@hubwatch/codegen';
import { EmittedBatch } from './emitted-batch.js';
import { type HostileSet, hostileSet } from './hostile-descriptors.js';
import { type LyingNode, startLyingNode } from './lying-reflection.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** For any descriptor set, only the expected files are written and no code runs. */
export const hostileProtos: Proof = {
  name: 'hostile-protos',
  about:
    'Descriptor sets with hostile names, options and comments, over reflection and from files: nothing is written outside the folder, emitted code type-checks and does nothing, and a contradiction is named with both places.',
  defaultRuns: 1000,
  run: prove,
};

/** Number of sets whose output is type-checked together. */
const batchSize = 200;
/** ts-proto requires a process per set, so only one in this many sets also has wire types. */
const withWireTypes = 5;

async function prove({ seed, runs = 1000, log }: ProofOptions): Promise<ProofOutcome> {
  const counts = { accepted: 0, rejected: 0, contradictions: 0, pulled: 0, 'with wire types': 0 };
  const node = await startLyingNode();
  let [passed, total] = [0, 0];
  let counterExample: string | undefined;
  const judge = (name: string, fault: string | undefined): void => {
    total += 1;
    if (fault === undefined) passed += 1;
    else {
      if (total - passed <= 20) log(`${name}: ${fault}`);
      counterExample ??= `${name}: ${fault}`;
    }
  };
  try {
    for (let from = 0; from < runs; from += batchSize) {
      const batch = new EmittedBatch();
      try {
        for (let run = from; run < Math.min(runs, from + batchSize); run++) {
          const set = hostileSet(new RandomSource(seed + run * 7919));
          const trial = new Trial(set, join(batch.folder, `set${run}`), node, run);
          judge(`seed ${seed}, set ${run}${set.fault ? ` (${set.fault.what})` : ''}`, await trial.run());
          counts[set.fault === undefined ? 'accepted' : 'rejected']++;
          if ((set.fault?.names.length ?? 0) > 1) counts.contradictions++;
          if (trial.isPulled) counts.pulled++;
          if (set.fault === undefined && trial.hasWireTypes) counts['with wire types']++;
        }
        judge(`seed ${seed}, types of sets from ${from}`, batch.typeFault());
        judge(`seed ${seed}, imports of sets from ${from}`, batch.effectOfImports());
      } finally {
        batch.remove();
      }
      log(`${Math.min(runs, from + batchSize)} of ${runs} sets`);
    }
  } finally {
    await node.close();
  }
  return { passed, total, counterExample, figures: counts };
}

/** One set in its own project, next to a file that must not change. */
class Trial {
  readonly isPulled: boolean;
  readonly hasWireTypes: boolean;
  readonly #set: HostileSet;
  readonly #output: string;
  readonly #node: LyingNode;

  constructor(set: HostileSet, output: string, node: LyingNode, run: number) {
    this.#set = set;
    this.#output = output;
    this.#node = node;
    this.isPulled = run % 2 === 0;
    this.hasWireTypes = run % withWireTypes === 0;
  }

  /** @returns the contradiction to the claim, if any */
  async run(): Promise<string | undefined> {
    const parent = mkdtempSync(join(tmpdir(), 'hubwatch-hostile-'));
    try {
      writeFileSync(join(parent, 'sentinel.txt'), 'as it was');
      const project = join(parent, 'project');
      mkdirSync(project);
      const before = contentsOf(parent);
      const error = await this.#attempt(project);
      return this.#judge(error, before, contentsOf(parent));
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  }

  async #attempt(project: string): Promise<unknown> {
    const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...this.#set.files] }));
    try {
      if (this.isPulled) {
        this.#node.serve(this.#set.files);
        await pull(project, this.#node.endpoint);
      }
      const emitters = this.hasWireTypes
        ? ['forms', 'any', 'methods', 'grpc', 'rest', 'registry', 'messages']
        : undefined;
      mkdirSync(this.#output, { recursive: true });
      writeFileSync(join(this.#output, 'all.binpb'), bytes);
      const config = { descriptors: 'all.binpb', output: 'out', ...(emitters && { emitters }) };
      writeFileSync(join(this.#output, 'hubwatch-codegen.yml'), JSON.stringify(config));
      await generate({ root: this.#output });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #judge(error: unknown, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string | undefined {
    const { fault } = this.#set;
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
    if (after.get('sentinel.txt') !== 'as it was') return 'the file beside the project was changed';
    const outside = changed.find((path) => !path.startsWith('project/'));
    if (outside !== undefined) return `${outside} was written outside the project`;
    if (fault === undefined) return error === undefined ? undefined : `was rejected: ${textOf(error)}`;
    if (error === undefined) return 'was accepted';
    if (!(error instanceof CodegenError)) return `failed with ${textOf(error)}`;
    // A route matters when methods are generated. A set that is complete except for a lost import may be pulled.
    const isWritten = changed.length > 0 && fault.mayBePulled !== true;
    if (isWritten) return `was rejected, and ${changed[0]} was written`;
    const missing = fault.names.find((name) => !error.message.includes(name));
    if (missing !== undefined) return `the error does not name ${missing}: ${error.message}`;
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(error.message)
      ? `the error has control characters: ${error.message}`
      : undefined;
  }
}

/** Content by path of every file below a folder. */
function contentsOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));
