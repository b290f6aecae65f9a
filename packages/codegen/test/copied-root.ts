import { cpSync, mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { configName } from '../src/project/project.js';

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '../../..');

/** Folder of the generated files of this repository. */
export const outputFolder = 'packages/types/src/gen';

/** A copy of all files that the generator reads and writes, which tests can modify. */
export interface CopiedRoot {
  readonly root: string;
  read(path: string): Promise<string>;
  /** Changes a file. Throws if `change` returns the same text, because the test would then verify nothing. */
  edit(path: string, change: (text: string) => string): Promise<void>;
  /** Changes a file, runs `look`, and restores the file. */
  withEdit(path: string, change: (text: string) => string, look: () => Promise<void>): Promise<void>;
  remove(): Promise<void>;
}

/** Selects the generated files to copy. The protos and the spec are always copied. */
export interface CopyOptions {
  /** Default: all generated files. */
  readonly output?: 'all' | 'none' | { readonly without: string };
}

export function copyRoot({ output = 'all' }: CopyOptions = {}): CopiedRoot {
  const root = mkdtempSync(join(tmpdir(), 'hubwatch-codegen-'));
  cpSync(join(repositoryRoot, 'proto'), join(root, 'proto'), { recursive: true });
  cpSync(join(repositoryRoot, configName), join(root, configName));
  const generated = join(repositoryRoot, outputFolder);
  const left = typeof output === 'object' ? join(generated, output.without) : undefined;
  if (output !== 'none') {
    cpSync(generated, join(root, outputFolder), { recursive: true, filter: (source) => source !== left });
  }
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const old = await read(path);
    const changed = change(old);
    if (changed === old) throw new Error(`${path}: the edit changed nothing`);
    await writeFile(join(root, path), changed);
  };
  return {
    root,
    read,
    edit,
    async withEdit(path, change, look) {
      const old = await read(path);
      await edit(path, change);
      try {
        await look();
      } finally {
        await writeFile(join(root, path), old);
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Deletes the first line that contains `text`. */
export function withoutLine(text: string): (content: string) => string {
  return (content) => {
    const lines = content.split('\n');
    const at = lines.findIndex((line) => line.includes(text));
    if (at === -1) throw new Error(`no line holds ${text}`);
    lines.splice(at, 1);
    return lines.join('\n');
  };
}
