import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { digestOf } from '../load/lock.js';
import type { Project } from '../project/project.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { pathOfPart } from '../pull/seeds.js';
import { digestRun } from '../stamp.js';

/**
 * What the last check without a finding saw: these bytes of a node agree with these files, read by this program. A node
 * that gives the same bytes again agrees again, and nothing has to be parsed to know it.
 */
export interface AgreedState {
  readonly project: string;
  readonly node: string;
}

const memoryPath = 'node_modules/.cache/hubwatch-codegen/drift.json';

/** One digest over all that a check compares a node with. */
export async function digestProject(project: Project): Promise<string> {
  const paths = [project.lock, pathOfPart(project, 'availability'), pathOfPart(project, 'naming')];
  const digests = paths.map((path) => [path ?? '', path === undefined ? '' : digestFile(project, path)] as const);
  return digestRun(project, Object.fromEntries(digests));
}

function digestFile({ folder }: Project, path: string): string {
  try {
    return digestOf(readFileSync(join(folder, path)));
  } catch {
    // The check itself has the words for a file that is missing.
    return 'none';
  }
}

/** One digest over all that a node gave, whatever the order of its answers. */
export function digestNode({ files, services }: PulledFiles): string {
  const contents = [...files].map(([path, bytes]) => [path, digestOf(bytes)]).sort();
  return digestOf(JSON.stringify([contents, [...services].sort()]));
}

export async function readMemory({ folder }: Project): Promise<AgreedState | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, memoryPath), 'utf8')) as AgreedState;
  } catch {
    // None, or a broken one: everything is compared.
    return undefined;
  }
}

export async function writeMemory({ folder }: Project, state: AgreedState): Promise<void> {
  const path = join(folder, memoryPath);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(state));
  } catch {
    // Without it the next check is slower, nothing else.
  }
}
