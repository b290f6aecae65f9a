import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readFileSync } from 'node:fs';
import type { GenerateReport } from './generate-report.js';
import { listFiles } from './list-files.js';
import type { Project } from './project/project.js';
import { type Digests, digestOf } from './load/lock.js';

/**
 * Result of the last full run on this machine: these inputs, read by this program, produce this output. A run that
 * finds the same digests has nothing to do. The stamp is never committed, so a fresh clone is always checked
 * completely.
 */
export interface Stamp {
  /** The generated project, independent of the location of its folder. */
  readonly project: Omit<Project, 'folder' | 'configPath'>;
  /** Digest of the configuration file; absent if other sources also determine the project. */
  readonly config?: string;
  readonly inputs: string;
  readonly outputs: string;
  readonly report: Omit<GenerateReport, 'differences'>;
}

const stampPath = 'node_modules/.cache/hubwatch-codegen/stamp.json';

/** One digest over all inputs and the program that reads them. */
export async function digestRun(project: Project, digests: Digests): Promise<string> {
  const sources = await digestProgram();
  return digestOf(JSON.stringify([process.version, versions(), sources, choicesOf(project), digests]));
}

/** Choices of a project, independent of its location and of how it was found. */
export function choicesOf({ folder: _, configPath: __, ...choices }: Project): Stamp['project'] {
  return choices;
}

/** Versions of the packages that affect the output. */
function versions(): string[] {
  const require = createRequire(import.meta.url);
  return ['ts-proto', '@bufbuild/buf', '@bufbuild/protobuf', 'yaml'].map((name) => {
    // Read, not required: the exports of a package need not include its manifest.
    const manifest = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name, 'package.json'));
    for (const file of manifest) {
      try {
        return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
      } catch {
        // Not in this folder. buf may be absent everywhere if descriptors are the input.
      }
    }
    return `${name} none`;
  });
}

/** One digest over paths and contents of the output. */
export function digestOutput(files: ReadonlyMap<string, string>): string {
  return digestOf(JSON.stringify([...files].map(([path, text]) => [path, digestOf(text)]).sort()));
}

/** Digests of the program: its code, its schemas and its manifest. */
export async function digestProgram(folder = dirname(fileURLToPath(import.meta.url))): Promise<string[]> {
  const paths = (await listFiles(folder))
    .filter((path) => /(?<!\.test|\.d)\.[jt]s$/.test(path))
    .map((path) => join(folder, path));
  const schemas = join(folder, '../schema');
  paths.push(...(await listFiles(schemas)).map((path) => join(schemas, path)));
  // The manifest pins the libraries that are not listed above.
  paths.push(join(folder, '../package.json'));
  return paths.map((path) => digestOf(readFileSync(path)));
}

export async function readStamp(root: string): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(join(root, stampPath), 'utf8')) as Stamp;
  } catch {
    // No stamp or a broken one: a full run follows.
    return undefined;
  }
}

export async function writeStamp(root: string, stamp: Stamp): Promise<void> {
  const path = join(root, stampPath);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(stamp));
  } catch {
    // Without a stamp, the next run is only slower.
  }
}
