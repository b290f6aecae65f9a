import { cpSync, mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { configName } from '../src/project/project.js';

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '../../..');

/** Folder of the generated files of this repository. */
export const outputFolder = 'packages/types/src/gen';

/** A copy of everything that the generator reads and writes, to break things in. */
export interface CopiedRoot {
  readonly root: string;
  read(path: string): Promise<string>;
  /** Changes a file; fails when `change` changes nothing, so that no test is blind. */
  edit(path: string, change: (text: string) => string): Promise<void>;
  /** Changes a file, looks at what follows and takes the change back. */
  withEdit(path: string, change: (text: string) => string, look: () => Promise<void>): Promise<void>;
  remove(): Promise<void>;
}

/** What a test copies: the protos with the spec, and the generated files that it needs. */
export interface CopyOptions {
  /** Default: all of it. */
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
