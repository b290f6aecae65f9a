import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { outputFolder } from '../src/output.js';

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '../../..');

/** A copy of everything that the generator reads and writes, to break things in. */
export interface CopiedRoot {
  readonly root: string;
  read(path: string): Promise<string>;
  /** Changes a file; fails when `change` changes nothing, so that no test is blind. */
  edit(path: string, change: (text: string) => string): Promise<void>;
  remove(): Promise<void>;
}

/** @param without folders of the output to leave out, for runs without their emitter. */
export async function copyRoot(without: readonly string[] = []): Promise<CopiedRoot> {
  const root = await mkdtemp(join(tmpdir(), 'hubwatch-codegen-'));
  for (const folder of ['proto', outputFolder]) {
    await cp(join(repositoryRoot, folder), join(root, folder), { recursive: true });
  }
  for (const folder of without) await rm(join(root, outputFolder, folder), { recursive: true });
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  return {
    root,
    read,
    async edit(path, change) {
      const old = await read(path);
      const changed = change(old);
      if (changed === old) throw new Error(`${path}: the edit changed nothing`);
      await writeFile(join(root, path), changed);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Deletes the one line that holds `text`. */
export function withoutLine(text: string): (content: string) => string {
  return (content) => {
    const lines = content.split('\n');
    const at = lines.findIndex((line) => line.includes(text));
    if (at === -1) throw new Error(`no line holds ${text}`);
    lines.splice(at, 1);
    return lines.join('\n');
  };
}
