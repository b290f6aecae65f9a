import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Packed, type Published, workspace } from './packages.js';
import { type Ran, runProgram } from './run-program.js';

/** Packages that depend only on packages in this list. */
const selfContained: ReadonlySet<Published> = new Set(['types']);

/** Folder of a package consumer: outside the workspace, with only the installed packages. */
export interface Consumer {
  readonly folder: string;
  readonly write: (file: string, text: string) => string;
  /** Runs this Node with a script and its arguments in the folder. */
  readonly node: (...args: string[]) => Promise<Ran>;
  readonly remove: () => void;
}

/**
 * Installs tarballs without a registry. Self-contained packages are installed with npm, offline. The others are
 * unpacked, and their third-party dependencies are copied from the workspace.
 */
export async function makeConsumer<P extends Published>(
  { tarballs }: Packed<P>,
  { packages, thirdParty = [] }: { packages: readonly P[]; thirdParty?: readonly string[] },
): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-consumer-'));
  const modules = join(folder, 'node_modules');
  const manifest = { name: 'consumer', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const [closed, open] = [
    packages.filter((name) => selfContained.has(name)),
    packages.filter((name) => !selfContained.has(name)),
  ];
  if (closed.length > 0) {
    const files = closed.map((name) => tarballs[name].file);
    await must('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...files], folder);
  }
  for (const name of open) {
    const target = join(modules, '@hubwatch', name);
    mkdirSync(target, { recursive: true });
    await must('tar', ['-xzf', tarballs[name].file, '-C', target, '--strip-components=1'], folder);
    copyDependencies(target, join(workspace, 'packages', name), modules);
  }
  for (const name of thirdParty) copyPackage(name, workspace, modules);
  return {
    folder,
    write: (file, text) => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    node: (...args) => runProgram(process.execPath, args, folder),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Number of packages below `node_modules`, and the total size of their files in bytes. */
export function installed(folder: string): { readonly packages: number; readonly bytes: number } {
  let [packages, bytes] = [0, 0];
  for (const entry of readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === '.package-lock.json') continue;
    bytes += readFileSync(join(entry.parentPath, entry.name)).length;
    if (entry.name === 'package.json' && /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(entry.parentPath)) packages += 1;
  }
  return { packages, bytes };
}

/** The workspace has one version of each package at its root, so all imports work in a flat copy. */
function copyPackage(name: string, from: string, into: string): void {
  const target = join(into, name);
  if (existsSync(target)) return;
  const source = folderOf(name, from);
  if (source === undefined) return;
  cpSync(source, target, { recursive: true, dereference: true });
  copyDependencies(target, source, into);
}

function copyDependencies(target: string, source: string, into: string): void {
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    if (!existsSync(join(target, 'node_modules', name))) copyPackage(name, source, into);
  }
}

/** Runs a program that must succeed. @throws Error with its complete output */
export async function must(program: string, args: readonly string[], folder: string): Promise<void> {
  const ran = await runProgram(program, args, folder);
  if (ran.code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${ran.code}:\n${ran.text}`);
}

function folderOf(name: string, from: string): string | undefined {
  for (const base of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    if (existsSync(join(base, name, 'package.json'))) return join(base, name);
  }
  return undefined;
}
