import { dirname, join } from 'node:path';

/** An entry in `package-lock.json`, version 3. */
export interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Names = Readonly<Record<string, string>>;

export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** One of our packages, installed from its tarball. */
export interface OwnPackage {
  /** Name of its folder in `packages/`. */
  readonly name: string;
  /** Path of the tarball, relative to the folder of the lock. */
  readonly file: string;
  readonly integrity: string;
}

/**
 * Creates the lock for a folder with only our tarballs and their production dependencies. Versions and digests come from the
 * workspace's lock.
 *
 * @throws Error if the workspace's lock lacks a dependency
 */
export function productionLock({ packages }: Lock, own: readonly OwnPackage[]): Lock {
  const installed: Record<string, LockEntry> = {};
  const queue: string[] = [];
  for (const { name, file, integrity } of own) {
    const location = `packages/${name}`;
    queue.push(location);
    installed[`node_modules/@hubwatch/${name}`] = {
      ...production(entryAt(packages, location)),
      resolved: `file:${file}`,
      integrity,
    };
  }
  for (let location = queue.pop(); location !== undefined; location = queue.pop()) {
    for (const dependency of dependenciesOf(packages, location)) {
      const target = installedAt(dependency);
      if (installed[target] !== undefined) continue;
      installed[target] = production(entryAt(packages, dependency));
      queue.push(dependency);
    }
  }
  const dependencies = Object.fromEntries(own.map(({ name, file }) => [`@hubwatch/${name}`, `file:${file}`]));
  return { packages: { '': { name: 'hubwatch-bundle', dependencies }, ...sorted(installed) } };
}

/** Locations of a package's run-time dependencies, without other packages of the workspace. */
export function dependenciesOf(packages: Lock['packages'], location: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entryAt(packages, location);
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
    const found = locate(packages, name, location);
    if (found === undefined) throw new Error(`package-lock.json lacks ${name}, which ${location} needs`);
    return packages[found]?.link === true ? [] : [found];
  });
}

/** Location at which Node resolves a package: in the nearest `node_modules`, from the given folder upwards. */
function locate(packages: Lock['packages'], name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const location = join(folder, 'node_modules', name);
    if (packages[location] !== undefined) return location;
    if (folder === '.') return undefined;
  }
}

/** Maps a location below `packages/NAME` in the workspace to the installed package of that name. */
function installedAt(location: string): string {
  return location.replace(/^packages\/([^/]+)/, 'node_modules/@hubwatch/$1');
}

/** An entry without fields that only the workspace needs. */
function production(entry: LockEntry): LockEntry {
  const dropped = new Set(['dev', 'devOptional', 'devDependencies', 'peer']);
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !dropped.has(key)));
}

function entryAt(packages: Lock['packages'], location: string): LockEntry {
  const entry = packages[location];
  if (entry === undefined) throw new Error(`package-lock.json lacks ${location}`);
  return entry;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
