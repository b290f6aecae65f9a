import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { must } from './consumer.js';
import { type Packed, type Published, workspace } from './packages.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Tarballs installed in a folder outside the workspace. */
export interface Installation {
  /** Empty except for `node_modules`; commands run here by default. */
  readonly folder: string;
  /** Path of a command in `node_modules/.bin`. */
  readonly bin: (command: string) => string;
  readonly remove: () => void;
}

/**
 * Installs tarballs without a registry and without hoisting: each package has its own folder and can import only what
 * its manifest declares. Our packages come from the tarballs, all others from the workspace. A peer dependency is
 * available if a package that is installed by name depends on it.
 *
 * @param omit packages to leave out, such as an optional dependency
 */
export async function installIsolated<P extends Published>(
  { tarballs }: Packed<P>,
  { packages, omit = [] }: { readonly packages: readonly P[]; readonly omit?: readonly string[] },
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-isolated-'));
  const store = join(folder, 'node_modules', '.store');
  const placed = new Map<string, string>();
  const ours: Readonly<Record<string, P>> = Object.fromEntries(
    (Object.keys(tarballs) as P[]).map((name) => [`@hubwatch/${name}`, name]),
  );

  /** Installs a package and its declared dependencies; resolves with its folder. */
  const place = async (name: string, source: string, peers: readonly string[]): Promise<string> => {
    const manifest = manifestOf(source);
    const key = `${name.replace('/', '+')}@${manifest.version}`;
    const known = placed.get(key);
    if (known !== undefined) return known;
    const modules = join(store, key, 'node_modules');
    const target = join(modules, name);
    placed.set(key, target);
    mkdirSync(target, { recursive: true });
    const own = ours[name];
    if (own === undefined) linkTree(source, target);
    else await must('tar', ['-xzf', tarballs[own].file, '-C', target, '--strip-components=1'], folder);
    const declared = [
      ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
      ...Object.keys(manifest.peerDependencies ?? {}).filter((peer) => peers.includes(peer)),
    ];
    for (const dependency of declared.filter((one) => !omit.includes(one))) {
      const from = ours[dependency] === undefined ? find(dependency, source) : packageFolder(ours[dependency]);
      // An optional package for another platform.
      if (from === undefined) continue;
      symlink(await place(dependency, from, peers), join(modules, dependency));
    }
    return target;
  };

  const bins = join(folder, 'node_modules', '.bin');
  mkdirSync(bins, { recursive: true });
  for (const name of packages) {
    const source = packageFolder(name);
    const { bin = {}, dependencies = {} } = manifestOf(source);
    const target = await place(`@hubwatch/${name}`, source, Object.keys(dependencies));
    symlink(target, join(folder, 'node_modules', '@hubwatch', name));
    for (const [command, file] of Object.entries(bin)) {
      chmodSync(join(target, file), 0o755);
      symlink(join(target, file), join(bins, command));
    }
  }
  return {
    folder,
    bin: (command) => join(bins, command),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const packageFolder = (name: Published): string => join(workspace, 'packages', name);

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function find(name: string, from: string): string | undefined {
  return createRequire(join(from, 'package.json'))
    .resolve.paths(name)
    ?.map((base) => join(base, name))
    .find((path) => existsSync(join(path, 'package.json')));
}

/** Copies the files of a package without nested packages, as hard links if the file system supports them. */
function linkTree(source: string, target: string): void {
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(to);
      linkTree(from, to);
    } else if (entry.isFile()) linkFile(from, to);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // The target is on another file system, or hard links are not supported.
    copyFileSync(from, to);
  }
}

function symlink(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path);
}
