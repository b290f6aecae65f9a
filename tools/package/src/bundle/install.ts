import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { must, type Packed, workspace } from '@hubwatch/bench/consumers';
import type { Architecture } from '../architecture.js';
import { type InstalledPackage, installedPackages } from './installed-packages.js';
import { type Lock, type OwnPackage, productionLock } from './production-lock.js';

/** Packages of ours of which the daemon consists. */
export const bundled = ['types', 'client', 'daemon'] as const;
export type Bundled = (typeof bundled)[number];

/** What is installed for one architecture. */
export interface Bundle {
  /** Folder with `bin/node` and `node_modules`. */
  readonly folder: string;
  /** Everything in `node_modules`. */
  readonly packages: readonly InstalledPackage[];
  /** The package that Node is from. */
  readonly node: InstalledPackage;
  readonly remove: () => void;
}

/** Installs Node and the packed daemon with its production dependencies for an architecture, which may be another one. */
export async function installBundle(packed: Packed<Bundled>, architecture: Architecture): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bundle-'));
  try {
    const packages = await installPackages(join(folder, 'packages'), packed, architecture);
    const runtime = await installNode(join(folder, 'runtime'), architecture);
    const bundle = join(folder, 'bundle');
    mkdirSync(join(bundle, 'bin'), { recursive: true });
    copyFileSync(join(runtime.folder, 'bin/node'), join(bundle, 'bin/node'));
    copyFileSync(join(runtime.folder, 'LICENSE'), join(bundle, 'bin/LICENSE'));
    const modules = join(folder, 'packages/node_modules');
    const filter = (file: string): boolean => isUsedAtRunTime(relative(modules, file));
    cpSync(modules, join(bundle, 'node_modules'), { recursive: true, filter });
    return {
      folder: bundle,
      packages: installedPackages(packages, bundle),
      node: runtime.installed,
      remove: () => rmSync(folder, { recursive: true }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function installPackages(
  folder: string,
  { tarballs }: Packed<Bundled>,
  architecture: Architecture,
): Promise<Lock> {
  mkdirSync(folder);
  const own = bundled.map((name): OwnPackage => {
    const file = basename(tarballs[name].file);
    copyFileSync(tarballs[name].file, join(folder, file));
    const digest = createHash('sha512').update(readFileSync(tarballs[name].file)).digest('base64');
    return { name, file, integrity: `sha512-${digest}` };
  });
  const lock = productionLock(readLock(workspace), own);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(lock.packages['']));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, ...lock }));
  await install(folder, architecture);
  return lock;
}

/**
 * Installs the pinned Node. Its lock is not the workspace's: there, `node_modules/.bin/node` would replace the Node that runs
 * the scripts.
 */
async function installNode(
  folder: string,
  architecture: Architecture,
): Promise<{ readonly folder: string; readonly installed: InstalledPackage }> {
  cpSync(join(import.meta.dirname, '../../runtime'), folder, { recursive: true });
  await install(folder, architecture);
  const [installed] = installedPackages(readLock(folder), folder);
  if (installed === undefined) throw new Error(`no Node for ${architecture.debian} was installed`);
  return { folder: join(folder, installed.location), installed };
}

function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
}

async function install(folder: string, { node }: Architecture): Promise<void> {
  const target = ['--os=linux', `--cpu=${node}`, '--libc=glibc'];
  await must(
    'npm',
    ['ci', '--omit=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', ...target],
    folder,
  );
}

/** Leaves out what only compilers, debuggers and npm read, and bindings for a C library that the packaged Node does not use. */
function isUsedAtRunTime(path: string): boolean {
  if (/(?:^|\/)\.(?:bin|package-lock\.json)$/.test(path)) return false;
  if (/^@libsql\/[^/]+-musl$/.test(path)) return false;
  if (/^@hubwatch\/[^/]+\/src$/.test(path)) return false;
  return !/\.d\.[cm]?ts$|\.map$/.test(path);
}
