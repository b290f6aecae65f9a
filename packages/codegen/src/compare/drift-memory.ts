import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { digestOf } from '../load/lock.js';
import type { Project } from '../project/project.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { pathOfPart } from '../pull/seeds.js';
import { digestRun } from '../stamp.js';

/**
 * State of the last check without findings: digests of the project files, of the node's bytes and of this program. If a
 * node returns the same bytes again, the check succeeds without parsing them.
 */
export interface AgreedState {
  readonly project: string;
  readonly node: string;
}

const memoryPath = 'node_modules/.cache/hubwatch-codegen/drift.json';

/** One digest over all project files that a check compares with a node. */
export async function digestProject(project: Project): Promise<string> {
  const paths = [project.lock, pathOfPart(project, 'availability'), pathOfPart(project, 'naming')];
  const digests = paths.map((path) => [path ?? '', path === undefined ? '' : digestFile(project, path)] as const);
  return digestRun(project, Object.fromEntries(digests));
}

function digestFile({ folder }: Project, path: string): string {
  try {
    return digestOf(readFileSync(join(folder, path)));
  } catch {
    // The check itself reports a missing file.
    return 'none';
  }
}

/** One digest over all responses of a node, regardless of their order. */
export function digestNode({ files, services }: PulledFiles): string {
  const contents = [...files].map(([path, bytes]) => [path, digestOf(bytes)]).sort();
  return digestOf(JSON.stringify([contents, [...services].sort()]));
}

export async function readMemory({ folder }: Project): Promise<AgreedState | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, memoryPath), 'utf8')) as AgreedState;
  } catch {
    // Missing or broken: everything is compared.
    return undefined;
  }
}

export async function writeMemory({ folder }: Project, state: AgreedState): Promise<void> {
  const path = join(folder, memoryPath);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(state));
  } catch {
    // Without it, the next check is only slower.
  }
}
