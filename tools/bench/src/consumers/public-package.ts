import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePackage } from '@hubwatch/codegen';
import { workspace } from './packages.js';

/** A package with the names of the public network burnt in, as `generate --profile public` makes it. */
export interface PublicPackage {
  /** `@hubwatch/types-public`. */
  readonly name: string;
  /** The package. Its sources stand below `src`, and its imports of our packages lead to those of the workspace. */
  readonly folder: string;
}

let made: Promise<PublicPackage> | undefined;

/** The package, generated once a process into a folder that goes when the process ends. It is not compiled. */
export function publicPackage(): Promise<PublicPackage> {
  return (made ??= generate());
}

async function generate(): Promise<PublicPackage> {
  const base = mkdtempSync(join(tmpdir(), 'hubwatch-public-'));
  process.once('exit', () => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'types-public');
  mkdirSync(folder);
  symlinkSync(join(workspace, 'node_modules'), join(base, 'node_modules'));
  const { name } = await generatePackage({ root: workspace, profile: 'public', out: folder });
  return { name, folder };
}
