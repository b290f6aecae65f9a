import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readLock } from '../load/lock.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { type PulledFiles, pullFiles } from '../pull/pull-files.js';
import { pathOfPart, readSeeds } from '../pull/seeds.js';
import type { CalledMethods } from './drift-calls.js';
import type { Drift } from './drifted-line.js';
import { digestNode, digestProject, readMemory, writeMemory } from './drift-memory.js';

export interface DriftReport {
  readonly services: number;
  readonly files: number;
  readonly drifts: readonly Drift[];
  /** Only with `calls`. */
  readonly called?: Omit<CalledMethods, 'drifts'>;
}

export interface DriftOptions {
  /** Also call each method that only reads, and compare the result with the spec. Default: no. */
  readonly calls?: boolean;
  /** Address of the node's gateway, whose GET routes are then called too. */
  readonly rest?: string | undefined;
}

/**
 * Compares the services that a live node reports with the lock and spec of a project (or of the project in a folder). A
 * node that returns the same bytes as in the last check without findings is not parsed again.
 */
export async function drift(
  where: string | Project,
  endpoint: string,
  { calls = false, rest }: DriftOptions = {},
): Promise<DriftReport> {
  const project = typeof where === 'string' ? readProject(where) : where;
  const [pulled, memory, ours] = await Promise.all([
    pullFiles(endpoint, { listedOnly: true }),
    readMemory(project),
    digestProject(project),
  ]);
  const agreed = { project: ours, node: digestNode(pulled) };
  const counts = { services: pulled.services.length, files: pulled.files.size };
  const isAgreed = memory?.project === agreed.project && memory.node === agreed.node;
  const drifts = isAgreed ? [] : await driftOfFiles(project, pulled);
  if (drifts.length === 0 && !isAgreed) await writeMemory(project, agreed);
  if (!calls) return { ...counts, drifts };
  const [{ naming }, { driftOfCalls }] = await Promise.all([readSeeds(project, 'names'), import('./drift-calls.js')]);
  const { drifts: more, ...called } = await driftOfCalls(project, pulled, { grpc: endpoint, rest, naming });
  return { ...counts, drifts: [...drifts, ...more], called };
}

/** Maximum number of facts of a file in a message; the rest is counted. */
const shownFacts = 10;

/** Entries of lock and spec that the files and services of a node contradict. */
async function driftOfFiles(project: Project, pulled: PulledFiles): Promise<Drift[]> {
  const [{ naming, services: known, namesAllServices }, lock, { compareFiles }] = await Promise.all([
    readSeeds(project, 'names'),
    readLock(project),
    import('./drift-files.js'),
  ]);
  const { services, changed } = await compareFiles(project, pulled, naming, lock);
  const drifts: Drift[] = [];
  const { folder: root, lock: lockPath, protos } = project;
  const [into = 'proto'] = protos;
  for (const [path, facts] of changed) {
    const lines = facts.slice(0, shownFacts).map((fact) => `\n    ${fact}`);
    const more = facts.length > lines.length ? `\n    and ${facts.length - lines.length} more` : '';
    const what = `the node has another ${path}${lines.join('')}${more}`;
    drifts.push(await at(root, lockPath ?? into, `"${into}/${path}"`, what));
  }
  const spec = pathOfPart(project, 'availability') ?? '';
  // Services without an entry follow the defaults of the spec.
  const notNamed = namesAllServices ? services.filter((each) => !known.includes(each)) : [];
  for (const name of known.filter((each) => !services.includes(each))) {
    drifts.push(await at(root, spec, `  ${name}:`, `the node does not list the service ${name}`));
  }
  for (const name of notNamed) {
    drifts.push(await at(root, spec, 'services:', `the node lists ${name}, which is not there`));
  }
  return drifts;
}

async function at(root: string, path: string, text: string, what: string): Promise<Drift> {
  // Without a lock, the location is the folder of the proto files, which has no lines.
  const lines = (await readFile(join(root, path), 'utf8').catch(() => '')).split('\n');
  const index = lines.findIndex((line) => line.includes(text));
  return { line: index === -1 ? path : `${path}:${index + 1}`, what };
}
