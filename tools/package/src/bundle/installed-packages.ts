import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dependenciesOf, type Lock } from './production-lock.js';

/** A package in an installed bundle. */
export interface InstalledPackage {
  /** Folder in the bundle, such as `node_modules/zod`. */
  readonly location: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Digest of its tarball in npm's notation: `sha512-` and base64. */
  readonly integrity: string;
  /** Locations of the packages that it imports. */
  readonly dependencies: readonly string[];
}

/** Packages of a lock that are installed in a folder. The others are for other platforms. */
export function installedPackages({ packages }: Lock, folder: string): InstalledPackage[] {
  const locations = Object.keys(packages).filter(
    (location) => location !== '' && existsSync(join(folder, location, 'package.json')),
  );
  return locations.map((location) => {
    const name = location.replace(/^.*node_modules\//, '');
    const { version, license, integrity } = packages[location] ?? {};
    if (version === undefined || license === undefined || integrity === undefined) {
      throw new Error(`package-lock.json has no version, license or integrity of ${name}`);
    }
    const dependencies = dependenciesOf(packages, location).filter((dependency) => locations.includes(dependency));
    return { location, name, version, license, integrity, dependencies };
  });
}
