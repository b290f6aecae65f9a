import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { create } from '@bufbuild/protobuf';
import { type FileDescriptorProto, type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { listFiles } from '../list-files.js';
import { link } from '../load/link.js';
import { loadDescriptors } from '../load/load.js';
import { digestInputs, readLock, writeLock } from '../load/lock.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { printProtos } from './print-protos.js';
import { type FailedService, pullDescriptors } from './pull-descriptors.js';
import type { PullOptions } from './pull-files.js';
import { readSeeds } from './seeds.js';
import { checkStaged } from './stage-protos.js';
import { isOfProtobuf, withStandardFiles } from './well-known-files.js';

export interface PullReport {
  readonly services: number;
  readonly files: number;
  /** Paths in `proto/` that were written, because they were new or different. */
  readonly written: readonly string[];
  /** Paths in `proto/` that the node does not know; they are kept. */
  readonly notOnNode: readonly string[];
  /** Messages that the spec names but the node does not know. */
  readonly unknown: readonly string[];
  /** Paths that the node imports but does not return; the existing files are used. */
  readonly vendored: readonly string[];
  /** Services that are omitted, because the node does not describe them completely. */
  readonly failed: readonly FailedService[];
}

const bufSettings = `# Checked offline: no deps. MINIMAL, because the wire forbids to mend what stricter rules dislike.
version: v2
modules:
  - path: .
lint:
  use: [MINIMAL]
breaking:
  use: [WIRE_JSON]
`;

/**
 * Writes the proto files of a live node into the first proto folder of a project (or of the project in a folder), and
 * locks them.
 */
export async function pull(
  where: string | Project,
  endpoint: string,
  progress?: PullOptions['progress'],
): Promise<PullReport> {
  const project = lockedProject(typeof where === 'string' ? readProject(where) : where);
  const [into = 'proto'] = project.protos;
  const folder = join(project.folder, into);
  const old = (await listFiles(folder)).filter((path) => path.endsWith('.proto'));
  const locked = (await lockedPaths(project)).flatMap((path) =>
    path.startsWith(`${into}/`) ? [path.slice(into.length + 1)] : [],
  );
  const seeds = await readSeeds(project);
  const {
    set: given,
    services,
    unknown,
    vendored,
    failed,
  } = await pullDescriptors(
    endpoint,
    {
      ...seeds,
      isTolerant: true,
      paths: new Set([...old, ...locked.filter((path) => path.endsWith('.proto'))]),
      ...(progress && { progress }),
    },
    () => filesThere(project, old.length),
  );
  const set = create(FileDescriptorSetSchema, { file: withStandardFiles(given.file) });
  const texts = await changedTexts(folder, set, vendored);
  await checkStaged(project, texts.wanted, set);
  for (const path of texts.written) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, texts.wanted.get(path) ?? '');
  }
  const settings = join(folder, 'buf.yaml');
  if (texts.wanted.size > 0 && (await readText(settings)) === undefined) await writeFile(settings, bufSettings);
  if (texts.wanted.size > 0 && project.lock !== undefined) await writeLock(project, await digestInputs(project));
  const notOnNode = old.filter((path) => !texts.wanted.has(path) && !isOfProtobuf(path));
  return {
    services: services.length,
    files: set.file.length,
    written: texts.written,
    notOnNode,
    unknown: unknown.filter((name) => !name.endsWith('.proto') && !services.includes(name)),
    vendored,
    failed,
  };
}

interface PulledTexts {
  /** Text of every expected file in the folder, by path. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Paths of those that are missing or different. */
  readonly written: readonly string[];
}

async function changedTexts(folder: string, set: FileDescriptorSet, vendored: readonly string[]): Promise<PulledTexts> {
  const wanted = new Map<string, string>();
  const written: string[] = [];
  for (const [path, text] of printProtos(link(set))) {
    if (vendored.includes(path) || isOfProtobuf(path)) continue;
    const old = await readText(join(folder, path));
    const isSame = old !== undefined && withoutGoPaths(old) === withoutGoPaths(text);
    wanted.set(path, isSame ? old : text);
    if (!isSame) written.push(path);
  }
  return { wanted, written };
}

/** Other builds of one version import the same Go type from other paths. */
function withoutGoPaths(text: string): string {
  return text.replace(/(\(gogoproto\.(?:casttype|castrepeated|customtype)\) = ")[^"\n]*[./](?=\w+")/g, '$1');
}

/** Descriptors of the existing proto files; empty if they do not compile, which does not affect a node. */
async function filesThere(project: Project, count: number): Promise<readonly FileDescriptorProto[]> {
  if (count === 0) return [];
  try {
    return (await loadDescriptors(project)).file;
  } catch (error) {
    if (error instanceof CodegenError) return [];
    throw error;
  }
}

/** A folder without a configuration gets a lock at the default path. */
function lockedProject(project: Project): Project {
  return project.configPath === undefined ? { ...project, lock: project.lock ?? 'proto/lock.json' } : project;
}

/** Paths in the lock; empty before the first pull. */
async function lockedPaths(project: Project): Promise<string[]> {
  const isThere = project.lock !== undefined && existsSync(join(project.folder, project.lock));
  return isThere ? Object.keys(await readLock(project)) : [];
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}
