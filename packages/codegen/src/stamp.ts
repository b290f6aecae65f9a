import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { GenerateReport } from './generate.js';
import { listFiles } from './list-files.js';
import type { Project } from './project/project.js';
import { type Digests, digestOf } from './load/lock.js';

/**
 * What the last full run of this machine proved: these inputs, read by this program, give this output. A run that finds
 * the same digests has nothing to do. The stamp is never committed, so a fresh clone is always checked in full.
 */
interface Stamp {
  readonly inputs: string;
  readonly outputs: string;
  readonly report: Omit<GenerateReport, 'differences'>;
}

const stampPath = 'node_modules/.cache/hubwatch-codegen/stamp.json';

/** One digest over all inputs and over the program that reads them. */
export async function digestRun(project: Project, digests: Digests): Promise<string> {
  const sources = await digestOwnSources();
  // Where the folder stands says nothing.
  const choices = { ...project, folder: '' };
  const require = createRequire(import.meta.url);
  const versions = ['ts-proto', '@bufbuild/buf'].map((name) => {
    try {
      const { version } = require(`${name}/package.json`) as { version: string };
      return `${name} ${version}`;
    } catch {
      // buf may be left out where descriptors are the input.
      return `${name} none`;
    }
  });
  return digestOf(JSON.stringify([process.version, versions, sources, choices, digests]));
}

/** One digest over paths and contents of the output. */
export function digestOutput(files: ReadonlyMap<string, string>): string {
  return digestOf(JSON.stringify([...files].map(([path, text]) => [path, digestOf(text)]).sort()));
}

async function digestOwnSources(): Promise<string[]> {
  const folder = dirname(fileURLToPath(import.meta.url));
  const paths = (await listFiles(folder))
    .filter((path) => /(?<!\.test|\.d)\.[jt]s$/.test(path))
    .map((path) => join(folder, path));
  const schemas = join(folder, '../schema');
  paths.push(...(await listFiles(schemas)).map((path) => join(schemas, path)));
  // The manifest pins the libraries that have no say of their own above.
  paths.push(join(folder, '../package.json'));
  return Promise.all(paths.map(async (path) => digestOf(await readFile(path))));
}

export async function readStamp(root: string): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(join(root, stampPath), 'utf8')) as Stamp;
  } catch {
    // No stamp or a broken one: the run is a full one.
    return undefined;
  }
}

export async function writeStamp(root: string, stamp: Stamp): Promise<void> {
  const path = join(root, stampPath);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(stamp));
  } catch {
    // Without a stamp the next run is slower, nothing else.
  }
}
