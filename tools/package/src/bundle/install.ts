import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { must, type Packed, workspace } from '@hubwatch/bench/consumers';
import type { Architecture } from '../architecture.js';
import { type InstalledPackage, installedPackages } from './installed-packages.js';
import { type Lock, type OwnPackage, productionLock } from './production-lock.js';

/** Our own packages that make up the daemon. */
export const bundled = ['types', 'client', 'daemon'] as const;
export type Bundled = (typeof bundled)[number];

/** The installation for one architecture. */
export interface Bundle {
  /** Folder with `bin/node` and `node_modules`. */
  readonly folder: string;
  /** All packages in `node_modules`. */
  readonly packages: readonly InstalledPackage[];
  /** The package that provides the Node binary. */
  readonly node: InstalledPackage;
}

/**
 * Installs Node and the packed daemon with its production dependencies for an architecture, which may differ from this
 * machine's.
 * @param folder is created; must be on the same file system as the temporary files
 */
export async function installBundle(
  folder: string,
  packed: Packed<Bundled>,
  architecture: Architecture,
): Promise<Bundle> {
  const staging = mkdtempSync(join(tmpdir(), 'hubwatch-staging-'));
  try {
    const [packages, runtime] = [join(staging, 'packages'), join(staging, 'runtime')];
    await installPackages(packages, packed, architecture);
    const node = await installNode(runtime, architecture);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    for (const [from, to] of [
      ['bin/node', 'node'],
      ['LICENSE', 'LICENSE'],
    ] as const) {
      renameSync(join(runtime, node.location, from), join(folder, 'bin', to));
    }
    renameSync(join(packages, 'node_modules'), join(folder, 'node_modules'));
    removeUnused(join(folder, 'node_modules'));
    return { folder, packages: installedPackages(readLock(packages), folder), node };
  } finally {
    rmSync(staging, { recursive: true });
  }
}

async function installPackages(
  folder: string,
  { tarballs }: Packed<Bundled>,
  architecture: Architecture,
): Promise<void> {
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
}

/**
 * Installs the pinned Node from a separate lock file. If it were in the workspace's lock, `node_modules/.bin/node` would
 * replace the Node that runs the scripts.
 */
async function installNode(folder: string, architecture: Architecture): Promise<InstalledPackage> {
  cpSync(join(import.meta.dirname, '../../runtime'), folder, { recursive: true });
  await install(folder, architecture);
  const [installed] = installedPackages(readLock(folder), folder);
  if (installed === undefined) throw new Error(`no Node for ${architecture.debian} was installed`);
  return installed;
}

function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
}

async function install(folder: string, { node }: Architecture): Promise<void> {
  const target = ['--os=linux', `--cpu=${node}`, '--libc=glibc'];
  const chosen = ['--omit=dev', '--include=optional', '--ignore-scripts'];
  await must('npm', ['ci', ...chosen, '--no-audit', '--no-fund', ...target], folder);
}

/**
 * Files that only compilers, debuggers, npm and tests read, and bindings for a C library that the packaged Node does not use.
 */
const unused = [
  /(?:^|\/)\.[^/]+$/,
  /^@libsql\/[^/]+-musl$/,
  /^@hubwatch\/[^/]+\/src$/,
  /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/(?:tests?|bench|benchmarks)$/,
  /\.d\.[cm]?ts$|\.map$/,
];

function removeUnused(modules: string): void {
  for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    if (unused.some((pattern) => pattern.test(path))) rmSync(join(modules, path), { recursive: true, force: true });
  }
}
