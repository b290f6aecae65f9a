import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { listFiles } from '../list-files.js';

export const lockPath = 'proto/lock.json';
const howToMend =
  'If the change is meant, run `npm run generate -- --lock` and commit proto/lock.json with it; else restore the file.';

/** Path below `root` → SHA-256, in order of path. */
export type Digests = Readonly<Record<string, string>>;

export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Digests of every input: proto files, buf.yaml, spec and its schemas. */
export async function digestInputs(root: string): Promise<Digests> {
  const paths = (await listFiles(join(root, 'proto')))
    .map((path) => `proto/${path}`)
    .filter((path) => /\.(proto|ya?ml|json)$/.test(path) && path !== lockPath);
  const digests = await Promise.all(
    paths.map(async (path) => [path, digestOf(await readFile(join(root, path)))] as const),
  );
  return Object.fromEntries(digests);
}

/** What a person must know when the inputs are not the locked ones, or `undefined` when they are. */
export async function findLockFault(root: string, found: Digests): Promise<string | undefined> {
  const locked = await readLock(root);
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
  return `${lockPath}: the inputs are not the locked ones:${shown.join('')}${more}\n${howToMend}`;
}

/** Digests that the lock holds. */
export async function readLock(root: string): Promise<Digests> {
  let text: string;
  try {
    text = await readFile(join(root, lockPath), 'utf8');
  } catch (cause) {
    throw new CodegenError(`${lockPath} cannot be read; run \`npm run generate -- --lock\` to make it`, { cause });
  }
  try {
    return (JSON.parse(text) as { files?: Digests }).files ?? {};
  } catch (cause) {
    throw new CodegenError(`${lockPath} is no JSON; restore it or run \`npm run generate -- --lock\``, { cause });
  }
}

/** Paths that the lock holds; none without a lock. */
export async function lockedPaths(root: string): Promise<string[]> {
  return existsSync(join(root, lockPath)) ? Object.keys(await readLock(root)) : [];
}

/** Locks the inputs as they are now. */
export async function writeLock(root: string, files: Digests): Promise<void> {
  await writeFile(join(root, lockPath), `${JSON.stringify({ algorithm: 'sha256', files }, null, 2)}\n`);
}
