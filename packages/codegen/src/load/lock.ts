import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { listFiles } from '../list-files.js';
import type { Project } from '../project/project.js';

/** Path relative to the project folder → SHA-256, ordered by path. */
export type Digests = Readonly<Record<string, string>>;

export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Digests of every input: proto files and buf.yaml or descriptors, spec with its schemas, naming profile. */
export async function digestInputs(project: Project): Promise<Digests> {
  const { folder, protos, descriptors, spec, naming, lock } = project;
  const folders = [...(descriptors === undefined ? protos : []), ...(spec === undefined ? [] : [spec])];
  const listed = await Promise.all(
    folders.map(async (each) => (await listFiles(join(folder, each))).map((path) => posix.join(each, path))),
  );
  const files = listed.flat().filter((path) => /\.(proto|ya?ml|json)$/.test(path));
  // Standard input leaves no file to lock.
  if (descriptors !== undefined && descriptors !== '-') files.push(descriptors);
  if (naming !== undefined) files.push(naming);
  const paths = [...new Set(files)].filter((path) => path !== lock).sort();
  return Object.fromEntries(paths.map((path) => [path, digestFile(folder, path)]));
}

function digestFile(folder: string, path: string): string {
  try {
    // Hundreds of small files are read several times faster sequentially than concurrently.
    return digestOf(readFileSync(join(folder, path)));
  } catch (cause) {
    throw new CodegenError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Message if the inputs differ from the lock; `undefined` if they match. */
export async function findLockFault(project: Project, found: Digests): Promise<string | undefined> {
  const { lock, command } = project;
  if (lock === undefined) return undefined;
  const locked = await readLock(project);
  const faults = [
    ...Object.keys(locked)
      .filter((path) => found[path] === undefined)
      .map((path) => `${path} is locked but missing`),
    ...Object.entries(found)
      .filter(([path, digest]) => locked[path] !== digest)
      .map(([path]) => (locked[path] === undefined ? `${path} is not locked` : `${path} differs from its digest`)),
  ];
  if (faults.length === 0) return undefined;
  const shown = faults.slice(0, 10).map((fault) => `\n  ${fault}`);
  const more = faults.length > shown.length ? `\n  and ${faults.length - shown.length} more` : '';
  const howToMend = `If the change is meant, run \`${command} --lock\` and commit ${lock} with it; else restore the file.`;
  return `${lock}: the inputs are not the locked ones:${shown.join('')}${more}\n${howToMend}`;
}

/** Digests in the lock; empty if the project has no lock. */
export async function readLock({ folder, lock, command }: Project): Promise<Digests> {
  if (lock === undefined) return {};
  let text: string;
  try {
    text = await readFile(join(folder, lock), 'utf8');
  } catch (cause) {
    throw new CodegenError(`${lock} cannot be read; run \`${command} --lock\` to make it`, { cause });
  }
  let files: unknown;
  try {
    files = (JSON.parse(text) as { files?: unknown } | null)?.files;
  } catch (cause) {
    throw new CodegenError(`${lock} is no JSON; restore it or run \`${command} --lock\``, { cause });
  }
  const isTable = typeof files === 'object' && files !== null && !Array.isArray(files);
  if (isTable && Object.values(files as object).every((digest) => typeof digest === 'string')) return files as Digests;
  throw new CodegenError(`${lock} has no table "files" of path and SHA-256; restore it or run \`${command} --lock\``);
}

/** Locks the current inputs. */
export async function writeLock({ folder, lock }: Project, files: Digests): Promise<void> {
  if (lock === undefined) throw new CodegenError('there is no lock; name its file under lock in the configuration');
  const text = `${JSON.stringify({ algorithm: 'sha256', files }, null, 2)}\n`;
  const file = join(folder, lock);
  // Not written if unchanged, so that file watchers are not triggered.
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
